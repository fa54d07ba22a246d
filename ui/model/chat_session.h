#pragma once

#include "ui/model/checkpoint_loader.h"
#include "ui/model/reply_params.h"

#include <QObject>

#include <optional>
#include <string>
#include <vector>

namespace kaikou {

class ChatModel;
class GenerationBridge;

// How the next reply is asked for.
struct Ask
{
    ReplyParams params;
    std::uint64_t seed = 0;
    bool useEarlier = true; // earlier turns are part of the prompt
    std::uint64_t recordLimitBytes = 256ULL << 20;
};

// One conversation with whatever model is open: builds requests, keeps question and answer together, explains
// empty answers. No widgets. GUI thread.
class ChatSession : public QObject
{
    Q_OBJECT

public:
    ChatSession(ChatModel& chat, GenerationBridge& bridge, QObject* parent = nullptr);

    // The model that answers from now on; a running reply of the old one ends as cancelled.
    void setModel(const OpenedModel& model);

    [[nodiscard]] const std::optional<OpenedModel>& model() const noexcept { return m_model; }

    void setFallbackLines(std::vector<std::string> lines);

    // Adds question and empty reply and starts generating; gives the reply's id. On an error nothing is
    // added, so that the text can go back to the composer.
    Result<quint64> ask(const QString& text, const Ask& ask);
    // Another answer to the last question, in the place of the one it has. On an error that one stays.
    Result<quint64> askAgain(const Ask& ask);

    [[nodiscard]] bool replying() const noexcept { return m_running.has_value(); }

    [[nodiscard]] quint64 runningReply() const noexcept { return m_running ? m_running->reply : 0; }

    void stop();
    void newChat();

    // What ask would submit with `draft`; for a PromptPreview.
    [[nodiscard]] Request requestWith(const QString& draft, const Ask& ask) const;
    [[nodiscard]] bool hasQuestion() const;
    [[nodiscard]] QString lastQuestion() const;
    [[nodiscard]] Request requestFor(Turns turns, const Ask& ask) const;

signals:
    void replyStarted(quint64 reply);
    void replyEnded(quint64 reply); // finished, stopped or failed

private:
    struct Running
    {
        Ticket ticket {};
        quint64 reply = 0;
    };

    Result<quint64> submit(const Ask& ask);
    void noteChanges(const Ask& ask);
    void finish(const Finished& finished);
    void fail(const Failed& failed);
    void end();
    void removeLastAnswer();

    ChatModel& m_chat;
    GenerationBridge& m_bridge;
    std::optional<OpenedModel> m_model;
    std::vector<std::string> m_fallback;
    std::optional<Running> m_running;
    QString m_lastFingerprint; // of the model of the last reply
    bool m_lastEarlier = true;
};

} // namespace kaikou
