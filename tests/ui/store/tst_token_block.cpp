#include "tests/support/test_registry.h"
#include "ui/store/token_block.h"

#include <QtCore/QRandomGenerator>
#include <QtTest/QtTest>

#include <bit>

using namespace kaikou;

class TokenBlockTest : public QObject
{
    Q_OBJECT

private:
    // Any bit pattern at all, NaNs with payload included.
    static StoredToken anyToken(QRandomGenerator& dice, int candidates)
    {
        StoredToken token;
        token.id = dice.generate();
        token.byteBegin = dice.generate();
        token.byteLength = static_cast<quint16>(dice.generate());
        token.flags = static_cast<quint16>(dice.generate());
        token.logModel = std::bit_cast<float>(dice.generate());
        token.logShaped = std::bit_cast<float>(dice.generate());
        token.logSample = std::bit_cast<float>(dice.generate());
        token.rank = dice.generate();
        token.entropy = std::bit_cast<float>(dice.generate());
        token.u = std::bit_cast<double>(dice.generate64());
        for (int i = 0; i < candidates; ++i)
            token.top.append({dice.bounded(1000000U), std::bit_cast<float>(dice.generate())});
        return token;
    }

private slots:

    void layoutIsTheDocumentedOne()
    {
        StoredToken token;
        token.id = 0x01020304;
        token.byteBegin = 5;
        token.byteLength = 3;
        token.flags = StoredToken::Forced;
        token.logModel = -0.5F;
        token.logShaped = -1.0F;
        token.logSample = 0.0F;
        token.rank = 2;
        token.entropy = 1.5F;
        token.u = 0.25;
        token.top = {{7, -0.25F}};
        QCOMPARE(encodeTokens({token}).toHex(),
            QByteArray("01000000"
                       "04030201"
                       "05000000"
                       "0300"
                       "0200"
                       "000000bf"
                       "000080bf"
                       "00000000"
                       "02000000"
                       "0000c03f"
                       "000000000000d03f"
                       "07000000"
                       "000080be"));
        StoredToken ten = token;
        ten.top = QList<StoredCandidate>(10, StoredCandidate {1, -1.0F});
        QCOMPARE(encodeTokens({ten, ten}).size(), 4 + 2 * 120);
        QCOMPARE(encodeTokens({}).toHex(), QByteArray("00000000"));
    }

    void roundTripIsBitExact()
    {
        QRandomGenerator dice(7);
        for (int round = 0; round < 200; ++round) {
            QList<StoredToken> tokens;
            const int count = static_cast<int>(dice.bounded(40));
            for (int i = 0; i < count; ++i)
                tokens.append(anyToken(dice, static_cast<int>(dice.bounded(12))));
            const QByteArray bytes = encodeTokens(tokens);
            const auto back = decodeTokens(kTokenBlockFormat, count, bytes);
            QVERIFY(back);
            QCOMPARE(encodeTokens(*back), bytes);
            for (int i = 0; i < count; ++i) {
                QCOMPARE((*back)[i].top.size(), tokens[i].top.size());
                QCOMPARE((*back)[i].id, tokens[i].id);
                QCOMPARE(std::bit_cast<quint64>((*back)[i].u), std::bit_cast<quint64>(tokens[i].u));
            }
        }
    }

    void whatWasNotGivenStaysNotGiven()
    {
        const auto back = decodeTokens(kTokenBlockFormat, 1, encodeTokens({StoredToken {}}));
        QVERIFY(back);
        QVERIFY(std::isnan(back->first().logModel) && std::isnan(back->first().u));
        QCOMPARE(back->first().rank, kNoRank);
    }

    void hostileBytesAreRefused()
    {
        QRandomGenerator dice(11);
        const QByteArray good = encodeTokens({anyToken(dice, 3), anyToken(dice, 3)});
        QVERIFY(decodeTokens(kTokenBlockFormat, 2, good));
        QVERIFY(!decodeTokens(2, 2, good));
        QVERIFY(!decodeTokens(kTokenBlockFormat, 1, good));
        QVERIFY(!decodeTokens(kTokenBlockFormat, -1, good));
        QVERIFY(!decodeTokens(kTokenBlockFormat, qint64 {1} << 62, good));
        for (qsizetype size = 0; size < good.size(); ++size)
            QVERIFY(!decodeTokens(kTokenBlockFormat, 2, good.first(size)));
        QByteArray many = good;
        many.replace(0, 4, QByteArray(4, char(0xFF)));
        QVERIFY(!decodeTokens(kTokenBlockFormat, 2, many));
        for (int round = 0; round < 5000; ++round) {
            QByteArray noise(static_cast<qsizetype>(dice.bounded(300)), '\0');
            for (char& c : noise)
                c = static_cast<char>(dice.bounded(256));
            if (noise.size() > 4 && dice.bounded(2) != 0)
                noise.replace(0, 4, QByteArray::fromHex("01000000"));
            const auto count = static_cast<qint64>(dice.bounded(8));
            if (const auto tokens = decodeTokens(kTokenBlockFormat, count, noise))
                QCOMPARE(tokens->size(), count);
        }
    }
};

KAIKOU_TEST(TokenBlockTest)
#include "tst_token_block.moc"
