#include "inference/sample/rng.h"
#include "inference/sample/sampler.h"
#include "inference/sample/semantics.h"
#include "tests/inference/sample/step.h"
#include "tests/support/test_registry.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

using namespace kaikou;

namespace {

constexpr Semantics kAll[]
    = {Semantics::Standard, Semantics::LlamaCpp, Semantics::Vllm, Semantics::LitGpt, Semantics::GptTeacher};

// Reproducible pseudo-random steps of every size and setting.
class Cases
{
public:
    double unit() { return rng::unit(99, m_index++); }

    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(unit() * n); }

    std::vector<float> logits(std::uint32_t vocab)
    {
        const float scale = static_cast<float>(.5 + 6 * unit());
        const bool coarse = below(3) == 0; // many ties
        std::vector<float> row(vocab);
        for (float& logit : row) {
            logit = scale * static_cast<float>(unit() + unit() + unit() - 1.5);
            if (coarse)
                logit = std::round(logit);
        }
        for (std::uint32_t i = below(4); i < vocab; i += 7)
            if (below(3) == 0)
                row[i] = test::kMasked;
        row[below(vocab)] = 3.0F; // at least one is allowed
        return row;
    }

    std::vector<TokenId> ids(std::uint32_t vocab)
    {
        std::vector<TokenId> list(below(80));
        for (TokenId& id : list)
            id = below(std::min(vocab, 12U));
        return list;
    }

    SampleParams params(std::uint32_t vocab)
    {
        SampleParams p;
        p.semantics = kAll[below(5)];
        p.temperatureLast = below(2) == 0;
        const float temperatures[] = {0, .3F, .7F, 1, 1.5F, 20};
        p.temperature = temperatures[below(6)];
        p.topK = static_cast<std::int32_t>(below(3) * below(vocab));
        const float topPs[] = {0, .2F, .5F, .9F, .99F, 1};
        p.topP = topPs[below(6)];
        const float minPs[] = {0, 0, .01F, .2F, 1};
        p.minP = minPs[below(5)];
        const float penalties[] = {1, 1, .8F, 1.3F, 2};
        p.repetitionPenalty = penalties[below(5)];
        p.frequencyPenalty = below(3) == 0 ? .25F : 0;
        p.presencePenalty = below(3) == 0 ? -.5F : 0;
        p.repetitionWindow = below(2) * below(20);
        p.minTokens = below(60);
        if (below(3) == 0)
            p.logitBias = {{below(vocab), 2.5F}, {below(vocab), -50}};
        if (below(3) == 0)
            p.masked = {below(vocab), below(vocab), vocab + 5};
        return p;
    }

    test::StepCase step()
    {
        const std::uint32_t vocab = 4 + below(300);
        test::StepCase c {.logits = logits(vocab),
            .prompt = ids(vocab),
            .generated = ids(vocab),
            .params = params(vocab),
            .u = unit()};
        c.special = test::endsAt({1});
        c.special.bos = 0;
        c.special.pad = 2;
        c.special.unk = 3;
        return c;
    }

private:
    std::uint64_t m_index = 0;
};

// Rank order of the positive entries; equal ones by id.
std::vector<TokenId> ranked(const std::vector<double>& probs)
{
    std::vector<TokenId> order(probs.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](TokenId a, TokenId b) { return probs[a] > probs[b]; });
    return order;
}

bool sameBits(const TokenStats& a, const TokenStats& b)
{
    const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
    return bits(a.pModel) == bits(b.pModel) && bits(a.pShaped) == bits(b.pShaped)
        && bits(a.pSample) == bits(b.pSample) && bits(a.entropy) == bits(b.entropy)
        && bits(a.margin) == bits(b.margin) && bits(a.u) == bits(b.u) && a.rank == b.rank && a.kept == b.kept
        && a.greedy == b.greedy && a.special == b.special;
}

} // namespace

// The properties of sampling.md §9 on random rows.
class TstProperties : public QObject
{
    Q_OBJECT

private:
    static constexpr int kCases = 400;

private slots:

    void presetsAgreeWhenAllIsOff()
    {
        Cases cases;
        for (int i = 0; i < 100; ++i) {
            test::StepCase c = cases.step();
            c.special = {}; // no masks
            c.params = {.temperature = static_cast<float>(.2 + 2 * cases.unit())};
            const auto reference = test::explain(c).value();
            for (const Semantics semantics : kAll) {
                c.params.semantics = semantics;
                const auto other = test::explain(c).value();
                KAIKOU_COMPARE_PROBS(other.pSample, reference.pSample, 1e-6);
                KAIKOU_COMPARE_PROBS(other.pShaped, reference.pShaped, 1e-6);
            }
        }
    }

