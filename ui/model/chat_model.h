#pragma once

#include "ui/model/reply.h"

#include <QList>
#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <vector>

namespace kaikou {

enum class MessageKind
{
    Question, // the user's words
    Answer,
    Note // the program speaks about the conversation
};

enum class NoteKind
{
    ModelChanged, // detail = name of the model that answers from here on
    EarlierTurnsOff, // the next question was asked alone
    Problem // detail = translated sentence
};

struct Note
{
    NoteKind kind = NoteKind::Problem;
    QString detail;
};

// One entry of the transcript. Only the member that belongs to `kind` is set.
struct Message
{
    quint64 id = 0; // never reused within a process; ascends along the conversation
    MessageKind kind = MessageKind::Question;
    std::string text; // Question: UTF-8
    Reply reply;
    Note note;
    int variant = 1, variants = 1; // "2 of 3" among those that answer, or ask, at the same place
};

// The conversation on screen as values. GUI thread only; fed by the bridge's signals (choice 0 of tickets it
// knows, all others are ignored).
class ChatModel : public QObject
{
    Q_OBJECT

public:
    explicit ChatModel(QObject* parent = nullptr);

    // Where ids come from, each greater than the one before. Without it: 1, 2, 3 …
    void setIds(std::function<quint64()> next) { m_next = std::move(next); }

    [[nodiscard]] int count() const { return static_cast<int>(m_messages.size()); }

    [[nodiscard]] const Message& at(int index) const { return m_messages[static_cast<std::size_t>(index)]; }

    [[nodiscard]] int indexOf(quint64 id) const; // -1 = not there
    [[nodiscard]] const Reply* reply(quint64 id) const; // null = not an answer
    // The answer to the last question, the one that may be generated again; 0 = there is none.
    [[nodiscard]] quint64 lastAnswer() const;

    quint64 addQuestion(std::string text);
    quint64 addNote(Note note);
    // For an answer that add() brings in; the two ids below it stay free, for notes that stand before it.
    quint64 newReplyId();
    // The reply listens to the events of `ticket` from now on.
    void attach(quint64 reply, Ticket ticket);
    quint64 beginReply(Ticket ticket, ReplySetup setup); // an empty one
    void setVariant(int index, int variant, int variants);
    // Shown instead of an empty reply, marked as not the model's words. Empty text withdraws it.
    void setFallback(quint64 reply, QString sentence);
    // The record store has let go of the logits of these replies; statistics stay.
    void dropRecords(quint64 reply);
    // Names the tokens of replies that this model (its fingerprint) wrote.
    void useText(const QString& fingerprint, const std::shared_ptr<const TextModel>& text);
    // The logits of a reply's tokens came back; the dice and all else stay as they were.
    void setRecords(quint64 reply, const std::vector<std::shared_ptr<const StepRecord>>& records);
    void remove(int first, int number); // their tickets are forgotten
    void clear();
    // Moves the end of the conversation out and in again; running replies go on listening to nobody.
    [[nodiscard]] std::vector<Message> take(int first);
    void add(std::vector<Message> messages);

    // The turns of the next request. With `useEarlier` off only the last question. Failed, empty and fallback
    // replies stay out together with their question; of several replies to one question the last good one
    // counts. end: only the messages before this index.
    [[nodiscard]] Turns turns(bool useEarlier, std::string system = {}, int end = -1) const;
    // The turns of a request that would ask `question` behind all that is there.
    [[nodiscard]] Turns turnsWith(std::string question, bool useEarlier, int end = -1) const;

    // The end of a reply that has no ticket (yet).
    void finishReply(quint64 reply, const Finished& finished);
    void failReply(quint64 reply, const Error& error);

public slots:
    void start(const kaikou::Started& started);
    void append(const QList<kaikou::Token>& tokens);
    void finish(const kaikou::Finished& finished);
    void fail(const kaikou::Failed& failed);

signals:
    void messagesInserted(int first, int number);
    void messagesRemoved(int first, int number);
    void replyGrew(int index, int firstToken); // tokens from firstToken on are new; releasedTo may have moved
    void messageChanged(int index); // state, numbers or notes, not the text so far
    void reset();

private:
    quint64 insert(Message message);
    quint64 nextId();
    int indexOfTicket(Ticket ticket) const;
    [[nodiscard]] std::vector<Turn> answered(bool lastToo, int end) const;

    std::vector<Message> m_messages;
    std::map<Ticket, quint64> m_running;
    std::function<quint64()> m_next;
    quint64 m_lastId = 0;
};

} // namespace kaikou
