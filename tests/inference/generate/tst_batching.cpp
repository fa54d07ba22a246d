// Alone, in a batch, after a cache hit, in chunks: the same bits (B1, B3–B6, B12, B13), and who runs when.
#include "inference/generate/batch_builder.h"
#include "tests/inference/generate/engine_rig.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>
#include <set>

using namespace kaikou;
using namespace kaikou::test;

class TstBatching : public QObject
{
    Q_OBJECT

private slots:
    void batchEqualsSingle();
    void prefixHitEqualsCold();
    void chunksEqualWhole();
    void ownersNeverShare();
    void secretsStay();
    void choicesShareOnePrompt();
    void manyChoicesFollowOnFreedSlots();
    void equalPromptsWaitForTheFirst();
    void shortPrefixesDoNotWait();
    void sameSeedAnywhere();
    void decodeGoesOnDuringPrefill();
    void slotOfTheWindow();
    void ownersTakeTurns();
    void longChatSurvivesAShortOne();
    void shorterCopiesAreFilledUp();
    void chunksShrinkToTheStepLimit();
};

namespace {

// Submits all, in this order, and waits for all.
std::vector<Reply> runTogether(const EngineRig& rig, const std::vector<Request>& requests)
{
    Collector collector;
    std::vector<Ticket> tickets;
    for (const Request& request : requests)
        tickets.push_back(rig.service->submit(request, collector.queue).value());
    std::vector<Reply> replies;
    for (const Ticket ticket : tickets) {
        if (!collector.untilEnded(ticket))
            return {};
        replies.push_back(collector.outcomes[ticket].only());
    }
    return replies;
}

std::vector<Request> sampleRequests(std::uint32_t count, std::uint32_t tokens)
{
    std::vector<Request> requests;
    for (std::uint32_t i = 0; i < count; ++i) {
        Request request = idsRequest(samplePrompt(i, 4 + i * 7 % 40), tokens, 1000 + i);
        request.sampling.temperature = 0.9F;
        request.sampling.repetitionPenalty = i % 2 == 0 ? 1.0F : 1.2F;
        request.positions = i % 4 == 3 ? PositionMode::GptTeacher : PositionMode::Correct;
        requests.push_back(std::move(request));
    }
    return requests;
}

} // namespace

void TstBatching::batchEqualsSingle()
{
    const std::uint32_t prompts = longRun() ? 200 : 20;
    const std::uint32_t tokens = longRun() ? 64 : 16;
    std::vector<Request> requests = sampleRequests(prompts, tokens);
    std::vector<Reply> alone;
    for (std::size_t i = 0; i < requests.size(); ++i)
        alone.push_back(EngineRig().run(requests[i]).only());
    std::mt19937 random(7); // NOLINT: a fixed order
    for (const std::uint32_t batch :
        longRun() ? std::vector<std::uint32_t> {1, 2, 3, 5, 8} : std::vector<std::uint32_t> {1, 3, 8}) {
        for (int order = 0; order < (longRun() ? 3 : 2); ++order) {
            FakeScript script;
            script.slotCount = batch;
            const EngineRig rig(script);
            std::vector<std::size_t> permutation(requests.size());
            std::iota(permutation.begin(), permutation.end(), 0U);
            if (order > 0)
                std::shuffle(permutation.begin(), permutation.end(), random);
            std::vector<Request> ordered;
            for (const std::size_t i : permutation)
                ordered.push_back(requests[i]);
            const std::vector<Reply> together = runTogether(rig, ordered);
            QCOMPARE(together.size(), requests.size());
            for (std::size_t i = 0; i < permutation.size(); ++i)
                QVERIFY2(
                    sameRun(alone[permutation[i]], together[i]), qPrintable(QString::number(permutation[i])));
            QCOMPARE(rig.counters->contractErrors.load(), 0U);
        }
    }
}

void TstBatching::prefixHitEqualsCold()
{
    const std::uint32_t prompts = longRun() ? 50 : 6;
    for (std::uint32_t p = 0; p < prompts; ++p) {
        const std::vector<TokenId> full = samplePrompt(p, 24);
        const Request request = idsRequest(full, 6, p);
        const Reply cold = EngineRig().run(request).only();
        for (std::size_t cut = 1; cut <= full.size(); ++cut) {
            const EngineRig rig;
            Request first = request; // shares exactly `cut` ids
            auto& ids = std::get<std::vector<TokenId>>(first.prompt);
            ids.resize(cut);
            ids.push_back(cut < full.size() && full[cut] == 66 ? 67 : 66);
            QVERIFY(rig.run(first).ended());
            const Outcome warm = rig.run(request);
            QVERIFY2(sameRun(cold, warm.only()), qPrintable(QString::number(cut)));
            const auto expected = static_cast<std::uint32_t>(std::min(cut, full.size() - 1));
            QCOMPARE(warm.started[0].cachedTokens, expected);
            QCOMPARE(warm.only().ends[0].metrics.cachedTokens, expected);
        }
    }
}

