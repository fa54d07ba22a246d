// A token's logits depend on its own sequence only, bit for bit: not on batch mates, the cut of the prompt,
// the thread count, the instruction set or where its prefix came from.
#include "tests/inference/backend/model_rig.h"
#include "tests/inference/backend/random_checkpoint.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

using namespace kaikou;
using namespace kaikou::test;

namespace {

struct Variant
{
    const char* name;
    RandomModel model;
};

std::vector<Variant> variants()
{
    RandomModel plain {smallConfig()};
    RandomModel untied = plain;
    untied.tied = false;
    untied.biases = true;
    RandomModel teacherFirst {smallConfig(), Dtype::F32, true, true};
    teacherFirst.config.norm = NormKind::TeacherL2;
    teacherFirst.config.mlp = MlpKind::Silu;
    teacherFirst.config.kvHeads = 4;
    RandomModel bf16 {smallConfig(), Dtype::BF16, true, false, 20'000'000};
    RandomModel f16 {smallConfig(), Dtype::F16, false, false, 20'000'000};
    return {{"f32", plain}, {"f32 untied, biases", untied}, {"first generation", teacherFirst},
        {"bf16 weights, f16 KV", bf16}, {"f16 weights, f16 KV", f16}};
}

CpuBackendOptions withThreads(std::uint32_t threads)
{
    CpuBackendOptions options;
    options.threads = threads;
    return options;
}

LoadOptions fixedThreads(std::uint32_t threads)
{
    LoadOptions options;
    options.threads = threads;
    return options;
}

} // namespace

class TstInvariance : public QObject
{
    Q_OBJECT

    static void addVariants();

private slots:

    void chunks_data() { addVariants(); }

    void chunks();

    void threads_data() { addVariants(); }

    void threads();

    void instructionSets_data() { addVariants(); }

    void instructionSets();

    void batchMates_data() { addVariants(); }

    void batchMates();

    void copiedPrefix_data() { addVariants(); }

    void copiedPrefix();

    void reusedSlots_data() { addVariants(); }

    void reusedSlots();
    void widenedWeightsGiveSameBits();
    void deadNeighboursAreNotRead();
};

void TstInvariance::addVariants()
{
    QTest::addColumn<int>("variant");
    const auto all = variants();
    for (int i = 0; i < static_cast<int>(all.size()); ++i)
        QTest::newRow(all[static_cast<std::size_t>(i)].name) << i;
}

void TstInvariance::chunks()
{
    QFETCH(int, variant);
    const auto checkpoint = randomCheckpoint(variants()[static_cast<std::size_t>(variant)].model);
    const auto model = loadModel(checkpoint, fixedThreads(1));
    QVERIFY(model);
    const auto tokens = someTokens(150, 53, 1); // more than one chunk of the model's own
    const auto whole = logitsByChunks(*model, tokens, 150);
    QCOMPARE(whole.size(), tokens.size());
    for (const std::uint32_t chunk : {1U, 7U, 16U, 64U})
        QVERIFY2(sameBits(logitsByChunks(*model, tokens, chunk), whole), QByteArray::number(chunk));
}

void TstInvariance::threads()
{
    QFETCH(int, variant);
    const auto checkpoint = randomCheckpoint(variants()[static_cast<std::size_t>(variant)].model);
    const auto tokens = someTokens(40, 53, 2);
    const auto one = loadModel(checkpoint, fixedThreads(1));
    const auto expected = logitsByChunks(*one, tokens, 40);
    for (const std::uint32_t threads : {2U, 3U, 8U}) {
        const auto model = loadModel(checkpoint, fixedThreads(threads), withThreads(threads));
        QVERIFY(sameBits(logitsByChunks(*model, tokens, 40), expected));
        QVERIFY(sameBits(logitsByChunks(*model, tokens, 1), expected));
    }
}

