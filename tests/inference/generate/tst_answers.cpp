// How one answer goes: why it ends, what counts as generated, what is shown, what is refused.
#include "tests/inference/generate/engine_rig.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

#include <cmath>

using namespace kaikou;
using namespace kaikou::test;

namespace {

// Ids of FakeTokenizer::words().
constexpr TokenId kEos = 257;

TokenId idOf(const char* piece)
{
    return FakeTokenizer::words()->encode(piece, {}).at(0);
}

// A model that says these tokens after the prompt [65], whatever came before them.
FakeScript saying(std::vector<TokenId> words)
{
    FakeScript script;
    script.next = [words = std::move(words)](std::span<const TokenId> ids) -> std::optional<TokenId> {
        const std::size_t step = ids.size() - 1;
        return step < words.size() ? std::optional(words[step]) : std::nullopt;
    };
    return script;
}

Request greedy(std::uint32_t maxTokens = 40)
{
    Request request = idsRequest({65}, maxTokens);
    request.sampling.greedy = true;
    request.ignoreEos = false;
    return request;
}

} // namespace

class TstAnswers : public QObject
{
    Q_OBJECT

private slots:
    void endsByEos();
    void endsByStopString();
    void endsByLengthAndContext();
    void releasesOnlyWhatIsFinal();
    void minTokensHoldsBackEosAndStops();
    void teacherStopsAtSuffix();
    void ignoresEosAndUnknownRows();
    void saidGoesOnAsIfNeverInterrupted();
    void saidOpensAStop();
    void teacherPositions();
    void scoreEqualsTheRun();
    void scoreOfWholeText();
    void recordsByTraceLevel();
    void nonFiniteFails();
    void refuses_data();
    void refuses();
    void previewIsSubmit();
    void describesItself();
};

void TstAnswers::endsByEos()
{
    const EngineRig rig(saying({idOf("你"), idOf("好"), kEos}));
    const Outcome outcome = rig.run(greedy());
    QCOMPARE(outcome.started.size(), std::size_t {1});
    QCOMPARE(outcome.started[0].promptTokens, 1U);
    QCOMPARE(outcome.started[0].prompt->ids, std::vector<TokenId> {65});
    const Reply& reply = outcome.only();
    QCOMPARE(reply.tokens.size(), std::size_t {3});
    QCOMPARE(reply.ends.size(), std::size_t {1});
    QCOMPARE(reply.ends[0].reason, FinishReason::Eos);
    QCOMPARE(reply.ends[0].tokens, 2U);
    QCOMPARE(reply.ends[0].metrics.newTokens, 3U);
    QCOMPARE(reply.text(), std::string("你好"));
    QVERIFY(reply.tokens[2].bytes.empty());
    QVERIFY(reply.tokens[2].stats.special);
    QCOMPARE(reply.tokens[1].byteBegin, std::uint64_t {3});
    QCOMPARE(outcome.eventsAfterEnd, 0U);
}

void TstAnswers::endsByStopString()
{
    const EngineRig rig(saying({idOf("水"), idOf("\n\n"), idOf("##"), idOf("# "), idOf("end")}));
    Request request = greedy();
    request.stops.strings = {"\n###", "###"};
    const Reply reply = rig.run(request).only();
    QCOMPARE(reply.ends[0].reason, FinishReason::Stop);
    QCOMPARE(reply.ends[0].stopString, std::string("\n###"));
    QCOMPARE(reply.text(), std::string("水\n"));
    QCOMPARE(reply.ends[0].tokens, 2U); // "##" and "# " are taken back
    QCOMPARE(reply.tokens.size(), std::size_t {4});
    request.stops.keep = true;
    QCOMPARE(rig.run(request).only().text(), std::string("水\n\n###").erase(3, 0));
}