void TstBatching::chunksEqualWhole()
{
    std::vector<Reply> replies;
    for (const std::uint32_t chunk : {1U, 7U, 16U, 64U, 128U}) {
        SchedulerOptions options;
        options.engine.batch.prefillRows = chunk;
        options.engine.batch.minPrefillRows = 1;
        const EngineRig rig({}, options);
        replies.push_back(rig.run(idsRequest(samplePrompt(5, 100), 8)).only());
        QCOMPARE(rig.counters->rows.load(), 107U);
        QCOMPARE(rig.counters->largestStep.load(), std::min(chunk, 100U));
        QVERIFY(sameRun(replies.front(), replies.back()));
    }
}

void TstBatching::ownersNeverShare()
{
    const EngineRig rig;
    Request request = idsRequest(samplePrompt(1, 30), 4);
    QCOMPARE(rig.run(request).started[0].cachedTokens, 0U);
    QCOMPARE(rig.run(request).started[0].cachedTokens, 29U);
    request.owner = {5, true};
    QCOMPARE(rig.run(request).started[0].cachedTokens, 0U);
    request.owner = {6, true};
    QCOMPARE(rig.run(request).started[0].cachedTokens, 0U);
    request.owner = {5, true};
    QCOMPARE(rig.run(request).started[0].cachedTokens, 29U);
    request.positions = PositionMode::GptTeacher; // prompt rows are the same in both modes
    QCOMPARE(rig.run(request).started[0].cachedTokens, 29U);
    const Reply said = rig.run(request).only();
    request.said = said.ids();
    const std::uint32_t before = rig.counters->rows;
    QVERIFY(rig.run(request).ended());
    QCOMPARE(rig.counters->rows - before, 4U); // 33 of 34 rows were there, three more are drawn from
    request.positions = PositionMode::Correct; // rows of said stand elsewhere now
    const std::uint32_t again = rig.counters->rows;
    QVERIFY(rig.run(request).ended());
    QCOMPARE(rig.counters->rows - again, 7U);
}

void TstBatching::secretsStay()
{
    const EngineRig rig;
    const std::uint32_t chats = 8;
    std::vector<Request> requests;
    std::vector<Reply> alone;
    for (std::uint32_t chat = 0; chat < chats; ++chat) {
        Request request = idsRequest(samplePrompt(0, 20), 6, chat);
        std::get<std::vector<TokenId>>(request.prompt)[4] = 260 + chat; // the secret
        request.owner = {chat, chat % 2 == 1};
        alone.push_back(EngineRig().run(request).only());
        requests.push_back(std::move(request));
    }
    std::mt19937 random(11); // NOLINT: a fixed order
    const int rounds = longRun() ? 500 : 40;
    for (int round = 0; round < rounds; ++round) {
        Collector collector;
        std::vector<Ticket> tickets;
        for (const Request& request : requests)
            tickets.push_back(rig.service->submit(request, collector.queue).value());
        const std::uint32_t victim = random() % chats;
        rig.service->cancel(tickets[victim]);
        for (std::uint32_t chat = 0; chat < chats; ++chat) {
            QVERIFY(collector.untilEnded(tickets[chat]));
            if (chat != victim)
                QVERIFY(sameRun(alone[chat], collector.outcomes[tickets[chat]].only()));
        }
    }
    QCOMPARE(rig.counters->contractErrors.load(), 0U);
}

void TstBatching::choicesShareOnePrompt()
{
    const EngineRig rig;
    Request request = idsRequest(samplePrompt(3, 40), 5, 42);
    request.choices = 5;
    const Outcome outcome = rig.run(request);
    QCOMPARE(outcome.started.size(), std::size_t {1});
    QCOMPARE(rig.counters->rows.load(), 40U + 5 * 4); // the prompt once
    QCOMPARE(outcome.replies.size(), std::size_t {5});
    QCOMPARE(outcome.eventsAfterEnd, 0U);
    for (std::uint32_t choice = 0; choice < 5; ++choice) {
        Request single = idsRequest(samplePrompt(3, 40), 5, 42 + choice);
        QVERIFY(sameRun(EngineRig().run(single).only(), outcome.replies.at(choice)));
        QCOMPARE(outcome.replies.at(choice).ends.size(), std::size_t {1});
    }
}