    void everyStageSumsToOne()
    {
        Cases cases;
        for (int i = 0; i < kCases; ++i) {
            const auto explained = test::explain(cases.step()).value();
            for (const Stage& stage : explained.stages) {
                const double sum = std::accumulate(stage.probs.begin(), stage.probs.end(), 0.0);
                QVERIFY2(std::abs(sum - 1.0) <= 1e-9, QByteArray::number(sum, 'g', 17).constData());
            }
        }
    }

    void survivorsAreNestedAndNamed()
    {
        Cases cases;
        for (int i = 0; i < kCases; ++i) {
            const test::StepCase c = cases.step();
            const auto explained = test::explain(c).value();
            std::vector<char> gone(c.logits.size(), 0);
            for (const Stage& stage : explained.stages) {
                for (const TokenId id : stage.removed) {
                    QCOMPARE(gone[id], char {0});
                    gone[id] = 1;
                    QCOMPARE(explained.removedBy[id], stage.kind);
                }
                for (std::size_t id = 0; id < gone.size(); ++id)
                    QVERIFY(gone[id] == 0 || stage.probs[id] == 0.0);
            }
            for (const TokenId id : explained.order)
                QVERIFY(gone[id] == 0 && explained.pSample[id] > 0.0);
            const auto positive = std::count_if(
                explained.pSample.begin(), explained.pSample.end(), [](double p) { return p > 0.0; });
            QCOMPARE(static_cast<std::size_t>(positive), explained.order.size());
        }
    }

    void temperatureNeverChangesRanks()
    {
        Cases cases;
        for (int i = 0; i < 100; ++i) {
            test::StepCase c = cases.step();
            c.params.temperature = .8F;
            c.params.topK = 0;
            c.params.topP = 1;
            c.params.minP = 0;
            const auto cold = ranked(test::explain(c).value().pShaped);
            c.params.temperature = 3;
            QCOMPARE(ranked(test::explain(c).value().pShaped), cold);
        }
    }

    void lastRowIsTheSamplersDistribution()
    {
        Cases cases;
        for (int i = 0; i < kCases; ++i) {
            const test::StepCase c = cases.step();
            const auto explained = test::explain(c).value();
            QCOMPARE(explained.stages.back().kind, StageKind::Dice);
            Sampler sampler(c.params, c.special, 1);
            for (TokenId id = 0; id < c.logits.size(); ++id) {
                const auto stats = sampler.score(c.logits, {c.prompt, c.generated}, id).value();
                QCOMPARE(std::bit_cast<std::uint64_t>(stats.pSample),
                    std::bit_cast<std::uint64_t>(explained.stages.back().probs[id]));
                QCOMPARE(std::bit_cast<std::uint64_t>(stats.pModel),
                    std::bit_cast<std::uint64_t>(explained.pModel[id]));
                QCOMPARE(std::bit_cast<std::uint64_t>(stats.pShaped),
                    std::bit_cast<std::uint64_t>(explained.pShaped[id]));
                QCOMPARE(std::size_t {stats.kept}, explained.order.size());
            }
        }
    }

    // Identity: the stored u, record and history give the drawn token and its numbers again.
    void reshapeRepeatsTheDraw()
    {
        Cases cases;
        for (int i = 0; i < kCases; ++i) {
            const test::StepCase c = cases.step();
            const History history {c.prompt, c.generated};
            Sampler sampler(c.params, c.special, 77);
            const Drawn drawn = sampler.draw(c.logits, history).value();
            const auto again = reshape(RawLogits::keep(c.logits, RecordForm::F32), c.params, history,
                c.generated.size(), c.special, drawn.stats.u)
                                   .value();
            QCOMPARE(again.pick, drawn.token);
            QVERIFY(!again.approximate);
            QCOMPARE(std::bit_cast<std::uint64_t>(again.pSample[drawn.token]),
                std::bit_cast<std::uint64_t>(drawn.stats.pSample));
            QVERIFY(sameBits(sampler.score(c.logits, history, drawn.token).value(), drawn.stats));
        }
    }

    // The selection without a sort picks what a scan in sorted order picks.
    void pickEqualsSortedScan()
    {
        Cases cases;
        for (int i = 0; i < kCases; ++i) {
            test::StepCase c = cases.step();
            const auto explained = test::explain(c).value();
            double before = 0.0;
            for (const TokenId id : explained.order) {
                const double after = before + explained.pSample[id];
                if (id == explained.pick) {
                    QVERIFY(before <= c.u + 1e-12 && c.u < after + 1e-12);
                    break;
                }
                before = after;
            }
        }
    }

