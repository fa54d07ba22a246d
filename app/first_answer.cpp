#include "app/first_answer.h"

#include "ui/model/chat_model.h"
#include "ui/view/composer.h"
#include "ui/view/main_window.h"
#include "ui/view/transcript_view.h"

#include <QEvent>

namespace kaikou {

FirstAnswer::FirstAnswer(MainWindow& window, const QString& question, Report report)
    : m_report(std::move(report))
{
    window.transcript()->viewport()->installEventFilter(this);
    const ChatModel* chat = window.transcript()->chat();
    connect(chat, &ChatModel::messagesInserted, this, [this, chat](int first) {
        if (chat->at(first).kind == MessageKind::Question)
            m_report("asked");
    });
    connect(chat, &ChatModel::replyGrew, this, [this] {
        if (!std::exchange(m_spoke, true))
            m_report("first token");
    });
    connect(chat, &ChatModel::messageChanged, this, [this, chat](int index) {
        const Message& message = chat->at(index);
        if (message.kind != MessageKind::Answer || message.reply.running())
            return;
        disconnect(chat, nullptr, this, nullptr);
        m_report("finished");
    });
    emit window.composer()->sendRequested(question); // waits in the window until the model is open
}

bool FirstAnswer::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Paint && !std::exchange(m_painted, true))
        m_report("window");
    return QObject::eventFilter(watched, event);
}

} // namespace kaikou
