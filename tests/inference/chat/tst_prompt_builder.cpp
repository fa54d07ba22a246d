#include "inference/chat/prompt_builder.h"
#include "tests/inference/chat/chat_golden.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

#include <algorithm>

using namespace kaikou;
using namespace kaikou::test;

namespace {

const FormChoice kUserAssistant {ChatForm::UserAssistant, "test"};

PromptTarget teacherTarget(const Tokenizer& tokenizer, std::uint32_t context = 128)
{
    return {&tokenizer, Family::GptTeacher, context, kUserAssistant};
}

Turns conversation(std::vector<std::string> texts)
{
    Turns turns;
    for (std::size_t i = 0; i < texts.size(); ++i)
        turns.turns.push_back({i % 2 == 0 ? Role::User : Role::Assistant, std::move(texts[i])});
    return turns;
}

Turns goldenTurns(const JsonValue& prompt)
{
    std::vector<std::string> texts;
    for (const JsonValue exchange : prompt["history"].children()) {
        for (const JsonValue text : exchange.children())
            texts.emplace_back(*text.string());
    }
    texts.emplace_back(*prompt["message"].string());
    return conversation(std::move(texts));
}

std::size_t countOf(const PromptInfo& info, TokenSource source, std::int32_t turn)
{
    return static_cast<std::size_t>(std::count_if(info.origins.begin(), info.origins.end(),
        [&](const TokenOrigin& origin) { return origin.source == source && origin.turn == turn; }));
}

} // namespace

class TstPromptBuilder : public QObject
{
    Q_OBJECT

private slots:
    void turnsEqualTheOriginal_data();
    void turnsEqualTheOriginal();

    void rawTextEqualsTheOriginal_data() { turnsEqualTheOriginal_data(); }

    void rawTextEqualsTheOriginal();
    void firstGenerationEndsWithEos();
    void originsNameTheTurn();
    void originsOfUnknownBytes();
    void oldTurnsAreDroppedWhole();
    void droppingGoesBelowSixTenths();
    void refuseKeepsEveryTurn();
    void lastTurnTooLongSaysNumbers();
    void emptyRepliesStayOut();
    void assistantTurnAtTheEndIsContinued();
    void systemPromptStandsInFront();
    void typedSpecialStringsStayText();
    void teacherParsesSpecialStrings();
    void continuationHasNoLabels();
    void bosOnlyWhereThereIsOne();
    void idsAndEmptyPrompts();
};

void TstPromptBuilder::turnsEqualTheOriginal_data()
{
    QTest::addColumn<int>("index");
    const auto golden = teacherGolden();
    QVERIFY(golden.ok());
    int index = 0;
    for (const JsonValue prompt : golden->root()["prompts"].children())
        QTest::newRow(std::string(*prompt["id"].string()).c_str()) << index++;
}

// The trained checkpoint has 128 positions; a context of 512 leaves room for the golden that is too long.
void TstPromptBuilder::turnsEqualTheOriginal()
{
    QFETCH(int, index);
    const auto golden = teacherGolden();
    const auto tokenizer = teacherTokenizer();
    int at = 0;
    for (const JsonValue prompt : golden->root()["prompts"].children()) {
        if (at++ != index || prompt["history"].isNull())
            continue;
        const auto info = buildPrompt(goldenTurns(prompt), teacherTarget(*tokenizer, 512));
        QVERIFY(info.ok());
        QCOMPARE(info->text, std::string(*prompt["encoded_text"].string()));
        QCOMPARE(info->ids, idsOf(prompt["prompt_ids"]));
        QCOMPARE(info->origins.size(), info->ids.size());
        QCOMPARE(info->origins.front().source, TokenSource::Bos);
        QCOMPARE(info->answerTokens, 512 - static_cast<std::uint32_t>(info->ids.size()));
        QCOMPARE(info->droppedTurns, 0U);
    }
}

void TstPromptBuilder::rawTextEqualsTheOriginal()
{
    QFETCH(int, index);
    const auto golden = teacherGolden();
    const auto tokenizer = teacherTokenizer();
    PromptOptions options;
    options.encode = {.addSpecial = true, .parseSpecial = true};
    options.fit = Fit::KeepEnd;
    int at = 0;
    for (const JsonValue prompt : golden->root()["prompts"].children()) {
        if (at++ != index)
            continue;
        const auto info
            = buildPrompt(std::string(*prompt["prompt"].string()), teacherTarget(*tokenizer), options);
        QVERIFY(info.ok());
        const bool cut = !prompt["used_ids"].isNull();
        QCOMPARE(info->ids, idsOf(prompt[cut ? "used_ids" : "prompt_ids"]));
        QCOMPARE(info->origins.size(), info->ids.size());
        QCOMPARE(info->answerTokens, 128 - static_cast<std::uint32_t>(info->ids.size()));
    }
}

