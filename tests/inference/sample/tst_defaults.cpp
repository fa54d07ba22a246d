#include "inference/sample/defaults.h"
#include "inference/sample/semantics.h"
#include "tests/inference/sample/step.h"
#include "tests/support/test_registry.h"

#include <cmath>

using namespace kaikou;

// Ranges of parameters, their names, and the default values by kind of model.
class TstDefaults : public QObject
{
    Q_OBJECT

private slots:

    void ranges_data()
    {
        QTest::addColumn<SampleParams>("params");
        QTest::addColumn<QByteArray>("field"); // empty = legal
        const float nan = std::nanf(""), infinity = INFINITY;
        const auto bad = [](const char* field, SampleParams params) {
            QTest::newRow(field) << params << QByteArray(field);
        };
        bad("temperature", {.temperature = nan});
        bad("temperature", {.temperature = infinity});
        bad("top_p", {.topP = 1.0001F});
        bad("top_p", {.topP = -.1F});
        bad("top_p", {.topP = nan});
        bad("min_p", {.minP = 2});
        bad("repetition_penalty", {.repetitionPenalty = 0});
        bad("repetition_penalty", {.repetitionPenalty = -1});
        bad("repetition_penalty", {.repetitionPenalty = nan});
        bad("presence_penalty", {.presencePenalty = infinity});
        bad("frequency_penalty", {.frequencyPenalty = nan});
        bad("logit_bias", {.logitBias = {{1, 0.0F}, {2, nan}}});
        QTest::newRow("defaults") << SampleParams {} << QByteArray();
        QTest::newRow("edges")
            << SampleParams {.temperature = -1, .topK = -5, .topP = 0, .minP = 1, .repetitionPenalty = .01F}
            << QByteArray();
        QTest::newRow("huge k") << SampleParams {.topK = 1 << 30} << QByteArray();
    }

    void ranges()
    {
        QFETCH(SampleParams, params);
        QFETCH(QByteArray, field);
        const auto checked = check(params);
        QCOMPARE(checked.ok(), field.isEmpty());
        if (checked.ok())
            return;
        QCOMPARE(checked.error().code, ErrorCode::ParameterRange);
        QVERIFY(checked.error().message.find(field.toStdString()) != std::string::npos);
    }

    void names()
    {
        for (const char* name : {"standard", "llama.cpp", "vllm", "litgpt", "gpt_teacher"})
            QCOMPARE(semanticsName(semanticsByName(name).value()), std::string_view(name));
        QCOMPARE(semanticsByName("hf").error().code, ErrorCode::ParameterRange);
    }

    void kinds_data()
    {
        QTest::addColumn<ModelKind>("kind");
        QTest::addColumn<SampleParams>("params");
        QTest::addColumn<quint32>("maxTokens");
        QTest::newRow("base") << ModelKind::Base
                              << SampleParams {.temperature = .7F, .topP = .9F, .repetitionPenalty = 1.15F}
                              << 512U;
        QTest::newRow("chat") << ModelKind::Chat << SampleParams {.temperature = .5F, .topK = 50, .topP = .9F}
                              << 512U;
        QTest::newRow("gpt_teacher") << ModelKind::GptTeacher
                                     << SampleParams {.semantics = Semantics::GptTeacher,
                                            .temperature = 0,
                                            .topK = 50,
                                            .topP = .9F,
                                            .repetitionPenalty = 1.5F,
                                            .minTokens = 5}
                                     << 128U;
        QTest::newRow("gpt_teacher first") << ModelKind::GptTeacherFirst
                                           << SampleParams {.temperature = 0,
                                                  .topK = 50,
                                                  .topP = .9F,
                                                  .repetitionPenalty = 1.5F,
                                                  .minTokens = 5}
                                           << 128U;
        QTest::newRow("embedded") << ModelKind::Embedded << SampleParams {.temperature = .7F, .topP = .9F}
                                  << 512U;
    }

    void kinds()
    {
        QFETCH(ModelKind, kind);
        QFETCH(SampleParams, params);
        QFETCH(quint32, maxTokens);
        const SamplingDefaults defaults = samplingDefaults(kind);
        QVERIFY(defaults.params == params);
        QCOMPARE(defaults.maxTokens, maxTokens);
        QCOMPARE(defaults.source, DefaultSource::Kind);
        QVERIFY(!defaults.reason.empty());
        QVERIFY(check(defaults.params).ok());
    }

    void userBeatsChatBeatsHintsBeatsKind()
    {
        GenerationHints hints;
        hints.temperature = .1F;
        hints.topK = 7;
        hints.repetitionPenalty = 1.3F;
        SamplingOverrides chat, user;
        chat.temperature = .2F;
        chat.topK = 8;
        user.temperature = .3F;
        const SamplingDefaults all = samplingDefaults(ModelKind::Chat, hints, chat, user);
        QCOMPARE(all.params.temperature, .3F);
        QCOMPARE(all.params.topK, 8);
        QCOMPARE(all.params.repetitionPenalty, 1.3F);
        QCOMPARE(all.params.topP, .9F);
        QCOMPARE(all.source, DefaultSource::User);
        QCOMPARE(samplingDefaults(ModelKind::Chat, hints, chat).source, DefaultSource::Chat);
        QCOMPARE(samplingDefaults(ModelKind::Chat, hints).source, DefaultSource::GenerationHints);
        QCOMPARE(samplingDefaults(ModelKind::Chat, hints).params.temperature, .1F);
    }

    void kindOfACheckpoint()
    {
        Checkpoint checkpoint;
        QCOMPARE(modelKind(checkpoint), ModelKind::Embedded);
        checkpoint.path = "model";
        QCOMPARE(modelKind(checkpoint), ModelKind::Base);
        checkpoint.instructionTuned = true;
        QCOMPARE(modelKind(checkpoint), ModelKind::Chat);
        checkpoint.config.family = Family::GptTeacher;
        QCOMPARE(modelKind(checkpoint), ModelKind::GptTeacher);
        checkpoint.config.family = Family::GptTeacherFirst;
        QCOMPARE(modelKind(checkpoint), ModelKind::GptTeacherFirst);
    }

    void stagesThatASystemLacks()
    {
        QVERIFY(!hasStage(Semantics::LitGpt, StageKind::MinP));
        QVERIFY(!hasStage(Semantics::LitGpt, StageKind::Repetition));
        QVERIFY(!hasStage(Semantics::GptTeacher, StageKind::FrequencyPresence));
        QVERIFY(!hasStage(Semantics::GptTeacher, StageKind::MinP));
        QVERIFY(hasStage(Semantics::Vllm, StageKind::MinP));
        // Their parameters then do nothing.
        test::StepCase c {.generated = {0}};
        c.params
            = {.semantics = Semantics::LitGpt, .minP = .3F, .repetitionPenalty = 2, .presencePenalty = 3};
        KAIKOU_COMPARE_PROBS(test::explain(c).value().pSample, test::explain({}).value().pSample, 0.0);
    }
};

KAIKOU_TEST(TstDefaults)
#include "tst_defaults.moc"