void TstBatching::manyChoicesFollowOnFreedSlots()
{
    FakeScript script;
    script.slotCount = 3;
    const EngineRig rig(script);
    Request request = idsRequest(samplePrompt(3, 30), 4, 9);
    request.choices = 20;
    Collector collector;
    const Ticket ticket = rig.service->submit(request, collector.queue).value();
    const Ticket other = rig.service->submit(idsRequest(samplePrompt(8, 30), 4), collector.queue).value();
    QVERIFY(collector.untilEnded(ticket) && collector.untilEnded(other));
    const Outcome& outcome = collector.outcomes[ticket];
    QCOMPARE(outcome.replies.size(), std::size_t {20});
    for (std::uint32_t choice = 0; choice < 20; ++choice)
        QVERIFY(sameRun(EngineRig().run(idsRequest(samplePrompt(3, 30), 4, 9 + choice)).only(),
            outcome.replies.at(choice)));
    QVERIFY(rig.counters->rows <= 30 + 20 * 3 + 30 + 3 + 30); // a slot may be lost to the other ticket once
    QCOMPARE(rig.counters->contractErrors.load(), 0U);
}

// Columns: tickets with the same prompt, submitted together. The prompt is computed once and copied.
void TstBatching::equalPromptsWaitForTheFirst()
{
    FakeScript script;
    script.rowMicroseconds = 100;
    const EngineRig rig(script);
    std::vector<Request> requests(3, idsRequest(samplePrompt(3, 90), 4, 5));
    requests[1].sampling.temperature = 0.5F;
    requests[2].sampling.topK = 5;
    const std::vector<Reply> together = runTogether(rig, requests);
    QCOMPARE(rig.counters->rows.load(), 90U + 3 * 3 + 2); // each copy computes the last prompt row itself
    QCOMPARE(rig.counters->copies.load(), 2U);
    for (std::size_t i = 0; i < 3; ++i)
        QVERIFY(sameRun(EngineRig().run(requests[i]).only(), together[i]));
}

// A short common beginning is not worth waiting for: prompts that only share it enter side by side.
void TstBatching::shortPrefixesDoNotWait()
{
    std::size_t most = 0; // sequences in one step that is all prompt
    FakeScript script;
    script.rowMicroseconds = 100;
    script.before = [&most](std::uint32_t, std::span<const BatchRow> rows) {
        std::set<KvSlot> kv;
        for (const BatchRow& row : rows)
            kv.insert(row.slot);
        most = rows.size() > 16 ? std::max(most, kv.size()) : most;
        return Result<void> {};
    };
    {
        const EngineRig rig(script);
        std::vector<Request> requests;
        for (std::uint32_t i = 0; i < 3; ++i)
            requests.push_back(idsRequest(samplePrompt(100 * i, 120), 1));
        QCOMPARE(runTogether(rig, requests).size(), std::size_t {3});
    }
    QCOMPARE(most, std::size_t {3});
}

void TstBatching::sameSeedAnywhere()
{
    Request request = idsRequest(samplePrompt(6, 15), 16, 42);
    request.sampling.topP = 0.95F;
    const Reply alone = EngineRig().run(request).only();
    const EngineRig rig;
    std::vector<Request> crowd = sampleRequests(7, 20);
    crowd.insert(crowd.begin() + 4, request);
    QVERIFY(sameRun(alone, runTogether(rig, crowd)[4]));
    QVERIFY(sameRun(alone, rig.run(request).only())); // warm
    QVERIFY(sameRun(alone, EngineRig().run(request).only())); // restarted
    request.seed = 43;
    QVERIFY(!sameRun(alone, rig.run(request).only()));
}

// B9 as counts: while a long prompt enters, every step has a row of each decoding sequence.
void TstBatching::decodeGoesOnDuringPrefill()
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> steps; // slots, rows
    FakeScript script;
    script.context = 2048;
    std::atomic<bool> asked = false;
    script.before = [&steps, &asked](std::uint32_t, std::span<const BatchRow> rows) {
        asked.wait(false); // the talkers must not be through before the late one is there
        std::set<KvSlot> kv;
        for (const BatchRow& row : rows)
            kv.insert(row.slot);
        steps.emplace_back(kv.size(), rows.size());
        return Result<void> {};
    };
    SchedulerOptions options;
    options.engine.batch.stepMs = 1e9; // counts, not times
    {
        const EngineRig rig(script, options);
        Collector collector;
        Request talker = idsRequest({65}, 200);
        talker.trace = TraceLevel::Stats;
        std::vector<Ticket> tickets;
        for (std::uint32_t i = 0; i < 3; ++i) {
            talker.prompt = std::vector<TokenId> {65 + i};
            tickets.push_back(rig.service->submit(talker, collector.queue).value());
        }
        Request late = idsRequest(samplePrompt(9, 1000), 2);
        late.trace = TraceLevel::Stats;
        tickets.push_back(rig.service->submit(late, collector.queue).value());
        asked = true;
        asked.notify_all();
        for (const Ticket ticket : tickets)
            QVERIFY(collector.untilEnded(ticket));
    }
    std::uint32_t mixed = 0;
    for (const auto& [kv, rows] : steps) {
        QVERIFY(rows <= 64);
        if (rows > 8 && kv == 4) {
            ++mixed;
            QVERIFY(rows >= 16);
        }
    }
    QVERIFY(mixed >= 10); // the whole prompt came in beside three talkers
}

