#include "inference/chat/form_choice.h"
#include "inference/chat/reply_guard.h"
#include "inference/chat/stops.h"
#include "inference/chat/visible_answer.h"
#include "tests/inference/chat/chat_golden.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

#include <set>

using namespace kaikou;
using namespace kaikou::test;

class TstReplies : public QObject
{
    Q_OBJECT

private slots:
    void visibleAnswersEqualTheOriginal();
    void onlyTeacherAnswersAreTrimmed();
    void stopsByFormAndFamily();
    void emptyReplies();
    void fallbackSentences();
    void formByCheckpoint();
};

void TstReplies::visibleAnswersEqualTheOriginal()
{
    const auto golden = teacherGolden();
    const auto tokenizer = teacherTokenizer();
    int compared = 0;
    for (const JsonValue reply : golden->root()["replies"].children()) {
        const std::string generated = tokenizer->decode(idsOf(reply["ids"]), true);
        const std::string text = visibleAnswer(generated, Family::GptTeacher);
        QCOMPARE(text, std::string(*reply["text"].string()));
        if (!reply["fallback"].isNull())
            QCOMPARE(isEmptyReply(text), *reply["fallback"].boolean());
        ++compared;
    }
    QVERIFY(compared >= 100);
}

void TstReplies::onlyTeacherAnswersAreTrimmed()
{
    QCOMPARE(visibleAnswer(" \n，。：…!?答案。", Family::GptTeacher), std::string("答案。"));
    QCOMPARE(visibleAnswer("\u3000；答，案", Family::GptTeacherFirst), std::string("答，案"));
    QCOMPARE(visibleAnswer("  ，答案", Family::Llama), std::string("  ，答案"));
    QCOMPARE(visibleAnswer("半个\xE5\xAD", Family::Llama), std::string("半个\uFFFD"));
}

void TstReplies::stopsByFormAndFamily()
{
    const auto golden = teacherGolden();
    std::set<std::string> original;
    for (const JsonValue stop : golden->root()["stop_strings"].children())
        original.emplace(*stop.string());
    const StopRule teacher = effectiveStops({}, ChatForm::UserAssistant, Family::GptTeacher);
    QCOMPARE(std::set<std::string>(teacher.strings.begin(), teacher.strings.end()), original);
    QVERIFY(teacher.keep && teacher.beforeMinTokens && !teacher.automatic);
    QCOMPARE(teacher.match, StopMatch::Suffix);

    const StopRule llama = effectiveStops({}, ChatForm::UserAssistant, Family::Llama);
    QCOMPARE(llama.strings, (std::vector<std::string> {"用户:", "\n用户"}));
    QVERIFY(!llama.keep && !llama.beforeMinTokens);
    QCOMPARE(llama.match, StopMatch::Anywhere);
    QVERIFY(effectiveStops({}, ChatForm::Continuation, Family::Llama).strings.empty());

    const StopRule own {.strings = {"END"}, .automatic = false};
    QCOMPARE(effectiveStops(own, ChatForm::UserAssistant, Family::GptTeacher), own);
    const StopRule added
        = effectiveStops({.strings = {"END", "用户:"}}, ChatForm::UserAssistant, Family::Llama);
    QCOMPARE(added.strings, (std::vector<std::string> {"END", "用户:", "\n用户"}));
}

void TstReplies::emptyReplies()
{
    for (const char* text : {"", " \n\u3000", "。", "，", ".", ",", " 。\n"})
        QVERIFY2(isEmptyReply(text), text);
    for (const char* text : {"。。", "好", "?", "；", "..."})
        QVERIFY2(!isEmptyReply(text), text);
}

void TstReplies::fallbackSentences()
{
    const std::vector<std::string> sentences = defaultFallbackSentences();
    QVERIFY(sentences.size() >= 2);
    std::set<std::string> drawn;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const std::string sentence = fallbackSentence(sentences, seed);
        QCOMPARE(sentence, fallbackSentence(sentences, seed));
        drawn.insert(sentence);
    }
    QCOMPARE(drawn.size(), sentences.size());
    QCOMPARE(fallbackSentence({}, 1), std::string());
}

void TstReplies::formByCheckpoint()
{
    const auto teacher = teacherTokenizer();
    Checkpoint checkpoint;
    checkpoint.config.family = Family::GptTeacher;
    QCOMPARE(chooseForm(checkpoint, *teacher).form, ChatForm::UserAssistant);
    checkpoint.config.family = Family::Llama;
    QCOMPARE(chooseForm(checkpoint, *teacher).form, ChatForm::Continuation);
    checkpoint.instructionTuned = true;
    QCOMPARE(chooseForm(checkpoint, *teacher).form, ChatForm::UserAssistant); // its vocabulary
    const auto other = tokenizerFrom(sourceDir() / "tests/golden/tokenizers/bytelevel-gpt2/tokenizer.json");
    QCOMPARE(chooseForm(checkpoint, *other).form, ChatForm::Continuation);
    checkpoint.tokenizer.chatTemplate = "{{ '用户:' + m.content + '\\n助手:' }}";
    QCOMPARE(chooseForm(checkpoint, *other).form, ChatForm::UserAssistant);
    QVERIFY(!chooseForm(checkpoint, *other).reason.empty());
}

KAIKOU_TEST(TstReplies)
#include "tst_replies.moc"
