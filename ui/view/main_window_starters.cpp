// The questions an empty chat offers, and what the window does to show what they are about.
#include "ui/model/chat_model.h"
#include "ui/model/language.h"
#include "ui/view/error_banner.h"
#include "ui/view/main_window.h"
#include "ui/view/sampling_panel.h"
#include "ui/view/transcript_view.h"

#include <QDockWidget>

namespace kaikou {

namespace {

// What the built-in model's starters claim is true of that model only.
QString sectionOf(const OpenedModel& model)
{
    if (model.source.path.isEmpty())
        return QStringLiteral("builtin");
    const Capabilities can = model.service->capabilities();
    if (can.family == Family::GptTeacher || can.family == Family::GptTeacherFirst)
        return QStringLiteral("gpt_teacher");
    return can.form == ChatForm::Continuation ? QStringLiteral("continuation") : QStringLiteral("chat");
}

} // namespace

void MainWindow::offerStarters()
{
    const auto& model = m_parts.session.model();
    const bool chinese = m_parts.language.chinese();
    m_starters = model ? starters(sectionOf(*model), chinese ? QLocale::Chinese : QLocale::English)
                       : QList<Starter>();
    m_transcript->setStarters(m_starters);
}

void MainWindow::chooseStarter(int index)
{
    const Starter starter = m_starters.at(index);
    const ReplyParams before = m_sampling->params();
    ReplyParams params = before;
    starter.applyTo(params.sampling);
    m_sampling->setParams(params);
    send(starter.question);
    if (!m_parts.session.replying())
        return;
    m_started = starter.kind;
    if (params == before)
        return;
    m_beforeStarter = before;
    m_docks[0]->raise(); // where the values have moved
    const SampleParams& now = params.sampling;
    const QString off = tr("off");
    m_banner->showNotice(tr("This question sets the sampling"),
        tr("Temperature %1, top-k %2, top-p %3: the dice now follow the model's own probabilities.")
            .arg(static_cast<double>(now.temperature))
            .arg(now.topK > 0 ? QString::number(now.topK) : off,
                now.topP < 1.0F ? QString::number(static_cast<double>(now.topP)) : off),
        {}, tr("Set it back"));
}

void MainWindow::setSamplingBack()
{
    m_sampling->setParams(m_beforeStarter);
}

// Once the answer is there, the token it was asked for is selected.
void MainWindow::showWhatItShows(quint64 id)
{
    const StarterKind kind = std::exchange(m_started, StarterKind::Plain);
    const Reply* reply = m_parts.chat.reply(id);
    const int token = reply ? tellingToken(kind, *reply) : -1;
    if (token < 0)
        return;
    m_transcript->selectToken({id, token});
    if (kind != StarterKind::Split)
        m_docks[1]->raise();
}

} // namespace kaikou