    void orderFollowsProcessedLogits()
    {
        Cases cases;
        for (int i = 0; i < kCases; ++i) {
            const auto explained = test::explain(cases.step()).value();
            for (std::size_t k = 1; k < explained.order.size(); ++k) {
                const TokenId a = explained.order[k - 1], b = explained.order[k];
                QVERIFY(explained.pSample[a] >= explained.pSample[b]);
                QVERIFY(explained.pShaped[a] > explained.pShaped[b] * (1 - 1e-12) || a < b);
            }
        }
    }

    // A warm sampler and a fresh one agree: nothing of an earlier step stays in the scratch.
    void scratchHoldsNoState()
    {
        Cases cases;
        std::vector<test::StepCase> steps;
        for (int i = 0; i < 60; ++i) {
            steps.push_back(cases.step());
            steps.back().params = steps.front().params;
        }
        Sampler warm(steps.front().params, steps.front().special, 5);
        for (const test::StepCase& c : steps) {
            Sampler fresh(c.params, c.special, 5);
            const Drawn a = warm.draw(c.logits, {c.prompt, c.generated}).value();
            const Drawn b = fresh.draw(c.logits, {c.prompt, c.generated}).value();
            QCOMPARE(a.token, b.token);
            QVERIFY(sameBits(a.stats, b.stats));
        }
    }

    void noStageReadsOutsideItsWindow()
    {
        // An id that has left the window is not penalised, whatever lies before.
        const auto penalised = [](Semantics semantics, std::vector<TokenId> prompt, std::vector<TokenId> said,
                                   std::uint32_t window = 0) {
            test::StepCase c {.prompt = std::move(prompt), .generated = std::move(said)};
            c.params = {.semantics = semantics, .repetitionPenalty = 1.5F, .repetitionWindow = window};
            return test::explain(c).value().pSample[0] < .6;
        };
        const std::vector<TokenId> filler31(31, 2), filler32(32, 2), filler63(63, 2), filler64(64, 2);
        const auto after = [](TokenId first, std::vector<TokenId> rest) {
            rest.insert(rest.begin(), first);
            return rest;
        };
        QVERIFY(penalised(Semantics::GptTeacher, {}, after(0, filler31)));
        QVERIFY(!penalised(Semantics::GptTeacher, {}, after(0, filler32)));
        QVERIFY(!penalised(Semantics::GptTeacher, {0}, {}));
        QVERIFY(penalised(Semantics::LlamaCpp, {}, after(0, filler63)));
        QVERIFY(!penalised(Semantics::LlamaCpp, {}, after(0, filler64)));
        QVERIFY(penalised(Semantics::LlamaCpp, {0}, filler63));
        QVERIFY(!penalised(Semantics::LlamaCpp, {0}, filler64));
        QVERIFY(penalised(Semantics::Standard, after(0, filler64), filler64));
        QVERIFY(penalised(Semantics::Vllm, after(0, filler64), filler64));
        QVERIFY(!penalised(Semantics::Standard, {0}, filler32, 32));
        QVERIFY(!penalised(Semantics::LitGpt, {0}, {0})); // has no penalty
    }

    void frequencyCountsGeneratedOnly()
    {
        test::StepCase c {.prompt = {0, 0, 0}};
        c.params.frequencyPenalty = 1;
        c.params.presencePenalty = 1;
        KAIKOU_COMPARE_PROBS(test::explain(c).value().pSample, test::explain({}).value().pSample, 0.0);
        c.generated = {1, 1};
        const auto shaped = test::explain(c).value().pSample; // id 1: 1 - 2 - 1 = -2
        const double sum = std::exp(2) + std::exp(-2) + 1 + std::exp(-1);
        KAIKOU_COMPARE_PROBS(
            shaped, (std::vector {std::exp(2) / sum, std::exp(-2) / sum, 1 / sum, std::exp(-1) / sum}), 1e-6);
    }

    void minTokensMasksEveryEnd()
    {
        test::StepCase c {.generated = {2, 2, 2, 2}, .special = test::endsAt({0, 3})};
        for (const Semantics semantics : kAll) {
            c.params = {.semantics = semantics, .minTokens = 5};
            const auto masked = test::explain(c).value();
            QCOMPARE(masked.pSample[0], 0.0);
            QCOMPARE(masked.pSample[3], 0.0);
            QCOMPARE(masked.removedBy[0], StageKind::MinTokens);
            c.params.minTokens = 4;
            QVERIFY(test::explain(c).value().pSample[0] > 0.0);
        }
    }

