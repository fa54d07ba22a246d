#include "tests/inference/sample/step.h"
#include "tests/support/test_registry.h"

#include <algorithm>

Q_DECLARE_METATYPE(kaikou::test::StepCase)

using namespace kaikou;
using test::kL;

namespace {

using Probs = std::vector<double>;

constexpr double kTolerance = 1e-6; // of sampling.md

const Probs kBase {.643914, .236883, .087144, .032059};

// Which presets a column of the tables stands for.
enum Column : unsigned
{
    Hf = 1,
    Vllm = 2,
    LitGpt = 4,
    LlamaCpp = 8,
    TemperatureLast = 16, // Standard with that option: equals llama.cpp's column
    Teacher = 32,
    HfLike = Hf | Vllm | LitGpt,
    LlamaLike = LlamaCpp | TemperatureLast,
    Every = HfLike | LlamaLike | Teacher
};

struct Preset
{
    Column column;
    const char* name;
    Semantics semantics;
};

constexpr Preset kPresets[] = {{Hf, "standard", Semantics::Standard}, {Vllm, "vllm", Semantics::Vllm},
    {LitGpt, "litgpt", Semantics::LitGpt}, {LlamaCpp, "llama.cpp", Semantics::LlamaCpp},
    {TemperatureLast, "temperature last", Semantics::Standard},
    {Teacher, "gpt_teacher", Semantics::GptTeacher}};

struct Set // the parameters a row names; the rest is off
{
    float temperature = 1.0F, topP = 1.0F, minP = 0.0F, repetition = 1.0F, frequency = 0.0F;
    int topK = 0;
    std::uint32_t window = 0;
    std::vector<TokenId> history {};
    std::vector<float> logits = kL;
};

// One data row for every preset in `columns`.
void add(const char* id, const Set& set, unsigned columns, const Probs& expected)
{
    for (const Preset& preset : kPresets) {
        if ((columns & preset.column) == 0)
            continue;
        test::StepCase c {.logits = set.logits, .generated = set.history};
        c.params.semantics = preset.semantics;
        c.params.temperatureLast = preset.column == TemperatureLast;
        c.params.temperature = set.temperature;
        c.params.topK = set.topK;
        c.params.topP = set.topP;
        c.params.minP = set.minP;
        c.params.repetitionPenalty = set.repetition;
        c.params.frequencyPenalty = set.frequency;
        c.params.repetitionWindow = set.window;
        QTest::addRow("%s %s", id, preset.name) << c << expected;
    }
}

constexpr unsigned kNoMinP = Every & ~unsigned {LitGpt} & ~unsigned {Teacher};
constexpr unsigned kHfVllm = Hf | Vllm;
constexpr unsigned kPenalties = Every & ~unsigned {LitGpt};
constexpr unsigned kSigned = kPenalties & ~unsigned {Teacher};

} // namespace

// Tables A, B and C of sampling.md, one data row per row and preset.
class TstTables : public QObject
{
    Q_OBJECT

private:
    static void columns()
    {
        QTest::addColumn<test::StepCase>("c");
        QTest::addColumn<Probs>("expected");
    }

    static void check()
    {
        QFETCH(test::StepCase, c);
        QFETCH(Probs, expected);
        const auto explained = test::explain(c);
        QVERIFY(explained.ok());
        KAIKOU_COMPARE_PROBS(explained.value().pSample, expected, kTolerance);
    }

private slots:

    void tableA_data()
    {
        columns();
        const Probs pair {.731059, .268941, 0, 0}, three {.665241, .244728, .090031, 0}, one {1, 0, 0, 0};
        const Probs hot {.455054, .276004, .167405, .101536}, hotThree {.506480, .307196, .186324, 0};
        const Probs hotPair {.622459, .377541, 0, 0}, flat {.253762, .251237, .248738, .246263};
        add("A01", {.temperature = .25F}, Every, {.981684, .017980, .000329, .000006});
        add("A02", {.temperature = .5F}, Every, {.864955, .117059, .015842, .002144});
        add("A03", {.temperature = .7F}, Every, {.762865, .182821, .043813, .010500});
        add("A04", {.temperature = 2}, Every, hot);
        add("A05", {.temperature = 100}, Every, flat);
        add("A06", {.topK = 2}, Every, pair);
        add("A07", {.temperature = 2, .topK = 3}, Every, hotThree);
        for (const float p : {.5F, .6F, .64F}) {
            add(qPrintable(QString("A08 p=%1").arg(p)), {.topP = p}, HfLike | LlamaLike, one);
            add(qPrintable(QString("A08 p=%1").arg(p)), {.topP = p}, Teacher, kBase);
        }
        for (const float p : {.65F, .8F, .88F}) {
            add(qPrintable(QString("A09 p=%1").arg(p)), {.topP = p}, HfLike | LlamaLike, pair);
            add(qPrintable(QString("A09 p=%1").arg(p)), {.topP = p}, Teacher, one);
        }
        add("A10", {.topP = .9F}, HfLike | LlamaLike, three);
        add("A10", {.topP = .9F}, Teacher, pair);
        for (const float p : {.97F, .99F}) {
            add(qPrintable(QString("A11 p=%1").arg(p)), {.topP = p}, HfLike | LlamaLike, kBase);
            add(qPrintable(QString("A11 p=%1").arg(p)), {.topP = p}, Teacher, three);
        }
        add("A12", {.temperature = .5F, .topP = .9F}, HfLike, {.880797, .119203, 0, 0});
        add("A12", {.temperature = .5F, .topP = .9F}, LlamaLike, {.866813, .117310, .015876, 0});
        add("A12", {.temperature = .5F, .topP = .9F}, Teacher, one);
        add("A13", {.temperature = 2, .topP = .9F}, HfLike, hot);
        add("A13", {.temperature = 2, .topP = .9F}, LlamaLike | Teacher, hotThree);
        add("A14", {.temperature = 2, .topP = .8F}, HfLike, hotThree);
        add("A14", {.temperature = 2, .topP = .8F}, LlamaLike | Teacher, hotPair);
        add("A15", {.minP = .3F}, kNoMinP, pair);
        add("A16", {.temperature = 2, .minP = .3F}, kHfVllm, hotThree);
        add("A16", {.temperature = 2, .minP = .3F}, LlamaLike, hotPair);
        add("A17", {.topP = .9F, .minP = .1F}, Hf | LlamaLike, three);
        add("A18", {.topP = .9F, .minP = .1F}, Vllm, pair);
        add("A19", {.topP = .7F, .topK = 3}, HfLike | LlamaLike, pair);
        add("A19", {.topP = .7F, .topK = 3}, Teacher, one);
        const Set all {.temperature = 100, .topP = .95F, .minP = .05F, .topK = 40};
        add("A20", all, kHfVllm, flat);
        add("A20", all, LlamaLike, {.336672, .333322, .330006, 0});
    }

    void tableA() { check(); }

    void tableB_data()
    {
        columns();
        const Probs once {.481440, .344967, .126906, .046686}, tail {.652140, .239909, .088258, .019693};
        const auto said = [](std::vector<TokenId> history) {
            return Set {.repetition = 1.5F, .history = std::move(history)};
        };
        add("B01", said({0}), kPenalties, once);
        add("B02", said({0, 0}), kSigned, once);
        add("B02", said({0, 0}), Teacher, {.373152, .417005, .153407, .056435});
        add("B03", said({0, 0, 0}), kSigned, once);
        add("B03", said({0, 0, 0}), Teacher, {.306823, .461130, .169640, .062407});
        add("B04", said({3}), kSigned, tail);
        add("B04", said({3}), Teacher, {.635850, .233916, .086053, .044181});
        add("B05", said({3, 3}), kSigned, tail);
        add("B05", said({3, 3}), Teacher, {.628935, .231372, .085117, .054575});
        add("B06", said({2}), kPenalties, kBase);
        add("B07", {.temperature = .5F, .repetition = 1.5F, .history = {0}}, kPenalties,
            {.628021, .322437, .043637, .005906});
        add("B08", {.temperature = 2, .repetition = 1.5F, .history = {0}}, kPenalties,
            {.374349, .316880, .192197, .116574});
        Set many = said({0});
        many.history.insert(many.history.end(), 32, 1);
        add("B09", many, kSigned, {.533622, .273971, .140661, .051746});
        add("B09", many, Teacher, {.757313, .102491, .102491, .037704});
        many.window = 32;
        add("B09 last_n 32", many, LlamaCpp, {.690265, .181952, .093417, .034366});
        Set shifted = said({0});
        shifted.logits = {-3, -4, -5, -6};
        add("B11", shifted, kSigned, {.287490, .473991, .174371, .064148});
        add("B11", shifted, Teacher, {.830953, .112457, .041371, .015219});
        add("B12", {.temperature = 2, .frequency = .5F, .history = {0}}, kSigned,
            {.394062, .306896, .186142, .112901});
    }

    void tableB() { check(); }

    void b02GreedyFlips()
    {
        test::StepCase c {.generated = {0, 0}};
        c.params = {.semantics = Semantics::GptTeacher, .temperature = 0, .repetitionPenalty = 1.5F};
        QCOMPARE(test::explain(c).value().pick, 1U);
        c.params.semantics = Semantics::Standard;
        QCOMPARE(test::explain(c).value().pick, 0U);
    }

