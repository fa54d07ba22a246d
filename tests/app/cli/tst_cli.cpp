#include "tests/support/paths.h"
#include "tests/support/test_registry.h"

#include <cmath>
#include <csignal>

namespace {

struct Outcome
{
    int code = -1;
    QByteArray out, error;

    [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

Outcome run(const QStringList& arguments)
{
    QProcess process;
    process.start(QStringLiteral(KAIKOU_CLI), arguments);
    process.closeWriteChannel();
    process.waitForFinished(120000);
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QString model()
{
    return QString::fromStdString(kaikou::test::modelPath("gpt_teacher/out/best.safetensors").string());
}

// The trained checkpoint answers this bare question with a full stop: nothing is left to show.
void leadIsNotPrinted(const QString& trained)
{
    const QStringList ask {"generate", trained, "--prompt", "什么是注意力机制？", "--temperature", "0"};
    const QJsonObject json = run(ask + QStringList {"--json"}).json();
    QCOMPARE(json["text"].toString(), QString());
    QCOMPARE(json["stop_string"].toString(), QStringLiteral("。"));
    QCOMPARE(json["tokens"].toArray().size(), 1);
    QCOMPARE(run(ask).out, QByteArray("\n"));
}

} // namespace

// kaikou-cli as other programs see it: exit codes, JSON, error lines.
class TstCli : public QObject
{
    Q_OBJECT

private slots:
    void exitCodes_data();
    void exitCodes();
    void errorsAreOneLine();
    void fullOutputIsAnError();
    void nothingScoredHasNoLoss();
    void interruptKeepsWhatIsThere();
    void distributionEqualsTheTables_data();
    void distributionEqualsTheTables();
    void inspectNamesTheModel();
    void tokenizeAndBack();
    void sameSeedSameAnswer();
    void batchOfSamplesEqualsSingleRuns();
    void generateSaysWhatTheOriginalSays();
    void onlyRawTeacherPromptsAreCut();
    void optionsWithoutEffectAreNamed_data();
    void optionsWithoutEffectAreNamed();
};

void TstCli::exitCodes_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::newRow("help") << QStringList {"--help"} << 0;
    QTest::newRow("version") << QStringList {"--version"} << 0;
    QTest::newRow("nothing") << QStringList {} << 2;
    QTest::newRow("unknown command") << QStringList {"sing"} << 2;
    QTest::newRow("unknown option") << QStringList {"inspect", model(), "--louder"} << 2;
    QTest::newRow("missing file") << QStringList {"inspect", "/nowhere/best.pt"} << 1;
    QTest::newRow("top_p out of range")
        << QStringList {"generate", model(), "--prompt", "你好", "--top-p", "2"} << 1;
    QTest::newRow("temperature below 0")
        << QStringList {"generate", model(), "--prompt", "你好", "--temperature", "-1"} << 1;
    QTest::newRow("more tokens than allowed") << QStringList {"generate", model(), "--prompt", "你好",
        "--min-new-tokens", "9", "--max-new-tokens", "5"}
                                              << 1;
    QTest::newRow("context beyond the model's")
        << QStringList {"inspect", model(), "--context", "999999"} << 1;
    QTest::newRow("one model to compare")
        << QStringList {"compare", "--models", model(), "--prompts", "/dev/null"} << 1;
    QTest::newRow("negative seed") << QStringList {"generate", model(), "--prompt", "你好", "--seed", "-1"}
                                   << 2;
    QTest::newRow("seed beyond 64 bits")
        << QStringList {"generate", model(), "--prompt", "你好", "--seed", "18446744073709551616"} << 2;
    QTest::newRow("largest seed") << QStringList {"generate", model(), "--prompt", "你好", "--seed",
        "18446744073709551615"} << 0;
    QTest::newRow("no tokens at all")
        << QStringList {"generate", model(), "--prompt", "你好", "--max-new-tokens", "0"} << 2;
    QTest::newRow("no ids") << QStringList {"logits", model(), "--ids", ""} << 2;
    QTest::newRow("threads out of range") << QStringList {"inspect", model(), "--threads", "100000"} << 2;
    QTest::newRow("id out of range") << QStringList {"logits", model(), "--ids", "999999"} << 1;
    QTest::newRow("inspect") << QStringList {"inspect", model()} << 0;
    QTest::newRow("devices") << QStringList {"devices"} << 0;
}

void TstCli::exitCodes()
{
    QFETCH(QStringList, arguments);
    QTEST(run(arguments).code, "code");
}

void TstCli::errorsAreOneLine()
{
    const Outcome outcome = run({"inspect", "/nowhere/best.pt", "--json"});
    const QList<QByteArray> lines = outcome.error.trimmed().split('\n');
    QCOMPARE(lines.size(), 2); // the line, and the object that --json asks for
    QVERIFY(lines[0].startsWith("error: "));
    QCOMPARE(lines[0].count(" — "), 2);
    const QJsonObject error = QJsonDocument::fromJson(lines[1]).object()["error"].toObject();
    QCOMPARE(error["code"].toInt(), 101);
    QCOMPARE(error["where"].toString(), QStringLiteral("/nowhere/best.pt"));
    QVERIFY(outcome.out.isEmpty());
}

// Rows of the sampling reference: A03, A10 and A13 (GPT_teacher), B01.
// /dev/full takes nothing: the answer is lost, and the exit code says so.
void TstCli::fullOutputIsAnError()
{
    QProcess process;
    process.setStandardOutputFile(QStringLiteral("/dev/full"));
    process.start(QStringLiteral(KAIKOU_CLI), {"inspect", model()});
    QVERIFY(process.waitForFinished(120000));
    QCOMPARE(process.exitCode(), 1);
    const QByteArray error = process.readAllStandardError();
    QVERIFY2(error.contains("error: ") && error.contains("stdout"), error);
}

void TstCli::nothingScoredHasNoLoss()
{
    const Outcome one = run({"score", model(), "--ids", "5", "--json"});
    QCOMPARE(one.code, 0);
    QVERIFY(one.json().value("loss").isNull() && one.json().value("perplexity").isNull());
    const Outcome two = run({"score", model(), "--ids", "5,6", "--json"});
    QVERIFY(two.json().value("loss").toDouble() > 0.0);
}

// Ctrl+C while a set is asked: exit code 130, and a summary of the rows that were answered.
void TstCli::interruptKeepsWhatIsThere()
{
    QTemporaryFile set;
    QVERIFY(set.open());
    for (int row = 0; row < 20000; ++row)
        set.write("{\"prompt\":\"你好\"}\n");
    set.close();
    QProcess process;
    process.start(QStringLiteral(KAIKOU_CLI), {"eval", model(), "--set", set.fileName(), "--json"});
    QVERIFY(process.waitForStarted(120000));
    QTest::qWait(1500);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(120000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 130);
    const QJsonObject summary = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    QVERIFY(summary.contains("n") && summary.value("n").toInt() < 20000);
}

void TstCli::distributionEqualsTheTables_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QList<double>>("expected");
    QTest::newRow("A03") << QStringList {"--temperature", "0.7"}
                         << QList<double> {.762865, .182821, .043813, .010500};
    QTest::newRow("A10") << QStringList {"--top-p", "0.9"} << QList<double> {.665241, .244728, .090031, 0};
    QTest::newRow("A10 gpt_teacher") << QStringList {"--top-p", "0.9", "--semantics", "gpt_teacher"}
                                     << QList<double> {.731059, .268941, 0, 0};
    QTest::newRow("A13 llama.cpp") << QStringList {"--top_p", "0.9", "--temperature", "2", "--semantics",
        "llama.cpp"} << QList<double> {.506480, .307196, .186324, 0};
    QTest::newRow("B01") << QStringList {"--history", "0", "--repetition_penalty", "1.5"}
                         << QList<double> {.481440, .344967, .126906, .046686};
}

void TstCli::distributionEqualsTheTables()
{
    QFETCH(QStringList, options);
    QFETCH(QList<double>, expected);
    const Outcome outcome = run(QStringList {"distribution", "--logits", "2,1,0,-1", "--json"} + options);
    const QJsonArray sampled = outcome.json()["p_sample"].toArray();
    QCOMPARE(sampled.size(), expected.size());
    for (qsizetype i = 0; i < expected.size(); ++i)
        QVERIFY2(std::abs(sampled[i].toDouble() - expected[i]) < 1e-6, outcome.out.constData());
}

void TstCli::inspectNamesTheModel()
{
    const QJsonObject card = run({"inspect", model(), "--json"}).json();
    QCOMPARE(card["architecture"].toString(), QStringLiteral("gpt_teacher"));
    QVERIFY(card["parameters"].toInt() > 0);
    QCOMPARE(card["chat"].toObject()["form"].toString(), QStringLiteral("user-assistant"));
}

void TstCli::tokenizeAndBack()
{
    const QJsonObject result = run({"tokenize", model(), "--text", "注意力机制", "--json"}).json();
    QStringList ids;
    for (const QJsonValue id : result["ids"].toArray())
        ids += QString::number(id.toInt());
    QVERIFY(!ids.isEmpty());
    const QJsonObject back = run({"detokenize", model(), "--ids", ids.join(','), "--json"}).json();
    QCOMPARE(back["text"].toString(), QStringLiteral("注意力机制"));
}

void TstCli::sameSeedSameAnswer()
{
    const QStringList ask {"generate", model(), "--chat", "--prompt", "你好", "--temperature", "1", "--seed",
        "7", "--max-new-tokens", "12", "--json"};
    const QJsonObject first = run(ask).json();
    const QJsonObject second = run(ask + QStringList {"--threads", "1"}).json();
    QVERIFY(!first["tokens"].toArray().isEmpty());
    QCOMPARE(first["tokens"], second["tokens"]); // every probability too: bits do not depend on threads
}

void TstCli::batchOfSamplesEqualsSingleRuns()
{
    const QStringList options {"--temperature", "1", "--max-new-tokens", "8", "--json"};
    const QJsonObject batch
        = run(QStringList {"check", model(), "--prompt", "你好", "--samples", "3", "--seed", "40"} + options)
              .json();
    const QJsonArray samples = batch["samples"].toArray();
    QCOMPARE(samples.size(), 3);
    for (int i = 0; i < 3; ++i) {
        const QJsonObject single = run(
            QStringList {"generate", model(), "--chat", "--prompt", "你好", "--seed", QString::number(40 + i)}
            + options)
                                       .json();
        QCOMPARE(samples[i].toObject()["text"], single["text"]);
    }
}

// The original's generate() on the random model: greedy, with both penalties, text with U+FFFD where bytes
// are no characters.
void TstCli::generateSaysWhatTheOriginalSays()
{
    QFile file(QString::fromStdString(
        (kaikou::test::sourceDir() / "tests/golden/models/gpt_teacher/pt.golden.json").string()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    int compared = 0;
    for (const QJsonValue value : QJsonDocument::fromJson(file.readAll()).object()["generate"].toArray()) {
        const QJsonObject golden = value.toObject();
        if (!golden["stop_strings"].isNull())
            continue;
        const QStringList ask {"generate", model(), "--chat", "--raw", "--prompt",
            golden["prompt"].toString(), "--temperature", "0", "--repetition-penalty",
            QString::number(golden["repetition_penalty"].toDouble()), "--max-new-tokens", "32"};
        QCOMPARE(run(ask + QStringList {"--json"}).json()["text"], golden["text"]);
        QCOMPARE(QString::fromUtf8(run(ask).out), golden["text"].toString() + '\n');
        ++compared;
    }
    QVERIFY(compared >= 6);
    if (const auto shared = kaikou::test::sharedDir())
        leadIsNotPrinted(QString::fromStdString((*shared / "models/gpt_teacher/best.pt").string()));
}

void TstCli::onlyRawTeacherPromptsAreCut()
{
    const QStringList ask {"generate", model(), "--prompt", QStringLiteral("温度").repeated(200),
        "--max-new-tokens", "1", "--json"};
    const Outcome refused = run(ask);
    QCOMPARE(refused.code, 1);
    QVERIFY(refused.error.contains("201 positions"));
    QCOMPARE(run(ask + QStringList {"--raw", "--semantics", "standard"}).code, 1);
    const QJsonObject cut = run(ask + QStringList {"--raw", "--semantics", "gpt_teacher"}).json();
    const auto context = run({"inspect", model(), "--json"}).json()["context"].toInt();
    QCOMPARE(cut["prompt_ids"].toArray().size(), context - 1);
    QVERIFY(cut["prompt_ids"].toArray()[0].toInt() != 0); // BOS went too
}

void TstCli::optionsWithoutEffectAreNamed_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("notes");
    const auto nothing = [](const char* option, const char* semantics) {
        return QByteArray("note: ") + option + " does nothing under " + semantics + " semantics\n";
    };
    QTest::newRow("gpt_teacher is the model's") << QStringList {"--min-p", "0.1", "--presence-penalty",
        "1"} << nothing("--min-p", "gpt_teacher") + nothing("--presence-penalty", "gpt_teacher");
    QTest::newRow("litgpt") << QStringList {"--semantics", "litgpt", "--repetition-penalty", "1.2",
        "--frequency-penalty",
        "0.5"} << nothing("--repetition-penalty", "litgpt") + nothing("--frequency-penalty", "litgpt");
    QTest::newRow("vllm") << QStringList {"--semantics", "vllm", "--temperature-last"}
                          << nothing("--temperature-last", "vllm");
    QTest::newRow("litgpt at 0")
        << QStringList {"--semantics", "litgpt", "--temperature", "0"}
        << QByteArray("note: --temperature 0 samples at temperature 1 under litgpt semantics "
                      "while --top-p is above 0; --greedy takes the most likely token\n");
    QTest::newRow("litgpt greedy") << QStringList {"--semantics", "litgpt", "--temperature", "0", "--greedy"}
                                   << QByteArray();
    QTest::newRow("switched off") << QStringList {"--min-p", "0", "--presence-penalty", "0"} << QByteArray();
    QTest::newRow("known") << QStringList {"--semantics", "standard", "--min-p", "0.1",
        "--repetition-penalty", "1.2"}
                           << QByteArray();
    QTest::newRow("quiet") << QStringList {"--min-p", "0.1", "--quiet"} << QByteArray();
}

void TstCli::optionsWithoutEffectAreNamed()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, notes);
    const QStringList ask {
        "generate", model(), "--chat", "--prompt", "你好", "--max-new-tokens", "1", "--json"};
    const Outcome outcome = run(ask + options);
    QCOMPARE(outcome.code, 0);
    QCOMPARE(outcome.error, notes);
}

KAIKOU_TEST(TstCli)
#include "tst_cli.moc"