void TstAnswers::endsByLengthAndContext()
{
    FakeScript script;
    script.context = 24;
    const EngineRig rig(script);
    QCOMPARE(rig.run(idsRequest(samplePrompt(1, 8), 5)).only().ends[0].reason, FinishReason::Length);
    const Reply full = rig.run(idsRequest(samplePrompt(1, 8), 0)).only();
    QCOMPARE(full.ends[0].reason, FinishReason::Context);
    QCOMPARE(full.tokens.size(), std::size_t {16});
    QCOMPARE(rig.run(idsRequest(samplePrompt(1, 8), 16)).only().ends[0].reason, FinishReason::Length);
    QCOMPARE(rig.run(idsRequest(samplePrompt(1, 23), 9)).only().tokens.size(), std::size_t {1});
}

void TstAnswers::releasesOnlyWhatIsFinal()
{
    const EngineRig rig(
        saying({idOf("用户"), idOf("好"), idOf("\xF0\x9F"), idOf("\x98\x80"), idOf("用户"), kEos}));
    Request request = greedy();
    request.stops.strings = {"用户:"};
    const Reply reply = rig.run(request).only();
    std::vector<std::uint64_t> released;
    for (const Token& token : reply.tokens)
        released.push_back(token.releasedTo);
    QCOMPARE(released, (std::vector<std::uint64_t> {0, 9, 9, 13, 13, 19}));
    QCOMPARE(reply.text(), std::string("用户好😀用户"));
}

void TstAnswers::minTokensHoldsBackEosAndStops()
{
    FakeScript script = saying({kEos, kEos, idOf("。"), kEos, idOf("。"), kEos});
    const EngineRig rig(script);
    Request request = greedy();
    request.stops.strings = {"。"};
    request.sampling.minTokens = 4;
    const Reply reply = rig.run(request).only();
    QCOMPARE(reply.tokens.size(), std::size_t {5});
    QCOMPARE(reply.tokens[2].id, idOf("。")); // plain text so early
    for (std::size_t i = 0; i < 4; ++i)
        QVERIFY(reply.tokens[i].id != kEos);
    QCOMPARE(reply.ends[0].reason, FinishReason::Stop);
    request.stops.beforeMinTokens = true;
    QCOMPARE(rig.run(request).only().tokens.size(), std::size_t {3});
}

void TstAnswers::teacherStopsAtSuffix()
{
    FakeScript script = saying({idOf("水"), idOf("。"), idOf("火")});
    script.family = Family::GptTeacher;
    const EngineRig rig(script);
    Request request = greedy();
    request.stops.automatic = true;
    request.sampling.semantics = Semantics::GptTeacher;
    request.sampling.minTokens = 5;
    const Reply reply = rig.run(request).only();
    QCOMPARE(reply.ends[0].reason, FinishReason::Stop);
    QCOMPARE(reply.ends[0].stopString, std::string("。"));
    QCOMPARE(reply.text(), std::string("水。")); // the stop stays
    QCOMPARE(reply.ends[0].tokens, 2U);
}

void TstAnswers::ignoresEosAndUnknownRows()
{
    FakeScript script;
    script.vocab = 340; // 40 rows without a token
    script.next = [](std::span<const TokenId> ids) {
        return std::optional<TokenId>(ids.size() % 2 == 0 ? kEos : 320 + ids.size() % 10);
    };
    const EngineRig rig(script);
    Request request = idsRequest({65}, 60);
    for (const bool isGreedy : {true, false}) {
        request.sampling.greedy = isGreedy;
        const Reply reply = rig.run(request).only();
        QCOMPARE(reply.tokens.size(), std::size_t {60});
        for (const Token& token : reply.tokens)
            QVERIFY(token.id < 300 && token.id != kEos);
    }
}

