#include "tests/support/test_registry.h"
#include "ui/model/params_json.h"
#include "ui/model/presets.h"
#include "ui/model/stored_chat.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

using namespace kaikou;

// Parameters as JSON and as presets, and the titles of chats.
class TstParams : public QObject
{
    Q_OBJECT

private slots:
    void paramsRoundTrip();
    void wrongParamsAreNamed();
    void presets();
    void titles();

private:
    QTemporaryDir m_dir;
};

void TstParams::paramsRoundTrip()
{
    ReplyParams params;
    params.sampling.semantics = Semantics::LlamaCpp;
    params.sampling.temperature = 0.7F;
    params.sampling.greedy = true;
    params.sampling.topK = 40;
    params.sampling.topP = 0.95F;
    params.sampling.minP = 0.05F;
    params.sampling.repetitionPenalty = 1.1F;
    params.sampling.presencePenalty = 0.2F;
    params.sampling.frequencyPenalty = -0.3F;
    params.sampling.repetitionWindow = 64;
    params.sampling.minTokens = 3;
    params.sampling.temperatureLast = true;
    params.sampling.logitBias = {{7, -1.5F}};
    params.sampling.masked = {1, 2};
    params.stops.strings = {"。", "\n"};
    params.stops.match = StopMatch::Suffix;
    params.stops.keep = true;
    params.stops.beforeMinTokens = true;
    params.stops.automatic = false;
    params.positions = PositionMode::Correct;
    params.maxTokens = 77;
    const QJsonObject json = paramsToJson(params);
    QCOMPARE(json.value(QStringLiteral("temperature")).toDouble(), 0.7); // as a person would write it
    QCOMPARE(json.value(QStringLiteral("do_sample")).toBool(), false);
    const auto read = paramsFromJson(json);
    QVERIFY(read.ok());
    QVERIFY(*read == params);
    QVERIFY(*paramsFromJson({}) == ReplyParams {});
}

void TstParams::wrongParamsAreNamed()
{
    const auto error = [](const QString& key, const QJsonValue& value) {
        const auto read = paramsFromJson({{key, value}});
        return read.ok() ? QString() : QString::fromStdString(read.error().message);
    };
    QVERIFY(error(QStringLiteral("top_k"), QStringLiteral("40")).contains(QStringLiteral("top_k")));
    QVERIFY(error(QStringLiteral("top_k"), 4.5).contains(QStringLiteral("top_k")));
    QVERIFY(error(QStringLiteral("min_tokens"), -1).contains(QStringLiteral("min_tokens")));
    QVERIFY(error(QStringLiteral("top_p"), 1.5).contains(QStringLiteral("top_p")));
    QVERIFY(!error(QStringLiteral("semantics"), QStringLiteral("magic")).isEmpty());
    QVERIFY(error(QStringLiteral("stop"), QJsonArray {1}).contains(QStringLiteral("stop")));
    QVERIFY(error(QStringLiteral("unknown"), 1).isEmpty());
}

void TstParams::presets()
{
    const QString folder = m_dir.filePath(QStringLiteral("预设"));
    QVERIFY(presetNames(folder).isEmpty());
    ReplyParams bold;
    bold.sampling.temperature = 1.5F;
    QVERIFY(writePreset(folder, QStringLiteral("大胆"), bold).ok());
    QVERIFY(writePreset(folder, QStringLiteral("小心"), {}).ok());
    QCOMPARE(presetNames(folder).size(), 2);
    QVERIFY(*readPreset(folder, QStringLiteral("大胆")) == bold);
    for (const char* name : {"", "../up", "a/b", ".hidden", "a:b", "tab\tbed"})
        QVERIFY2(!writePreset(folder, QString::fromLatin1(name), {}).ok(), name);
    QFile file(folder + QStringLiteral("/坏.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"temperature\": \"hot\"}");
    file.close();
    QVERIFY(
        readPreset(folder, QStringLiteral("坏")).error().message.find("temperature") != std::string::npos);
    QCOMPARE(readPreset(folder, QStringLiteral("没有")).error().code, ErrorCode::FileRead);
}

void TstParams::titles()
{
    QCOMPARE(titleOf(QStringLiteral("  中国的首都\n是哪里")), QStringLiteral("中国的首都"));
    QCOMPARE(titleOf(QString(50, QChar(u'长'))), QString(40, QChar(u'长')) + QStringLiteral("…"));
    const QString smile = QStringLiteral("😀");
    QCOMPARE(
        titleOf(QString(39, QChar(u'a')) + smile + smile), QString(39, QChar(u'a')) + QStringLiteral("…"));
}

KAIKOU_TEST(TstParams)
#include "tst_params.moc"