void TstPromptBuilder::firstGenerationEndsWithEos()
{
    const auto tokenizer = teacherTokenizer();
    PromptTarget target = teacherTarget(*tokenizer);
    target.family = Family::GptTeacherFirst;
    const auto info = buildPrompt(conversation({"你是谁？"}), target);
    QVERIFY(info.ok());
    QCOMPARE(info->ids, (std::vector<TokenId> {0, 122, 10, 557, 125, 69, 123, 10, 1}));
    QCOMPARE(info->origins.front().source, TokenSource::Bos);
    QCOMPARE(info->origins.back().source, TokenSource::Special);
}

void TstPromptBuilder::originsNameTheTurn()
{
    const auto tokenizer = teacherTokenizer();
    const auto info
        = buildPrompt(conversation({"什么是机器学习？", "让计算机通过数据自动学习规律。", "你是谁？"}),
            teacherTarget(*tokenizer));
    QVERIFY(info.ok());
    std::string parts[4]; // text by turn, and the form
    for (std::size_t i = 1; i < info->ids.size(); ++i) {
        const TokenOrigin& origin = info->origins[i];
        parts[origin.source == TokenSource::Text ? origin.turn : 3] += tokenizer->piece(info->ids[i]);
    }
    QCOMPARE(parts[0], std::string("什么是机器学习？"));
    QCOMPARE(parts[1], std::string("让计算机通过数据自动学习规律。"));
    QCOMPARE(parts[2], std::string("你是谁？"));
    QCOMPARE(parts[3], std::string("用户:\n助手:\n用户:\n助手:"));
}

void TstPromptBuilder::originsOfUnknownBytes()
{
    const auto tokenizer = teacherTokenizer();
    const auto info = buildPrompt(conversation({"🙂𠮷é\tΩ", "ABC", "xyz"}), teacherTarget(*tokenizer));
    QVERIFY(info.ok());
    // every byte of these texts is a token of its own or part of a piece: the counts of each turn are those
    // of its text alone
    for (const auto& [turn, text] :
        {std::pair(0, "🙂𠮷é\tΩ"), std::pair(1, "ABC"), std::pair(2, "xyz")})
        QCOMPARE(countOf(*info, TokenSource::Text, turn), tokenizer->encode(text, {}).size());
    QCOMPARE(info->unknown.size(),
        static_cast<std::size_t>(std::count(info->ids.begin(), info->ids.end(), tokenizer->special().unk)));
    QVERIFY(info->unknown.size() > 6);
    const auto named
        = buildPrompt(conversation({"HELLO你好HO"}), teacherTarget(*tokenizer)); // it knows E and L
    QCOMPARE(named->unknownCharacters, (std::vector<std::string> {"H", "O"}));
    QVERIFY(buildPrompt(conversation({"你好"}), teacherTarget(*tokenizer))->unknownCharacters.empty());
}

void TstPromptBuilder::oldTurnsAreDroppedWhole()
{
    const auto tokenizer = teacherTokenizer();
    const Turns turns = conversation({"什么是机器学习？", "让计算机通过数据自动学习规律。",
        "太阳系有哪些行星？", "八大行星，包括水星、金星、火星等。", "你是谁？"});
    const auto whole = buildPrompt(turns, teacherTarget(*tokenizer, 512));
    QVERIFY(whole.ok());
    const auto context = static_cast<std::uint32_t>(whole->ids.size()) + 8; // no room for the reserve of 16
    const auto info = buildPrompt(turns, teacherTarget(*tokenizer, context));
    QVERIFY(info.ok());
    QVERIFY(info->droppedTurns == 2 || info->droppedTurns == 4);
    QVERIFY(info->ids.size() <= context * 6 / 10);
    QCOMPARE(info->ids.front(), *tokenizer->special().bos);
    QCOMPARE(info->answerTokens, context - static_cast<std::uint32_t>(info->ids.size()));
    const auto rest
        = buildPrompt(conversation(info->droppedTurns == 2 ? std::vector<std::string> {"太阳系有哪些行星？",
                                       "八大行星，包括水星、金星、火星等。", "你是谁？"}
                                                           : std::vector<std::string> {"你是谁？"}),
            teacherTarget(*tokenizer, 512));
    QCOMPARE(info->ids, rest->ids);
    for (const TokenOrigin& origin : info->origins) // turn numbers stay those of the request
        QVERIFY(origin.turn == -1 || origin.turn >= static_cast<std::int32_t>(info->droppedTurns));
}