void TstAnswers::saidGoesOnAsIfNeverInterrupted()
{
    const EngineRig rig;
    Request request = idsRequest(samplePrompt(2, 12), 24, 99);
    request.sampling.repetitionPenalty = 1.3F;
    request.sampling.frequencyPenalty = 0.4F;
    request.sampling.minTokens = 8;
    request.sampling.topK = 40;
    request.ignoreEos = false;
    for (const PositionMode mode : {PositionMode::Correct, PositionMode::GptTeacher}) {
        request.positions = mode;
        request.said.clear();
        const Reply whole = rig.run(request).only();
        for (std::size_t cut = 1; cut < whole.tokens.size(); cut += 3) {
            Request rest = request;
            const std::vector<TokenId> ids = whole.ids();
            rest.said.assign(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(cut));
            rest.maxTokens = static_cast<std::uint32_t>(24 - cut);
            const Reply tail = rig.run(rest).only();
            QVERIFY2(sameRun(whole, tail, cut, 0), qPrintable(QString::number(cut)));
            QCOMPARE(tail.ends[0].answerBytes, whole.ends[0].answerBytes);
            QCOMPARE(tail.ends[0].tokens, whole.ends[0].tokens);
            QCOMPARE(tail.ends[0].reason, whole.ends[0].reason);
        }
    }
    QCOMPARE(rig.counters->contractErrors.load(), 0U);
}

void TstAnswers::saidOpensAStop()
{
    const EngineRig rig(saying({idOf("好"), idOf("用户"), idOf("\n"), 58 /* : */}));
    Request request = greedy();
    request.said = {idOf("好"), idOf("用户")};
    request.stops.strings = {"用户\n:"};
    const Reply reply = rig.run(request).only();
    QCOMPARE(reply.tokens.size(), std::size_t {2});
    QCOMPARE(reply.tokens[0].byteBegin, std::uint64_t {9});
    QCOMPARE(reply.tokens[0].releasedTo, std::uint64_t {3});
    QCOMPARE(reply.ends[0].reason, FinishReason::Stop);
    QCOMPARE(reply.ends[0].answerBytes, std::uint64_t {3});
    QCOMPARE(reply.ends[0].tokens, 1U); // one of `said` goes too
}

void TstAnswers::teacherPositions()
{
    std::vector<BatchRow> seen;
    FakeScript script;
    script.family = Family::GptTeacher;
    script.before = [&seen](std::uint32_t, std::span<const BatchRow> rows) {
        seen.insert(seen.end(), rows.begin(), rows.end());
        return Result<void> {};
    };
    {
        const EngineRig rig(script);
        Request request = idsRequest({65, 66, 67}, 4);
        request.said = {70, 71};
        QCOMPARE(rig.run(request).only().tokens.size(), std::size_t {4});
    }
    QCOMPARE(seen.size(), std::size_t {8}); // 3 + 2 + 3: the last token is never computed
    for (std::uint32_t i = 0; i < 8; ++i) {
        QCOMPARE(seen[i].kvRow, i);
        QCOMPARE(seen[i].ropePosition, i < 3 ? i : 2U);
    }
}

void TstAnswers::scoreEqualsTheRun()
{
    for (const Family family : {Family::Llama, Family::GptTeacher}) {
        FakeScript script;
        script.family = family;
        const EngineRig rig(script);
        Request request = idsRequest(samplePrompt(4, 20), 30, 5);
        request.sampling.temperature = 0.8F;
        request.sampling.topP = 0.9F;
        request.sampling.repetitionPenalty = 1.2F;
        const Reply run = rig.run(request).only();
        Request again = request;
        again.mode = Mode::Score;
        again.said = run.ids();
        const Outcome outcome = rig.run(again);
        const Reply& score = outcome.only();
        QVERIFY(sameRun(run, score));
        for (std::size_t i = 0; i < run.tokens.size(); ++i) {
            const TokenStats& a = run.tokens[i].stats;
            const TokenStats& b = score.tokens[i].stats;
            QVERIFY(a.pModel == b.pModel && a.pShaped == b.pShaped && a.pSample == b.pSample && a.u == b.u);
            QVERIFY(a.rank == b.rank && a.entropy == b.entropy && a.kept == b.kept);
            QCOMPARE(score.tokens[i].record->step, run.tokens[i].record->step);
        }
        QCOMPARE(score.ends[0].answerBytes, run.ends[0].answerBytes);
        QCOMPARE(score.ends[0].tokens, 30U);
        again.scoreFrom = 25; // in the middle of said
        QVERIFY(sameRun(run, rig.run(again).only(), 5, 0));
        again.said.push_back(kEos);
        again.scoreFrom = UINT32_MAX;
        QCOMPARE(rig.run(again).only().ends[0].reason, FinishReason::Eos);
        again.said[3] = 0; // a token the dice could hardly give
        const Reply other = rig.run(again).only();
        QVERIFY(other.tokens[3].stats.pModel > 0.0);
    }
}