    void b10PenaltyCausesRepeat()
    {
        test::StepCase c {.logits = {-1.0F, -1.2F, -4.0F, -5.0F}, .generated = {1}};
        c.params = {.temperature = 0, .repetitionPenalty = 2.0F};
        for (const Semantics semantics : {Semantics::Standard, Semantics::LlamaCpp, Semantics::Vllm}) {
            c.params.semantics = semantics;
            QCOMPARE(test::explain(c).value().pick, 0U);
        }
        c.params.semantics = Semantics::GptTeacher;
        QCOMPARE(test::explain(c).value().pick, 1U);
    }

    // B13: what the penalty after the temperature would give; ours comes before (B12).
    void b13IsNotOurOrder()
    {
        test::StepCase c {.generated = {0}};
        c.params = {.temperature = 2, .frequencyPenalty = .5F};
        const Probs after {.336201, .336201, .203916, .123681};
        QVERIFY(test::worst(test::explain(c).value().pSample, after) > .01);
    }

    void tableC_data()
    {
        columns();
        const double third = 1.0 / 3;
        add("C01", {.topK = 2, .logits = {1, 1, 1, 0}}, Hf | Vllm | TemperatureLast,
            {third, third, third, 0});
        add("C01", {.topK = 2, .logits = {1, 1, 1, 0}}, LitGpt | LlamaCpp | Teacher, {.5, .5, 0, 0});
        const auto zeros = [](float p) { return Set {.topP = p, .logits = {0, 0, 0, 0}}; };
        add("C02", zeros(.5F), Every, {.5, .5, 0, 0});
        add("C03", zeros(.6F), HfLike | LlamaLike, {third, third, third, 0});
        add("C03", zeros(.6F), Teacher, {.5, .5, 0, 0});
        add("C04", zeros(.75F), Every, {third, third, third, 0});
        const Set peaked {.topP = .9F, .logits = {5, 1, 0, -1}};
        add("C05", peaked, HfLike | LlamaLike, {1, 0, 0, 0});
        add("C05", peaked, Teacher, {.973205, .017825, .006557, .002412});
        Set two = peaked;
        two.topK = 2;
        add("C06", two, Teacher, {.982014, .017986, 0, 0});
        const Set hot {.temperature = 100, .topP = .95F, .minP = .05F, .topK = 40, .logits = {5, 1, 0, -1}};
        add("C07", hot, kHfVllm, {.259485, .249311, .246830, .244374});
        add("C07", hot, LlamaLike, {1, 0, 0, 0});
        add("C08", {.logits = {2, test::kMasked, 0, -1}}, Every, {.843795, 0, .114195, .042010});
        add("C09", {.topP = 0}, HfLike | LlamaLike, {1, 0, 0, 0});
        add("C09", {.topP = 0}, Teacher, kBase);
        add("C10 limit", {.temperature = .01F, .logits = {1, 1, 0}}, Every, {.5, .5, 0});
        add("C10 greedy", {.temperature = 0, .topP = 0, .logits = {1, 1, 0}}, Every, {1, 0, 0});
    }

    void tableC() { check(); }

    void c11c12NonFinite()
    {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const float infinity = std::numeric_limits<float>::infinity();
        for (const Preset& preset : kPresets) {
            test::StepCase c {.logits = {2, nan, 0, -1}};
            c.params.semantics = preset.semantics;
            QCOMPARE(test::explain(c).error().code, ErrorCode::NonFiniteLogits);
            c = {.logits = {2, infinity, 0, infinity}, .generated = {0, 0, 0}};
            c.params.semantics = preset.semantics;
            const Error error = test::explain(c).error();
            QCOMPARE(error.code, ErrorCode::NonFiniteLogits);
            QCOMPARE(error.where, std::string("step 3, id 1"));
        }
    }

    void c13AllMasked()
    {
        for (const Preset& preset : kPresets) {
            test::StepCase c {.logits = std::vector<float>(4, test::kMasked), .special = test::endsAt({2})};
            c.params.semantics = preset.semantics;
            c.params.minTokens = 5; // even while the end is masked
            const auto explained = test::explain(c);
            QVERIFY(explained.ok());
            QCOMPARE(explained.value().pSample, (Probs {0, 0, 1, 0}));
            QCOMPARE(explained.value().pModel, (Probs {0, 0, 1, 0}));
            QCOMPARE(explained.value().pick, 2U);
            c.logits = kL; // masked by the request instead
            c.params.masked = {0, 1, 2, 3};
            QCOMPARE(test::explain(c).value().pSample, (Probs {0, 0, 1, 0}));
            c.special.eos.clear();
            QCOMPARE(test::explain(c).error().code, ErrorCode::ParameterRange);
        }
    }
};

KAIKOU_TEST(TstTables)
#include "tst_tables.moc"