    void teacherMasksSpecials()
    {
        test::StepCase c;
        c.special.bos = 0;
        c.special.pad = 1;
        c.special.unk = 3;
        c.params.semantics = Semantics::GptTeacher;
        const auto explained = test::explain(c).value();
        QCOMPARE(explained.pSample, (std::vector<double> {0, 0, 1, 0}));
        QCOMPARE(explained.removedBy[1], StageKind::Mask);
        c.params.semantics = Semantics::Standard;
        QVERIFY(test::explain(c).value().pSample[0] > 0.6);
    }

    void litGptGreedyRule()
    {
        test::StepCase c;
        c.params = {.semantics = Semantics::LitGpt, .temperature = 0};
        QVERIFY(!test::explain(c).value().greedy);
        c.params.topP = 0;
        QVERIFY(test::explain(c).value().greedy);
        for (const Semantics semantics : kAll) {
            c.params = {.semantics = semantics, .temperature = .9F, .greedy = true};
            const auto explained = test::explain(c).value();
            QVERIFY(explained.greedy);
            QCOMPARE(explained.pSample, (std::vector<double> {1, 0, 0, 0}));
            QVERIFY(std::abs(explained.pShaped[0] - .643914) < 1e-6); // taken at T = 1
        }
    }

    void ledgerOrderPerSemantics_data()
    {
        using enum StageKind;
        QTest::addColumn<Semantics>("semantics");
        QTest::addColumn<std::vector<StageKind>>("kinds");
        using Kinds = std::vector<StageKind>;
        QTest::newRow("standard") << Semantics::Standard
                                  << Kinds {Raw, Bias, Mask, MinTokens, Repetition, FrequencyPresence,
                                         Temperature, TopK, TopP, MinP, Dice};
        QTest::newRow("llama.cpp") << Semantics::LlamaCpp
                                   << Kinds {Raw, Bias, Mask, MinTokens, Repetition, FrequencyPresence, TopK,
                                          TopP, MinP, Temperature, Dice};
        QTest::newRow("vllm") << Semantics::Vllm
                              << Kinds {Raw, Bias, Mask, MinTokens, Repetition, FrequencyPresence,
                                     Temperature, MinP, TopK, TopP, Dice};
        QTest::newRow("litgpt") << Semantics::LitGpt
                                << Kinds {Raw, Bias, Mask, MinTokens, TopK, Temperature, TopP, Dice};
        QTest::newRow("gpt_teacher") << Semantics::GptTeacher
                                     << Kinds {Raw, Bias, Temperature, Mask, MinTokens, Repetition, TopK,
                                            TopP, Dice};
    }

    void ledgerOrderPerSemantics()
    {
        QFETCH(Semantics, semantics);
        QFETCH(std::vector<StageKind>, kinds);
        test::StepCase c {.generated = {0}, .special = test::endsAt({3})};
        c.params = {.semantics = semantics,
            .temperature = .9F,
            .topK = 3,
            .topP = .95F,
            .minP = .01F,
            .repetitionPenalty = 1.1F,
            .presencePenalty = .1F,
            .minTokens = 4,
            .logitBias = {{1, .5F}},
            .masked = {2}};
        std::vector<StageKind> seen;
        const auto explained = test::explain(c).value();
        for (const Stage& stage : explained.stages)
            seen.push_back(stage.kind);
        QCOMPARE(seen, kinds);
        for (const StageKind kind : kinds)
            QVERIFY(hasStage(semantics, kind));
    }

    void drawingIsQuickAtLargeVocabularies()
    {
        // Not a time limit: 32,768 tokens without any filter must not need a full sort to be right.
        Cases cases;
        test::StepCase c {.logits = cases.logits(32768)};
        for (const float u : {0.0F, .3F, .9F, .999999F}) {
            c.u = static_cast<double>(u);
            const auto explained = test::explain(c).value();
            double before = 0.0;
            std::size_t at = 0;
            while (explained.order[at] != explained.pick)
                before += explained.pSample[explained.order[at++]];
            QVERIFY(before <= c.u + 1e-9 && c.u <= before + explained.pSample[explained.pick] + 1e-9);
        }
    }

    void uOutsideItsRange()
    {
        for (const double u : {-1e-9, 1.0, std::nan("")})
            QCOMPARE(reshape(RawLogits::keep(test::kL, RecordForm::F32), {}, {}, 0, {}, u).error().code,
                ErrorCode::ParameterRange);
    }
};

KAIKOU_TEST(TstProperties)
#include "tst_properties.moc"