void TstAnswers::scoreOfWholeText()
{
    const EngineRig rig;
    Request request = idsRequest({idOf("你"), idOf("好"), idOf("水")}, 1);
    request.mode = Mode::Score;
    request.scoreFrom = 0;
    const Reply reply = rig.run(request).only();
    QCOMPARE(reply.ids(), std::get<std::vector<TokenId>>(request.prompt));
    QVERIFY(std::isnan(reply.tokens[0].stats.pModel)); // the first token of a text has no probability
    QCOMPARE(reply.tokens[0].stats.rank, 0U);
    QVERIFY(!reply.tokens[0].record);
    double sum = 0.0;
    for (const float logit : reply.tokens[1].record->logits.f32)
        sum += std::exp(static_cast<double>(logit));
    const double expected = std::exp(double {reply.tokens[1].record->logits.f32[idOf("好")]}) / sum;
    QVERIFY(std::abs(reply.tokens[1].stats.pModel - expected) < 1e-12);
    QCOMPARE(reply.text(), std::string("你好水"));
    request.prompt = std::vector<TokenId> {65};
    const Reply one = rig.run(request).only();
    QCOMPARE(one.tokens.size(), std::size_t {1});
    QCOMPARE(one.ends.size(), std::size_t {1});
}

void TstAnswers::recordsByTraceLevel()
{
    const EngineRig rig;
    Request request = idsRequest(samplePrompt(1, 9), 3);
    request.trace = TraceLevel::Stats;
    QVERIFY(!rig.run(request).only().tokens[0].record);
    request.trace = TraceLevel::Top;
    QCOMPARE(rig.run(request).only().tokens[0].record->logits.form, RecordForm::Top);
    request.trace = TraceLevel::Full;
    const Reply full = rig.run(request).only();
    QCOMPARE(full.tokens[2].record->logits.form, RecordForm::F32);
    QCOMPARE(full.tokens[2].record->step, std::uint64_t {2});
    QCOMPARE(full.tokens[2].record->token, full.tokens[2].id);
    request.maxTokens = 40;
    request.recordLimitBytes = 300 * 40 * 4; // half of it holds f16
    QCOMPARE(rig.run(request).only().tokens[0].record->logits.form, RecordForm::F16);
}

void TstAnswers::nonFiniteFails()
{
    FakeScript script = saying({70, 71, 72, 73});
    script.nanAfter = 72;
    const EngineRig rig(script);
    const Outcome outcome = rig.run(greedy());
    QCOMPARE(outcome.failed.size(), std::size_t {1});
    QCOMPARE(outcome.failed[0].error.code, ErrorCode::NonFiniteLogits);
    QCOMPARE(outcome.only().ids(), (std::vector<TokenId> {70, 71, 72})); // what was said stays valid
    QVERIFY(outcome.only().ends.empty());
    QCOMPARE(rig.run(idsRequest({66, 67, 68, 69, 70}, 4)).only().tokens.size(), std::size_t {4});
}