void TstInvariance::instructionSets()
{
    QFETCH(int, variant);
    const auto checkpoint = randomCheckpoint(variants()[static_cast<std::size_t>(variant)].model);
    const auto tokens = someTokens(40, 53, 3);
    CpuBackendOptions scalar;
    scalar.isa = Isa::Scalar;
    const auto expected = logitsByChunks(*loadModel(checkpoint, fixedThreads(1), scalar), tokens, 40);
    for (const Isa isa : {Isa::ScalarFma, Isa::Avx2}) {
        if (!canRun(isa))
            continue;
        CpuBackendOptions fast;
        fast.isa = isa;
        const auto model = loadModel(checkpoint, fixedThreads(1), fast);
        QVERIFY(sameBits(logitsByChunks(*model, tokens, 40), expected));
        QVERIFY(sameBits(logitsByChunks(*model, tokens, 1), expected));
    }
}

// Batches of 1, 3 and 8 sequences in two orders, among them one that prefills while the others decode.
void TstInvariance::batchMates()
{
    QFETCH(int, variant);
    const auto checkpoint = randomCheckpoint(variants()[static_cast<std::size_t>(variant)].model);
    const auto model = loadModel(checkpoint, fixedThreads(2), withThreads(2));
    std::vector<std::vector<TokenId>> prompts;
    std::vector<std::vector<Logits>> alone;
    for (std::uint32_t p = 0; p < 20; ++p) {
        prompts.push_back(someTokens(24, 53, p + 5));
        alone.push_back(logitsByChunks(*model, prompts.back(), 8));
    }
    for (const std::uint32_t mates : {1U, 3U, 8U}) {
        for (const bool reversed : {false, true}) {
            for (std::uint32_t first = 0; first + mates <= 20; first += mates) {
                std::vector<KvSlot> open;
                for (std::uint32_t m = 0; m < mates; ++m)
                    open.push_back(*model->openSlot(24));
                for (std::uint32_t at = 0; at < 24; ++at) {
                    std::vector<BatchRow> rows;
                    std::vector<std::pair<std::uint32_t, std::uint32_t>> wanted; // prompt, position
                    for (std::uint32_t i = 0; i < mates; ++i) {
                        const std::uint32_t m = reversed ? mates - 1 - i : i;
                        // Sequence 0 gives eight tokens at a time, the others one.
                        const std::uint32_t count = m == 0 ? 8 : 1;
                        if (m == 0 && at >= 3)
                            continue;
                        const std::uint32_t from = m == 0 ? at * 8 : at;
                        const auto part = std::span<const TokenId>(prompts[first + m]).subspan(from, count);
                        for (const BatchRow& row : rowsFor(open[m], from, part, true)) {
                            rows.push_back(row);
                            wanted.emplace_back(first + m, row.kvRow);
                        }
                    }
                    if (rows.empty())
                        continue;
                    const auto result = model->step(rows, {});
                    QVERIFY(result.ok());
                    for (std::size_t i = 0; i < wanted.size(); ++i) {
                        const Logits& expected = alone[wanted[i].first][wanted[i].second];
                        QVERIFY(sameBits(result->row(i), std::span<const float>(expected)));
                    }
                }
                for (const KvSlot slot : open)
                    model->closeSlot(slot);
            }
        }
    }
}

void TstInvariance::copiedPrefix()
{
    QFETCH(int, variant);
    const auto checkpoint = randomCheckpoint(variants()[static_cast<std::size_t>(variant)].model);
    const auto model = loadModel(checkpoint, fixedThreads(1));
    const auto tokens = someTokens(70, 53, 4);
    const auto cold = logitsByChunks(*model, tokens, 70);
    const KvSlot from = *model->openSlot(100);
    QVERIFY(model->step(rowsFor(from, 0, tokens), {}).ok());
    for (std::uint32_t cut = 1; cut < 70; ++cut) {
        const KvSlot to = *model->openSlot(100);
        QCOMPARE(*model->copyKv(from, to, cut), cut);
        const auto rest = std::span<const TokenId>(tokens).subspan(cut);
        const auto result = model->step(rowsFor(to, cut, rest, true), {});
        QVERIFY(result.ok());
        for (std::size_t i = 0; i < rest.size(); ++i)
            QVERIFY(sameBits(result->row(i), std::span<const float>(cold[cut + i])));
        model->closeSlot(to);
    }
    // The source itself, shortened and continued.
    QCOMPARE(model->truncateKv(from, 33), 33U);
    const auto result
        = model->step(rowsFor(from, 33, std::span<const TokenId>(tokens).subspan(33), true), {});
    QVERIFY(sameBits(result->row(36), std::span<const float>(cold[69])));
}

