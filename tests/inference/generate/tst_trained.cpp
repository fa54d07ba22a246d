// The trained GPT_teacher checkpoint against what that project's own code says (../shared, where it is
// there).
#include "inference/chat/visible_answer.h"
#include "inference/sample/reshape.h"
#include "tests/inference/generate/cpu_rig.h"
#include "tests/inference/generate/engine_rig.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest/QtTest>

#include <cmath>

using namespace kaikou;
using namespace kaikou::test;

class TstTrained : public QObject
{
    Q_OBJECT

private slots:
    void saysWhatTheOriginalSays_data();
    void saysWhatTheOriginalSays();
};

namespace {

constexpr double kMargin = 5e-3; // below it two engines may choose differently (settled.md 28)

std::vector<TokenId> idsOf(const QJsonValue& value)
{
    std::vector<TokenId> ids;
    for (const QJsonValue& id : value.toArray())
        ids.push_back(static_cast<TokenId>(id.toInt()));
    return ids;
}

// The original's greedy run of this name for this prompt.
Request requestOf(
    const QJsonObject& golden, const QJsonObject& prompt, const QString& positions, const QString& run)
{
    Request request;
    request.prompt = prompt["prompt"].toString().toStdString();
    request.encode = {true, true};
    request.fit = Fit::KeepEnd;
    request.positions = positions == "repo" ? PositionMode::GptTeacher : PositionMode::Correct;
    request.sampling.semantics = Semantics::GptTeacher;
    request.sampling.temperature = 0.0F;
    request.sampling.topK = 50;
    request.sampling.topP = 0.9F;
    request.sampling.repetitionPenalty = run.endsWith("1.0") ? 1.0F : 1.5F;
    request.sampling.minTokens = static_cast<std::uint32_t>(golden["min_tokens"].toInt());
    request.stops.automatic = false;
    request.trace = TraceLevel::Full;
    request.maxTokens = 64;
    if (run.startsWith("free"))
        request.sampling.minTokens = 64;
    if (run == "1.0" || run == "1.5") {
        request.maxTokens = 128;
        request.stops = {{}, StopMatch::Suffix, true, true, false};
        for (const QJsonValue& stop : golden["stop_strings"].toArray())
            request.stops.strings.push_back(stop.toString().toStdString());
    }
    return request;
}

// How much more likely our choice was than theirs, as a difference of shaped logits.
double advantage(const Token& token, TokenId theirs, const Outcome& outcome, std::size_t step)
{
    const std::vector<TokenId> generated = outcome.only().ids();
    const History history {outcome.started[0].prompt->ids, std::span(generated).first(step)};
    SpecialIds special;
    special.bos = 0;
    special.eos = {1};
    special.pad = 2;
    special.unk = 3;
    const Result<Explained> explained
        = reshape(token.record->logits, *token.record->params, history, step, special, token.stats.u);
    if (!explained)
        return INFINITY;
    return std::log(explained->pShaped[token.id] / explained->pShaped[theirs]);
}

// Empty = equal as far as equality is promised.
QString compareRun(const Outcome& outcome, const QJsonObject& golden)
{
    const Reply& reply = outcome.only();
    const std::vector<TokenId> ids = reply.ids();
    const std::vector<TokenId> theirs = idsOf(golden["ids"]);
    const QJsonArray confidence = golden["token_confidence"].toArray();
    for (std::size_t i = 0; i < std::min(ids.size(), theirs.size()); ++i) {
        if (ids[i] != theirs[i]) {
            const double won = advantage(reply.tokens[i], theirs[i], outcome, i);
            return golden["smallest_margin"].toDouble() < kMargin && won < kMargin
                ? QString()
                : QStringLiteral("token %1 is %2, not %3 (by %4)").arg(i).arg(ids[i]).arg(theirs[i]).arg(won);
        }
        const double expected = confidence[static_cast<qsizetype>(i)].toDouble();
        if (std::abs(reply.tokens[i].stats.pShaped - expected) > 1e-3)
            return QStringLiteral("confidence of token %1 is %2, not %3")
                .arg(i)
                .arg(reply.tokens[i].stats.pShaped)
                .arg(expected);
    }
    if (ids.size() != theirs.size())
        return QStringLiteral("%1 tokens, not %2").arg(ids.size()).arg(theirs.size());
    const std::string text = visibleAnswer(reply.text(), Family::GptTeacher);
    if (text != golden["text"].toString().toStdString())
        return QStringLiteral("text is ") + QString::fromStdString(text);
    return {};
}

} // namespace

void TstTrained::saysWhatTheOriginalSays_data()
{
    QTest::addColumn<QString>("positions");
    QTest::addColumn<QString>("file");
    QTest::newRow("repo, best.pt") << "repo"
                                   << "best.pt";
    QTest::newRow("corrected, best.pt") << "corrected"
                                        << "best.pt";
    QTest::newRow("repo, best.safetensors") << "repo"
                                            << "best.safetensors";
}

void TstTrained::saysWhatTheOriginalSays()
{
    if (!sharedDir())
        QSKIP("the trained checkpoint is not beside this checkout");
    QFETCH(QString, positions);
    QFETCH(QString, file);
    QFile json(QString::fromStdString((*sharedDir() / "goldens/gpt_teacher.json").string()));
    QVERIFY(json.open(QIODevice::ReadOnly));
    const QJsonObject golden = QJsonDocument::fromJson(json.readAll()).object();
    const auto service = cpuService(*sharedDir() / "models/gpt_teacher" / file.toStdString());
    QVERIFY(service.ok());
    Collector collector;
    int runs = 0;
    for (const QJsonValue& value : golden["prompts"].toArray()) {
        const QJsonObject prompt = value.toObject();
        const QJsonObject expected = prompt[positions].toObject();
        std::map<QString, Ticket> tickets; // all runs of a prompt share batches and prefixes
        for (const QString& run : expected.keys()) {
            const Request request = requestOf(golden, prompt, positions, run);
            const Result<Ticket> ticket = (*service)->submit(request, collector.queue);
            QVERIFY2(ticket.ok(), qPrintable(prompt["id"].toString() + ' ' + run));
            tickets[run] = *ticket;
        }
        for (const auto& [run, ticket] : tickets) {
            QVERIFY(collector.untilEnded(ticket));
            const Outcome& outcome = collector.outcomes[ticket];
            const QJsonValue used = prompt["used_ids"];
            QCOMPARE(outcome.started.at(0).prompt->ids, idsOf(used.isNull() ? prompt["prompt_ids"] : used));
            const QString difference = compareRun(outcome, expected[run].toObject());
            QVERIFY2(
                difference.isEmpty(), qPrintable(prompt["id"].toString() + ' ' + run + ": " + difference));
            ++runs;
        }
    }
    QVERIFY(runs >= 40);
}

KAIKOU_TEST(TstTrained)

#include "tst_trained.moc"
