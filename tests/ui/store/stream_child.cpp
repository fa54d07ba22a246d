// Streams replies into a store until it is killed: stream_child PATH SEED. Says on stdout, unbuffered, what
// it handed over ("posted REPLY TOKENS") and what the store promised to keep ("asked CHAT QUESTION REPLY",
// "written REPLY TOKENS", "finished REPLY TOKENS").
#include "tests/ui/store/sample_rows.h"
#include "ui/store/chat_store.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QHash>
#include <QtCore/QRandomGenerator>
#include <QtCore/QTimer>

#include <unistd.h>

using namespace kaikou;

namespace {

void say(const QByteArray& line)
{
    const QByteArray whole = line + '\n';
    if (::write(STDOUT_FILENO, whole.constData(), static_cast<size_t>(whole.size())) < 0)
        ::_exit(3);
}

class Streamer
{
public:
    Streamer(const QString& path, quint32 seed)
        : m_store(path)
        , m_dice(seed)
    {
        QObject::connect(
            &m_store, &ChatStore::written, [this](quint64 number) { say(m_promises.take(number)); });
        QObject::connect(&m_timer, &QTimer::timeout, [this] { step(); });
        m_timer.start(20);
    }

private:
    void step()
    {
        if (m_reply == 0)
            ask();
        else if (m_dice.bounded(12) == 0)
            finish();
        else
            grow();
    }

    void ask()
    {
        std::optional<StoredChat> chat;
        if (m_chat == 0) {
            m_chat = m_store.newId();
            chat = test::sampleChat(m_chat, QStringLiteral("kill"));
        }
        const qint64 question = m_store.newId();
        m_reply = m_store.newId();
        m_tokens = 0;
        const quint64 number = m_store.ask(chat,
            {test::question(question, m_chat, m_leaf, "sent " + QByteArray::number(question)),
                test::openReply(m_reply, m_chat, question)});
        m_leaf = m_reply;
        m_promises.insert(number,
            "asked " + QByteArray::number(m_chat) + ' ' + QByteArray::number(question) + ' '
                + QByteArray::number(m_reply));
    }

    void grow()
    {
        const int more = 1 + static_cast<int>(m_dice.bounded(40));
        const quint64 number = m_store.checkpoint(test::part(m_reply, m_tokens, more));
        m_tokens += more;
        const QByteArray where = QByteArray::number(m_reply) + ' ' + QByteArray::number(m_tokens);
        m_promises.insert(number, "written " + where);
        say("posted " + where);
    }

    void finish()
    {
        const quint64 number = m_store.finish({test::part(m_reply, m_tokens, 0), StoredState::Complete,
            StoredStop::Eos, -1, *test::openReply(m_reply, m_chat, 0).run});
        m_promises.insert(
            number, "finished " + QByteArray::number(m_reply) + ' ' + QByteArray::number(m_tokens));
        m_reply = 0;
    }

    ChatStore m_store;
    QRandomGenerator m_dice;
    QTimer m_timer;
    QHash<quint64, QByteArray> m_promises;
    qint64 m_chat = 0, m_leaf = 0, m_reply = 0;
    int m_tokens = 0;
};

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication app(argc, argv);
    if (argc != 3)
        return 2;
    const Streamer streamer(QString::fromLocal8Bit(argv[1]), QByteArray(argv[2]).toUInt());
    return QCoreApplication::exec();
}
