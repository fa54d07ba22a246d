#include "tests/inference/sample/step.h"
#include "tests/support/paths.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

using namespace kaikou;

// Every case of sampling.json: distributions of the real libraries (Transformers, LitGPT, GPT_teacher,
// llama.cpp).
class TstGoldens : public QObject
{
    Q_OBJECT

private:
    static constexpr double kTolerance = 3e-6; // the file's own

    static std::vector<double> doubles(const QJsonValue& array)
    {
        std::vector<double> values;
        for (const QJsonValue value : array.toArray())
            values.push_back(value.isString() ? test::kMasked : value.toDouble());
        return values;
    }

    static test::StepCase caseOf(const QJsonObject& object)
    {
        test::StepCase c;
        c.logits.clear();
        for (const double logit : doubles(object["logits"]))
            c.logits.push_back(static_cast<float>(logit));
        for (const QJsonValue id : object["history"].toArray())
            c.generated.push_back(static_cast<TokenId>(id.toInt()));
        const QString semantics = object["semantics"].toString();
        c.params.semantics
            = semantics == "hf" ? Semantics::Standard : semanticsByName(semantics.toStdString()).value();
        const QJsonObject params = object["params"].toObject();
        const auto number = [&params](const char* key, double off) {
            return static_cast<float>(params[key].toDouble(off));
        };
        c.params.temperature = number("temperature", 1.0);
        c.params.topK = params["top_k"].toInt(0);
        c.params.topP = number("top_p", 1.0);
        c.params.minP = number("min_p", 0.0);
        c.params.repetitionPenalty = number("repetition_penalty", 1.0);
        c.params.frequencyPenalty = number("frequency_penalty", 0.0);
        c.params.presencePenalty = number("presence_penalty", 0.0);
        c.params.repetitionWindow = static_cast<std::uint32_t>(params["penalty_last_n"].toInt(0));
        if (params["penalty_last_n"].toInt(1)
            == 0) { // llama.cpp: no penalties; ours: the window of the preset
            c.params.repetitionPenalty = 1;
            c.params.frequencyPenalty = c.params.presencePenalty = 0;
        }
        return c;
    }

    static void compare(std::vector<double> got, const QJsonValue& array, bool ties)
    {
        std::vector<double> expected = doubles(array);
        if (ties) {
            std::sort(got.begin(), got.end());
            std::sort(expected.begin(), expected.end());
        }
        KAIKOU_COMPARE_PROBS(got, expected, kTolerance);
    }

private slots:

    void cases_data()
    {
        QTest::addColumn<QJsonObject>("object");
        QFile file(QString::fromStdString((test::sourceDir() / "tests/golden/sampling.json").string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonArray cases = QJsonDocument::fromJson(file.readAll()).object()["cases"].toArray();
        QCOMPARE(cases.size(), 420);
        for (const QJsonValue value : cases) {
            const QJsonObject object = value.toObject();
            QTest::addRow("%s %s %s", qPrintable(object["table"].toString()),
                qPrintable(object["case"].toString()), qPrintable(object["semantics"].toString()))
                << object;
        }
    }

    void cases()
    {
        QFETCH(QJsonObject, object);
        const auto explained = test::explain(caseOf(object));
        QVERIFY(explained.ok());
        const bool ties = object["ties"].toBool();
        compare(explained.value().pSample, object["probs"], ties);
        if (object.contains("confidence_probs"))
            compare(explained.value().pShaped, object["confidence_probs"], ties);
    }
};

KAIKOU_TEST(TstGoldens)
#include "tst_goldens.moc"
