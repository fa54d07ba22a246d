#include "ui/view/seed_field.h"

#include "ui/view/icons.h"
#include "ui/view/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QRandomGenerator>
#include <QRegularExpressionValidator>
#include <QToolButton>

namespace kaikou {

namespace {

constexpr std::uint64_t kSeedMask = (1ULL << 63) - 1; // fits every signed 64-bit field it meets

std::uint64_t randomSeed()
{
    return QRandomGenerator::system()->generate64() & kSeedMask;
}

} // namespace

SeedField::SeedField(QWidget* parent)
    : QWidget(parent)
    , m_seed(randomSeed())
    , m_edit(new QLineEdit(QString::number(m_seed), this))
    , m_lock(new QToolButton(this))
{
    m_edit->setValidator(
        new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[0-9]{1,19}")), m_edit));
    m_lock->setCheckable(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::kSmall);
    row->addWidget(m_edit, 1);
    row->addWidget(m_lock);
    setFocusProxy(m_edit);

    connect(m_edit, &QLineEdit::textEdited, this, [this](const QString& text) {
        m_seed = text.toULongLong() & kSeedMask;
        setLocked(true);
    });
    connect(m_lock, &QToolButton::toggled, this, [this] { retranslate(); });
    retranslate();
}

std::uint64_t SeedField::next()
{
    if (!locked()) {
        m_seed = randomSeed();
        m_edit->setText(QString::number(m_seed));
        m_edit->setCursorPosition(0);
    }
    return m_seed;
}

std::uint64_t SeedField::seed() const
{
    return m_seed;
}

void SeedField::setSeed(std::uint64_t seed)
{
    m_seed = seed;
    m_edit->setText(QString::number(seed));
    m_edit->setCursorPosition(0);
    setLocked(true);
}

bool SeedField::locked() const
{
    return m_lock->isChecked();
}

void SeedField::setLocked(bool locked)
{
    m_lock->setChecked(locked);
}

void SeedField::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        retranslate();
}

void SeedField::retranslate()
{
    m_edit->setAccessibleName(tr("Seed"));
    m_lock->setIcon(icon(locked() ? Icon::Locked : Icon::Dice, palette()));
    m_lock->setAccessibleName(tr("Keep this seed"));
    m_lock->setToolTip(locked() ? tr("Kept: the same question gives the same answer. Click for new dice.")
                                : tr("A new seed for every reply. Click to keep this one."));
}

} // namespace kaikou
