#include "ui/view/preferences_dialog.h"

#include "ui/model/settings.h"
#include "ui/view/theme.h"
#include "ui/view/toned_label.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QSpinBox>
#include <QVBoxLayout>

namespace kaikou {

PreferencesDialog::PreferencesDialog(Settings& settings, QWidget* parent)
    : QDialog(parent)
    , m_settings(settings)
    , m_theme(new QComboBox(this))
    , m_language(new QComboBox(this))
    , m_font(new QSpinBox(this))
    , m_records(new QSpinBox(this))
{
    setWindowTitle(tr("Preferences"));
    m_theme->addItems({tr("As the system"), tr("Light"), tr("Dark")});
    m_theme->setCurrentIndex(static_cast<int>(settings.theme()));
    m_language->addItems({tr("As the system"), QStringLiteral("中文"), QStringLiteral("English")});
    m_language->setCurrentIndex(static_cast<int>(settings.language()));
    m_font->setRange(Settings::kMinFontPercent, Settings::kMaxFontPercent);
    m_font->setSingleStep(10);
    m_font->setSuffix(QStringLiteral(" %"));
    m_font->setValue(settings.fontPercent());
    m_records->setRange(Settings::kMinRecordMiB, Settings::kMaxRecordMiB);
    m_records->setSingleStep(64);
    m_records->setSuffix(QStringLiteral(" MiB"));
    m_records->setValue(settings.recordLimitMiB());

    auto* form = new QFormLayout;
    form->setHorizontalSpacing(space::kLarge);
    form->setVerticalSpacing(space::kMedium);
    form->addRow(tr("Theme"), m_theme);
    form->addRow(tr("Language"), m_language);
    form->addRow(tr("Text size"), m_font);
    form->addRow(tr("Memory for distributions"), m_records);
    auto* help = new TonedLabel(TonedLabel::Tone::Muted, TonedLabel::Size::Small, this);
    help->setWordWrap(true);
    help->setText(
        tr("Every token keeps its whole distribution for the inspector. Above this limit the oldest "
           "replies keep only their numbers.")
        + QStringLiteral("\n\n")
        + tr("Sentences for empty replies: copy fallback.zh.txt or fallback.en.txt into %1 and edit it.")
              .arg(settings.folder()));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::kLarge, space::kLarge, space::kLarge, space::kLarge);
    column->setSpacing(space::kLarge);
    column->addLayout(form);
    column->addWidget(help);
    column->addWidget(buttons);
    setMinimumWidth(420);
}

void PreferencesDialog::store()
{
    m_settings.setTheme(static_cast<ThemeChoice>(m_theme->currentIndex()));
    m_settings.setLanguage(static_cast<LanguageChoice>(m_language->currentIndex()));
    m_settings.setFontPercent(m_font->value());
    m_settings.setRecordLimitMiB(m_records->value());
}

} // namespace kaikou