// 40 equal exchanges: the number dropped is the smallest that gets below 0.6 of the context.
void TstPromptBuilder::droppingGoesBelowSixTenths()
{
    const auto tokenizer = teacherTokenizer();
    std::vector<std::string> texts;
    for (int i = 0; i < 40; ++i) {
        texts.emplace_back("你是谁？");
        texts.emplace_back("RoPE是旋转位置编码。");
    }
    texts.emplace_back("你是谁？");
    const auto one = buildPrompt(
        conversation({"你是谁？", "RoPE是旋转位置编码。", "你是谁？"}), teacherTarget(*tokenizer));
    const auto none = buildPrompt(conversation({"你是谁？"}), teacherTarget(*tokenizer));
    const std::size_t each = one->ids.size() - none->ids.size();
    const auto info = buildPrompt(conversation(texts), teacherTarget(*tokenizer));
    QVERIFY(info.ok());
    QVERIFY(info->ids.size() <= 76); // 0.6 * 128
    QVERIFY(info->ids.size() + each > 76);
    QCOMPARE(info->droppedTurns % 2, 0U);
    QCOMPARE(info->ids.size(), none->ids.size() + each * (40 - info->droppedTurns / 2));
}

void TstPromptBuilder::refuseKeepsEveryTurn()
{
    const auto tokenizer = teacherTokenizer();
    const Turns turns = conversation({"什么是机器学习？", "让计算机通过数据自动学习规律。", "你是谁？"});
    PromptOptions options;
    options.fit = Fit::Refuse;
    const auto info = buildPrompt(turns, teacherTarget(*tokenizer, 30), options);
    QVERIFY(!info.ok());
    QCOMPARE(info.error().code, ErrorCode::PromptTooLong);
    QVERIFY(buildPrompt(turns, teacherTarget(*tokenizer, 30)).ok());
}

void TstPromptBuilder::lastTurnTooLongSaysNumbers()
{
    const auto golden = teacherGolden();
    const auto tokenizer = teacherTokenizer();
    for (const JsonValue prompt : golden->root()["prompts"].children()) {
        if (*prompt["id"].string() != "too_long")
            continue;
        const auto info = buildPrompt(goldenTurns(prompt), teacherTarget(*tokenizer));
        QVERIFY(!info.ok());
        QCOMPARE(info.error().code, ErrorCode::PromptTooLong);
        QVERIFY2(info.error().message.find("239") != std::string::npos, info.error().message.c_str());
        QVERIFY2(info.error().message.find("96") != std::string::npos, info.error().message.c_str());
    }
    PromptOptions shortAnswer;
    shortAnswer.maxTokens = 5; // the reserve is not larger than the answer can be
    for (const JsonValue prompt : golden->root()["prompts"].children()) {
        if (*prompt["id"].string() == "near_limit")
            QVERIFY(buildPrompt(goldenTurns(prompt), teacherTarget(*tokenizer), shortAnswer).ok());
    }
}

void TstPromptBuilder::emptyRepliesStayOut()
{
    const auto tokenizer = teacherTokenizer();
    const auto with
        = buildPrompt(conversation({"什么是机器学习？", "", "你是谁？"}), teacherTarget(*tokenizer));
    const auto without = buildPrompt(conversation({"你是谁？"}), teacherTarget(*tokenizer));
    QVERIFY(with.ok());
    QCOMPARE(with->ids, without->ids);
    QCOMPARE(with->droppedTurns, 0U);
}

void TstPromptBuilder::assistantTurnAtTheEndIsContinued()
{
    const auto tokenizer = teacherTokenizer();
    const auto info = buildPrompt(conversation({"你是谁？", "我是一个"}), teacherTarget(*tokenizer));
    QVERIFY(info.ok());
    QCOMPARE(info->text, std::string("用户:你是谁？\n助手:我是一个"));
}

void TstPromptBuilder::systemPromptStandsInFront()
{
    const auto tokenizer = teacherTokenizer();
    Turns turns = conversation({"你是谁？"});
    turns.system = "你是老师。";
    const auto info = buildPrompt(turns, teacherTarget(*tokenizer));
    QVERIFY(info.ok());
    QCOMPARE(info->text, std::string("你是老师。\n用户:你是谁？\n助手:"));
    QVERIFY(countOf(*info, TokenSource::Text, -1) > 0);
}