// Freed rows hold NaN in builds with assertions: whatever still read them would show it.
void TstInvariance::reusedSlots()
{
    QFETCH(int, variant);
    const auto checkpoint = randomCheckpoint(variants()[static_cast<std::size_t>(variant)].model);
    LoadOptions options = fixedThreads(1);
    options.slotCount = 2;
    const auto model = loadModel(checkpoint, options);
    const auto tokens = someTokens(50, 53, 6);
    const auto first = logitsByChunks(*model, tokens, 50);
    for (std::uint32_t round = 0; round < 6; ++round) {
        logitsByChunks(*model, someTokens(60 + round * 9, 53, round), 13);
        QVERIFY(sameBits(logitsByChunks(*model, tokens, 50), first));
    }
}

// bf16 weights kept in 16 bits and the same weights widened: one arithmetic.
void TstInvariance::widenedWeightsGiveSameBits()
{
    for (const Dtype dtype : {Dtype::BF16, Dtype::F16}) {
        const auto checkpoint = randomCheckpoint({smallConfig(), dtype, false, false, 20'000'000});
        LoadOptions kept = fixedThreads(1);
        kept.kv = KvType::F32;
        LoadOptions widened = kept;
        widened.precision = Precision::Exact;
        const auto narrow = loadModel(checkpoint, kept);
        const auto wide = loadModel(checkpoint, widened);
        QVERIFY(narrow->info().memory.weights < wide->info().memory.weights);
        const auto tokens = someTokens(30, 53, 8);
        QVERIFY(sameBits(logitsByChunks(*narrow, tokens, 30), logitsByChunks(*wide, tokens, 30)));
        QVERIFY(sameBits(logitsByChunks(*narrow, tokens, 1), logitsByChunks(*wide, tokens, 4)));
    }
}

// A sequence whose tokens overflow into NaN leaves its batch mate's bits alone.
void TstInvariance::deadNeighboursAreNotRead()
{
    auto checkpoint = randomCheckpoint({smallConfig()});
    const float notANumber = std::numeric_limits<float>::quiet_NaN();
    auto poisoned = std::make_shared<std::vector<std::byte>>(
        checkpoint.weights.embedding.bytes.begin(), checkpoint.weights.embedding.bytes.end());
    std::memcpy(poisoned->data() + std::size_t {5} * 44 * sizeof(float), &notANumber, sizeof notANumber);
    checkpoint.weights.head = checkpoint.weights.embedding; // keep the head sane
    checkpoint.weights.embedding.bytes = *poisoned;
    checkpoint.weights.embedding.owner = poisoned;
    const auto model = loadModel(checkpoint, fixedThreads(1));
    const std::vector<TokenId> good {1, 2, 3, 4};
    const std::vector<TokenId> bad {5, 5, 5, 5};
    const auto alone = logitsByChunks(*model, good, 4);
    const KvSlot badSlot = *model->openSlot(8);
    const KvSlot goodSlot = *model->openSlot(8);
    auto rows = rowsFor(badSlot, 0, bad, true);
    const auto more = rowsFor(goodSlot, 0, good, true);
    rows.insert(rows.end(), more.begin(), more.end());
    const auto result = model->step(rows, {});
    QVERIFY(std::isnan(result->row(0)[0]));
    for (std::size_t i = 0; i < 4; ++i)
        QVERIFY(sameBits(result->row(4 + i), std::span<const float>(alone[i])));
}

KAIKOU_TEST(TstInvariance)
#include "tst_invariance.moc"
