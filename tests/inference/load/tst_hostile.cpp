#include "load_helpers.h"

#include "inference/base/json.h"
#include "inference/load/file_kind.h"
#include "inference/load/open_checkpoint.h"
#include "inference/load/safetensors.h"
#include "inference/load/torch_file.h"
#include "tests/support/paths.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

#include <optional>

using namespace kaikou;
using namespace kaikou::test;

// The corpus of hostile files with its manifest: a small part lies in tests/golden, all of it beside the
// checkout.
class TstHostile : public QObject
{
    Q_OBJECT

private slots:
    void endsAsTheManifestSays_data();
    void endsAsTheManifestSays();
    void refusedByTheWholeDoor_data();
    void refusedByTheWholeDoor();

private:
    static std::filesystem::path folder()
    {
        const auto shared = sharedDir();
        return shared ? *shared / "goldens/hostile" : sourceDir() / "tests/golden/load/hostile";
    }
};

// The answer of the reader of this format alone, as text; absent = it was read without any remark.
static std::optional<QString> readAs(const QString& format, const std::filesystem::path& path, bool& refused)
{
    std::vector<Warning> warnings;
    std::optional<Error> error;
    if (format == "hf-dir" || std::filesystem::is_directory(path)) {
        auto opened = openCheckpoint(path);
        if (opened.ok())
            warnings = opened->warnings;
        else
            error = opened.error();
    } else if (const auto file = mapFile(path); !file.ok()) {
        error = file.error();
    } else if (const FileKind kind = detectKind(file->bytes); format == "torch" && kind == FileKind::Zip) {
        if (auto torch = readTorch(*file, {}, warnings); !torch.ok())
            error = torch.error();
    } else if (format == "safetensors" && (kind == FileKind::Safetensors || kind == FileKind::Unknown)) {
        if (auto tensors = readSafetensors(*file, warnings); !tensors.ok())
            error = tensors.error();
    } else if (kind == FileKind::Safetensors) {
        return "is safetensors"; // any: recognised by content
    } else {
        error = refusal(kind, *file);
    }
    refused = error.has_value();
    if (error)
        return shown(*error);
    if (warnings.empty())
        return std::nullopt;
    QString text;
    for (const Warning& warning : warnings)
        text += QString::fromStdString(warning.message + ' ' + warning.where);
    return text;
}

void TstHostile::endsAsTheManifestSays_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("expect");
    QTest::addColumn<QList<QStringList>>("mention");
    const std::string text = slurp(folder() / "manifest.json");
    const auto manifest = JsonDocument::parse(text);
    QVERIFY(manifest.ok());
    for (const JsonValue entry : manifest->root()["cases"].children()) {
        const QString file = QString::fromUtf8(std::string(entry.key()).c_str());
        const QString format = QString::fromStdString(std::string(*entry["format"].string()));
        if (format != "safetensors" && format != "torch" && format != "hf-dir")
            continue;
        // What is wrong inside a tokenizer.json is found by tokenize/.
        const bool tokenizer = file.startsWith("hf-tok-") && file != "hf-tok-empty";
        QList<QStringList> groups;
        for (const JsonValue group : entry["must_mention"].children()) {
            groups.emplace_back();
            for (const JsonValue word : group.children())
                groups.back() << QString::fromStdString(std::string(*word.string()));
        }
        const auto expect = QString::fromStdString(std::string(*entry["expect"].string()));
        QTest::newRow(qPrintable(file))
            << file << format << (tokenizer ? "any" : expect) << (tokenizer ? QList<QStringList>() : groups);
    }
}

void TstHostile::endsAsTheManifestSays()
{
    QFETCH(QString, file);
    QFETCH(QString, format);
    QFETCH(QString, expect);
    QFETCH(QList<QStringList>, mention);
    bool refused = false;
    const std::optional<QString> text = readAs(format, folder() / file.toStdString(), refused);
    if (expect == "any")
        return;
    if (expect == "ok") {
        QVERIFY2(!text, qPrintable(text.value_or("")));
        return;
    }
    QVERIFY2(text && (refused || expect == "warn-or-error"), qPrintable(text.value_or("was read")));
    for (const QStringList& group : mention) {
        bool found = false;
        for (const QString& word : group)
            found = found || text->contains(word, Qt::CaseInsensitive);
        QVERIFY2(found, qPrintable(*text + " lacks " + group.join('|')));
    }
}

void TstHostile::refusedByTheWholeDoor_data()
{
    endsAsTheManifestSays_data();
}

// Through openCheckpoint no single container of the corpus is a model, so each ends in an error with a place.
void TstHostile::refusedByTheWholeDoor()
{
    QFETCH(QString, file);
    QFETCH(QString, format);
    QFETCH(QString, expect);
    const auto opened = openCheckpoint(folder() / file.toStdString());
    if (format == "hf-dir" && expect != "error")
        return;
    QVERIFY(!opened.ok());
    QVERIFY(!opened.error().message.empty());
    QVERIFY(!opened.error().where.empty());
}

KAIKOU_TEST(TstHostile)
#include "tst_hostile.moc"
