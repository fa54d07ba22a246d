#pragma once

#include "ui/model/chat_tree.h"
#include "ui/model/checkpoint_loader.h"
#include "ui/model/reply_params.h"

#include <QObject>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kaikou {

class GenerationBridge;

// How the next reply is asked for.
struct Ask
{
    ReplyParams params;
    std::uint64_t seed = 0;
    bool useEarlier = true; // earlier turns are part of the prompt
    std::uint64_t recordLimitBytes = 256ULL << 20;
};

// One conversation with whatever model is open: builds requests, keeps question and answer together, holds
// the branches that are not on screen, explains empty answers. No widgets. GUI thread.
class ChatSession : public QObject
{
    Q_OBJECT

public:
    ChatSession(ChatModel& chat, GenerationBridge& bridge, QObject* parent = nullptr);

    // The model that answers from now on; a running reply of the old one ends as cancelled.
    void setModel(const OpenedModel& model);

    [[nodiscard]] const std::optional<OpenedModel>& model() const noexcept { return m_model; }

    void setFallbackLines(std::vector<std::string> lines);

    void setSystemPrompt(const QString& text) { m_system = text.toStdString(); } // of every request to come

    // What begins a reply; each gives the reply's id. On an error, here or by replyRefused, the conversation
    // stays as it was, so that the text can go back to the composer. None while replying().
    Result<quint64> ask(const QString& text, const Ask& ask); // at the end
    Result<quint64> askAgain(const Ask& ask); // a variant of the answer to the last question
    Result<quint64> answerAgain(quint64 answer, const Ask& ask); // of any answer; what followed it goes aside
    Result<quint64> askInstead(quint64 question, const QString& text, const Ask& ask); // an edited question
    // A variant that begins with the first `keep` tokens of `answer`, then `next` where it is given.
    Result<quint64> goOn(quint64 answer, int keep, std::optional<TokenId> next, const Ask& ask);

    [[nodiscard]] bool replying() const noexcept { return m_running.has_value(); }

    [[nodiscard]] quint64 runningReply() const noexcept { return m_running ? m_running->reply : 0; }

    void stop();
    void stopNow(); // the reply ends here as stopped; what the model still says of it is not heard
    void newChat();

    // An answer that was made elsewhere (a sample of a self-consistency run): a variant of the last answer
    // when that answers the same question, else at the end with its question. Gives its id; 0 while
    // replying().
    quint64 adopt(const QString& question, Reply reply);

    // Another chat instead of this one: all its messages with their parents, and the last one to show. What
    // is already here with tokens stays as it is here.
    void load(std::vector<std::pair<Message, quint64>> messages, quint64 leaf);
    void show(quint64 variant); // and the newest that follows it
    void showSibling(quint64 message, int step); // -1 = the variant before
    void dropRecords(quint64 reply); // of one that is not on screen

    [[nodiscard]] const ChatTree& tree() const noexcept { return m_tree; }

    // Held: a reply waits for release() before the model gets it (its question goes to disk first).
    void setHeld(bool held) { m_held = held; }

    void release(quint64 reply);

    // What ask would submit with `draft`; for a PromptPreview.
    [[nodiscard]] Request requestWith(const QString& draft, const Ask& ask) const;
    [[nodiscard]] bool hasQuestion() const;
    [[nodiscard]] QString lastQuestion() const;
    [[nodiscard]] Request requestFor(Turns turns, const Ask& ask) const;
    [[nodiscard]] ReplySetup setupOf(const Ask& ask) const; // a model is open

signals:
    void replyPrepared(quint64 reply); // held: waits for release
    // A held reply was refused by the model: `first` and what follows it is gone again, as if it had not been
    // asked; `question` = the words of a new question.
    void replyRefused(quint64 first, const QString& question, const kaikou::Error& error);
    void replyStarted(quint64 reply);
    void replyEnded(quint64 reply); // finished, stopped or failed
    void replyAdopted(quint64 reply);
    void pathChanged(quint64 leaf); // another branch is on screen

private:
    struct Running
    {
        Ticket ticket {}; // 0 = still held
        quint64 reply = 0;
        quint64 question = 0; // that came with it; 0 = it answers one that was there
        Request request; // held only
    };

    // What is different from the conversation as it is.
    struct Beginning
    {
        int cut = 0; // from this message on it goes aside
        std::optional<std::string> question;
        Reply begun; // tokens that the reply begins with
    };

    Result<quint64> begin(Beginning how, const Ask& ask);
    [[nodiscard]] Request requestOf(const Beginning& how, const Ask& ask) const;
    [[nodiscard]] quint64 lastNode() const;
    quint64 addAnswer(Reply reply);
    [[nodiscard]] int answerBegin(int index) const;
    void withdraw(const Error& error);
    void putAside(int first);
    void nameTokens();
    void present(const std::vector<quint64>& ids);
    void countVariants(int first);
    void finish(const Finished& finished);
    void fail(const Failed& failed);
    void end();

    ChatModel& m_chat;
    GenerationBridge& m_bridge;
    ChatTree m_tree;
    std::optional<OpenedModel> m_model;
    std::vector<std::string> m_fallback;
    std::string m_system;
    std::optional<Running> m_running;
    bool m_held = false;
};

} // namespace kaikou