void TstAnswers::refuses_data()
{
    QTest::addColumn<int>("which");
    QTest::addColumn<int>("code");
    QTest::newRow("no ids") << 0 << int(ErrorCode::PromptEmpty);
    QTest::newRow("id beyond the rows") << 1 << int(ErrorCode::TokenIdRange);
    QTest::newRow("said beyond the rows") << 2 << int(ErrorCode::TokenIdRange);
    QTest::newRow("no choice") << 3 << int(ErrorCode::ParameterRange);
    QTest::newRow("51 choices") << 4 << int(ErrorCode::ParameterRange);
    QTest::newRow("prompt fills the context") << 5 << int(ErrorCode::PromptTooLong);
    QTest::newRow("top_p") << 6 << int(ErrorCode::ParameterRange);
    QTest::newRow("empty stop") << 7 << int(ErrorCode::ParameterRange);
    QTest::newRow("score behind the end") << 8 << int(ErrorCode::ParameterRange);
    QTest::newRow("two choices of a score") << 9 << int(ErrorCode::ParameterRange);
    QTest::newRow("bias of an unknown id") << 10 << int(ErrorCode::TokenIdRange);
}

void TstAnswers::refuses()
{
    QFETCH(int, which);
    Request request = idsRequest({65, 66}, 4);
    const std::vector<std::function<void()>> changes {
        [&] { request.prompt = std::vector<TokenId>(); },
        [&] {
            request.prompt = std::vector<TokenId> {65, 300};
        },
        [&] { request.said = {300}; },
        [&] { request.choices = 0; },
        [&] { request.choices = 51; },
        [&] { request.prompt = samplePrompt(1, 128); },
        [&] { request.sampling.topP = 1.5F; },
        [&] { request.stops.strings = {""}; },
        [&] {
            request.mode = Mode::Score;
            request.scoreFrom = 2;
        },
        [&] {
            request.mode = Mode::Score;
            request.scoreFrom = 0;
            request.choices = 2;
        },
        [&] {
            request.sampling.logitBias = {{300, 1.0F}};
        },
    };
    changes.at(static_cast<std::size_t>(which))();
    const EngineRig rig;
    const Result<Ticket> ticket = rig.service->submit(request, std::make_shared<EventQueue>());
    QVERIFY(!ticket);
    QTEST(int(ticket.error().code), "code");
    QVERIFY(!ticket.error().message.empty());
}

void TstAnswers::previewIsSubmit()
{
    const EngineRig rig;
    Request request = idsRequest({}, 2);
    Turns turns;
    turns.turns = {
        {Role::User, "什么是注意力机制？"}, {Role::Assistant, "the model keeps tokens"}, {Role::User, "好"}};
    for (const Prompt& prompt :
        {Prompt(turns), Prompt(std::string("什么是 model ?")), Prompt(samplePrompt(3, 30))}) {
        request.prompt = prompt;
        const Result<PromptInfo> preview = rig.service->text()->preview(request);
        QVERIFY(preview.ok());
        const Outcome outcome = rig.run(request);
        QCOMPARE(outcome.started.at(0).prompt->ids, preview->ids);
        QCOMPARE(outcome.started[0].prompt->origins.size(), preview->ids.size());
        QCOMPARE(outcome.started[0].prompt->text, preview->text);
    }
    QCOMPARE(rig.service->text()->piece(idOf("好")), std::string_view("好"));
    QVERIFY(rig.service->text()->isSpecial(kEos));
    QCOMPARE(rig.service->text()->specialIds().eos, std::vector<TokenId> {kEos});
}

void TstAnswers::describesItself()
{
    const EngineRig rig;
    const Capabilities capabilities = rig.service->capabilities();
    QCOMPARE(capabilities.model, std::string("fake"));
    QCOMPARE(capabilities.vocab, 300U);
    QCOMPARE(capabilities.context, 128U);
    QCOMPARE(capabilities.slotCount, 8U);
    QCOMPARE(capabilities.form, ChatForm::UserAssistant);
    QVERIFY(capabilities.fullLogits && capabilities.choices && capabilities.seed && capabilities.rawPrompt);
}

KAIKOU_TEST(TstAnswers)

#include "tst_answers.moc"