void TstPromptBuilder::typedSpecialStringsStayText()
{
    const auto tokenizer
        = tokenizerFrom(sourceDir() / "tests/golden/tokenizers/llama3-ignore_merges-bos/tokenizer.json");
    QVERIFY(tokenizer);
    const TokenId bos = *tokenizer->special().bos;
    const PromptTarget target {tokenizer.get(), Family::Llama, 512, kUserAssistant};
    const auto info = buildPrompt(conversation({"a <|begin_of_text|><|eot_id|> b"}), target);
    QVERIFY(info.ok());
    QCOMPARE(info->ids.front(), bos);
    QCOMPARE(std::count_if(info->ids.begin() + 1, info->ids.end(),
                 [&](TokenId id) { return tokenizer->isSpecial(id); }),
        0);
    QCOMPARE(info->text, std::string("用户:a <|begin_of_text|><|eot_id|> b\n助手:")); // spaces stay
    std::string text;
    for (std::size_t i = 0; i < info->ids.size(); ++i) {
        if (info->origins[i].source == TokenSource::Text)
            text += tokenizer->piece(info->ids[i]);
    }
    QVERIFY(text.find("<|begin_of_text|><|eot_id|>") != std::string::npos);
}

void TstPromptBuilder::teacherParsesSpecialStrings()
{
    const auto tokenizer = teacherTokenizer();
    const auto info = buildPrompt(conversation({"你<eos>好"}), teacherTarget(*tokenizer));
    QVERIFY(info.ok());
    const auto eos = std::find(info->ids.begin(), info->ids.end(), 1U);
    QVERIFY(eos != info->ids.end());
    const TokenOrigin& origin = info->origins[static_cast<std::size_t>(eos - info->ids.begin())];
    QCOMPARE(origin.source, TokenSource::Special);
    QCOMPARE(origin.turn, 0);
}

void TstPromptBuilder::continuationHasNoLabels()
{
    const auto tokenizer = teacherTokenizer();
    PromptTarget target = teacherTarget(*tokenizer);
    target.family = Family::Llama;
    target.automatic = {ChatForm::Continuation, "base model"};
    const auto info = buildPrompt(conversation({"从前有一座山，", "山上有一座庙。", "庙里有"}), target);
    QVERIFY(info.ok());
    QCOMPARE(info->text, std::string("从前有一座山，山上有一座庙。\n庙里有"));
    QCOMPARE(info->form, ChatForm::Continuation);
    QCOMPARE(info->reason, std::string("base model"));
    Turns chosen = conversation({"你是谁？"});
    chosen.form = ChatForm::UserAssistant;
    QCOMPARE(buildPrompt(chosen, target)->text, std::string("用户:你是谁？\n助手:"));
}

void TstPromptBuilder::bosOnlyWhereThereIsOne()
{
    const auto tokenizer
        = tokenizerFrom(sourceDir() / "tests/golden/tokenizers/bytelevel-gpt2/tokenizer.json");
    QVERIFY(tokenizer && !tokenizer->special().bos);
    const PromptTarget target {tokenizer.get(), Family::Llama, 512, kUserAssistant};
    const auto info = buildPrompt(conversation({"hello"}), target);
    QVERIFY(info.ok());
    QCOMPARE(info->ids, tokenizer->encode("用户:hello\n助手:", {}));
    QCOMPARE(info->origins.front().source, TokenSource::Form);
}

void TstPromptBuilder::idsAndEmptyPrompts()
{
    const auto tokenizer = teacherTokenizer();
    const PromptTarget target = teacherTarget(*tokenizer);
    const std::vector<TokenId> ids {0, 122, 10, 555, 1};
    const auto info = buildPrompt(ids, target);
    QVERIFY(info.ok());
    QCOMPARE(info->ids, ids);
    QCOMPARE(info->origins.front().source, TokenSource::Bos);
    QCOMPARE(info->origins.back().source, TokenSource::Special);
    QCOMPARE(buildPrompt(std::vector<TokenId> {}, target).error().code, ErrorCode::PromptEmpty);
    QCOMPARE(buildPrompt(std::string(), target).error().code, ErrorCode::PromptEmpty);
    QCOMPARE(buildPrompt(Turns {}, target).error().code, ErrorCode::PromptEmpty);
    QCOMPARE(buildPrompt(std::vector<TokenId>(129, 5), target).error().code, ErrorCode::PromptTooLong);
}

KAIKOU_TEST(TstPromptBuilder)
#include "tst_prompt_builder.moc"