void TstBatching::slotOfTheWindow()
{
    FakeScript script;
    script.rowMicroseconds = 200;
    const EngineRig rig(script);
    Collector collector;
    std::vector<Ticket> external;
    for (std::uint32_t i = 0; i < 12; ++i) {
        Request request = idsRequest(samplePrompt(i, 10), 100);
        request.owner = {i + 1, true};
        external.push_back(rig.service->submit(request, collector.queue).value());
    }
    Request window = idsRequest(samplePrompt(20, 10), 2);
    const Ticket ticket = rig.service->submit(window, collector.queue).value();
    QVERIFY(collector.untilEnded(ticket));
    std::uint32_t running = 0;
    for (const Ticket other : external) {
        QVERIFY(!collector.outcomes[other].ended()); // nobody had to end first
        running += collector.outcomes[other].started.empty() ? 0 : 1;
        rig.service->cancel(other);
    }
    QVERIFY(running <= 7);
}

void TstBatching::ownersTakeTurns()
{
    FakeScript script;
    script.slotCount = 2; // one of them for externals
    const EngineRig rig(script);
    Collector collector;
    Request request = idsRequest(samplePrompt(1, 10), 20);
    std::vector<std::pair<Ticket, std::uint64_t>> tickets;
    for (const std::uint64_t owner : {1, 1, 1, 1, 2, 3}) {
        request.owner = {owner, true};
        tickets.emplace_back(rig.service->submit(request, collector.queue).value(), owner);
    }
    std::vector<std::uint64_t> order;
    for (const auto& [ticket, owner] : tickets)
        QVERIFY(collector.untilEnded(ticket));
    std::map<std::uint64_t, std::vector<double>> firstTokens;
    for (const auto& [ticket, owner] : tickets)
        firstTokens[owner].push_back(collector.outcomes[ticket].only().ends[0].metrics.ttftMs);
    QVERIFY(firstTokens[2][0] < firstTokens[1][2]); // the third of owner 1 let the others pass
    QVERIFY(firstTokens[3][0] < firstTokens[1][2]);
    QVERIFY(firstTokens[1][0] < firstTokens[1][1] && firstTokens[1][1] < firstTokens[1][3]);
}

void TstBatching::longChatSurvivesAShortOne()
{
    const EngineRig rig;
    const std::vector<TokenId> chat = samplePrompt(1, 60);
    QVERIFY(rig.run(idsRequest(chat, 4)).ended());
    const Outcome other = rig.run(idsRequest({chat[0], chat[1], 70, 71, 72}, 4));
    QCOMPARE(other.started[0].cachedTokens, 2U);
    QCOMPARE(rig.run(idsRequest(chat, 4)).started[0].cachedTokens, 59U);
}

void TstBatching::shorterCopiesAreFilledUp()
{
    FakeScript script;
    script.rewindLimit = 5;
    const EngineRig rig(script);
    Request request = idsRequest(samplePrompt(1, 20), 4, 7);
    const Reply alone = EngineRig().run(request).only();
    QVERIFY(sameRun(alone, rig.run(request).only()));
    const Outcome warm = rig.run(request);
    QCOMPARE(warm.started[0].cachedTokens, 5U);
    QVERIFY(sameRun(alone, warm.only()));
    request.choices = 3;
    const Outcome choices = rig.run(request);
    for (std::uint32_t choice = 0; choice < 3; ++choice)
        QVERIFY(sameRun(EngineRig().run(idsRequest(samplePrompt(1, 20), 4, 7 + choice)).only(),
            choices.replies.at(choice)));
    QCOMPARE(rig.counters->contractErrors.load(), 0U);
}

void TstBatching::chunksShrinkToTheStepLimit()
{
    BatchBuilder builder({64, 16, 50.0});
    QCOMPARE(builder.prefillBudget(0), 64U);
    QCOMPARE(builder.prefillBudget(3), 61U); // nothing measured yet
    QCOMPARE(builder.prefillBudget(60), 16U);
    for (int i = 0; i < 50; ++i)
        builder.measured(10.0, 10);
    QCOMPARE(builder.prefillBudget(3), 47U); // 1 ms a row
    QCOMPARE(builder.prefillBudget(0), 64U); // nobody waits
    for (int i = 0; i < 50; ++i)
        builder.measured(200.0, 10);
    QCOMPARE(builder.prefillBudget(3), 1U);
    for (int i = 0; i < 50; ++i)
        builder.measured(1.0, 100);
    QCOMPARE(builder.prefillBudget(3), 61U);
}

KAIKOU_TEST(TstBatching)

#include "tst_batching.moc"
