#include "load_helpers.h"

#include "inference/load/open_checkpoint.h"
#include "tests/support/paths.h"
#include "tests/support/test_registry.h"
#include "tests/support/tiny_checkpoint.h"

#include <QtTest/QtTest>

using namespace kaikou;
using namespace kaikou::test;

// What a user may drop on the window: every kind of file and the answer it gets.
class TstOpen : public QObject
{
    Q_OBJECT

private slots:
    void kinds_data();
    void kinds();
    void missingAndForbidden();
    void anyPathAndName();
    void wrongExtensionIsNoted();
    void truncatedModel();
    void unknownFamily();
    void foreignFolders_data();
    void foreignFolders();
    void progressGrows_data();
    void progressGrows();
};

void TstOpen::kinds_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("mention");
    const auto row = [](const char* name, const QByteArray& content, ErrorCode code, const char* mention) {
        QTest::newRow(qPrintable(QString(name) + ' ' + mention))
            << name << content << static_cast<int>(code) << mention;
    };
    const QByteArray lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:" + QByteArray(64, 'a')
        + "\nsize 13485454\n";
    QCOMPARE(lfs.size(), 133);
    row("m.safetensors", lfs, ErrorCode::FileIsLfsPointer,
        "This is a Git LFS pointer (133 bytes), not the model. Download the real file (size 13485454 from "
        "the pointer).");
    row("m.pt", "<!DOCTYPE html><html>", ErrorCode::FileIsWebPage, "saved a web page");
    row("m.safetensors", "\xEF\xBB\xBF \n<HTML lang=en>", ErrorCode::FileIsWebPage, "HTML");
    row("m.bin", "<?xml version=\"1.0\"?>", ErrorCode::FileIsWebPage, "XML");
    row("m.pt", "{\"error\":\"Repository not found\"}", ErrorCode::FileIsWebPage, "JSON");
    row("tokens.json", "{\"a\":1}", ErrorCode::FileKindUnknown, "a JSON file, not a model");
    row("m.gguf", QByteArray("GGUF\3\0\0\0", 8), ErrorCode::FormatUnsupported,
        "GGUF files are not supported yet");
    row("m.pt", QByteArray("\x80\x02}q\x00.", 6), ErrorCode::FormatUnsupported, "bare pickle");
    row("m.pt",
        QByteArray("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e\x80\x02M\xe9\x03.", 21),
        ErrorCode::FormatUnsupported, "before 1.6");
    row("m.pt", QByteArray(257, 'x') + "ustar" + QByteArray(250, '\0'), ErrorCode::FormatUnsupported,
        "tar archive");
    row("m.pt", "PK\x05\x06" + QByteArray(18, '\0'), ErrorCode::FormatZip, "data.pkl");
    row("m.pt", "hello, world", ErrorCode::FileKindUnknown, "not a model file");
    row("m.safetensors", "hello, world", ErrorCode::FormatLimit, "header");
    row("m.safetensors", "abc", ErrorCode::FormatTruncated, "too small");
    row("m.pt", "", ErrorCode::FileEmpty, "0 bytes");
}

void TstOpen::kinds()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    QFETCH(int, code);
    QFETCH(QString, mention);
    const QTemporaryDir temporary;
    const auto path = pathOf(temporary) / name.toStdString();
    writeFile(path, content.toStdString());
    const auto opened = openCheckpoint(path);
    QVERIFY(!opened.ok());
    QVERIFY2(shown(opened.error()).contains(mention), qPrintable(shown(opened.error())));
    QVERIFY2(static_cast<int>(opened.error().code) == code, qPrintable(shown(opened.error())));
    QVERIFY(opened.error().where.find(path.string()) != std::string::npos);
}

void TstOpen::missingAndForbidden()
{
    const QTemporaryDir temporary;
    QVERIFY(openCheckpoint(pathOf(temporary) / "none.pt").error().code == ErrorCode::FileNotFound);
    const auto folder = openCheckpoint(pathOf(temporary));
    QVERIFY(folder.error().code == ErrorCode::ConfigMissing);
    QVERIFY(shown(folder.error()).contains("folder") && shown(folder.error()).contains("config.json"));
    writeFile(pathOf(temporary) / "locked.pt", "x");
    std::filesystem::permissions(pathOf(temporary) / "locked.pt", std::filesystem::perms::none);
    const bool root = std::ifstream(pathOf(temporary) / "locked.pt").good(); // root reads everything
    const auto locked = openCheckpoint(pathOf(temporary) / "locked.pt");
    QVERIFY(locked.error().code == (root ? ErrorCode::FileKindUnknown : ErrorCode::FileAccess));
}

void TstOpen::anyPathAndName()
{
    const QTemporaryDir temporary;
    const auto folder = pathOf(temporary) / "模型 测试";
    writeTinyTeacher(folder);
    std::filesystem::rename(folder / "best.safetensors", folder / "最佳 é😀.safetensors");
    std::filesystem::rename(folder / "best.json", folder / "最佳 é😀.json");
    const auto model = openCheckpoint(folder / "最佳 é😀.safetensors");
    QVERIFY2(model.ok(), model.ok() ? "" : qPrintable(shown(model.error())));
    QCOMPARE(model->name, std::string("最佳 é😀.safetensors"));
    QVERIFY(model->warnings.empty());
}

void TstOpen::wrongExtensionIsNoted()
{
    const QTemporaryDir temporary;
    writeTinyTeacher(pathOf(temporary));
    std::filesystem::rename(pathOf(temporary) / "best.safetensors", pathOf(temporary) / "best.pt");
    const auto model = openCheckpoint(pathOf(temporary) / "best.pt");
    QVERIFY2(model.ok(), model.ok() ? "" : qPrintable(shown(model.error())));
    QCOMPARE(model->warnings.size(), std::size_t {1});
    QCOMPARE(model->warnings[0].message, std::string("the file is named .pt but is safetensors"));
}

void TstOpen::truncatedModel()
{
    const QTemporaryDir temporary;
    writeTinyTeacher(pathOf(temporary));
    const auto path = pathOf(temporary) / "best.safetensors";
    const std::string whole = slurp(path);
    for (std::size_t size = 1; size < whole.size(); size += size < 2500 ? 7 : 997) {
        writeFile(path, whole.substr(0, size));
        const auto opened = openCheckpoint(path);
        QVERIFY(!opened.ok());
        QVERIFY2(opened.error().code == ErrorCode::FormatTruncated, qPrintable(shown(opened.error())));
    }
}

void TstOpen::unknownFamily()
{
    const QTemporaryDir temporary;
    SafetensorsWriter writer;
    for (const char* name : {"f", "e", "d", "c", "b", "a"})
        writer.add(name, {1}, {0});
    writeFile(pathOf(temporary) / "m.safetensors", writer.bytes());
    const auto opened = openCheckpoint(pathOf(temporary) / "m.safetensors");
    QVERIFY(opened.error().code == ErrorCode::ArchitectureUnknown);
    QVERIFY2(shown(opened.error()).contains("a, b, c, d, e ..."), qPrintable(shown(opened.error())));
}

void TstOpen::foreignFolders_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("tool");
    QTest::newRow("LitGPT") << "lit_model.pth"
                            << "LitGPT";
    QTest::newRow("LitGPT without weights") << "model_config.yaml"
                                            << "LitGPT";
    QTest::newRow("nanoGPT") << "ckpt.pt"
                             << "nanoGPT";
    QTest::newRow("GGUF") << "m-q4.gguf"
                          << "GGUF";
}

// The folders of other tools are named, instead of asking for a config.json they never have.
void TstOpen::foreignFolders()
{
    QFETCH(QString, file);
    QFETCH(QString, tool);
    const QTemporaryDir folder;
    QFile weights(folder.filePath(file));
    QVERIFY(weights.open(QIODevice::WriteOnly));
    weights.close();
    const auto opened = openCheckpoint(folder.path().toStdString());
    QVERIFY(!opened);
    QCOMPARE(opened.error().code, ErrorCode::FormatUnsupported);
    QVERIFY(QString::fromStdString(opened.error().message).contains(tool));
    QVERIFY(QString::fromStdString(opened.error().where).contains(folder.path()));
}

void TstOpen::progressGrows_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("torch: CRC, then numbers") << "best.pt";
    QTest::newRow("safetensors: numbers") << "best.safetensors";
}

void TstOpen::progressGrows()
{
    QFETCH(QString, file);
    std::vector<double> seen;
    Progress progress;
    progress.report = [&seen](double fraction) { seen.push_back(fraction); };
    QVERIFY(openCheckpoint(modelPath("gpt_teacher/out") / file.toStdString(), {}, progress).ok());
    QVERIFY(std::is_sorted(seen.begin(), seen.end()));
    QVERIFY(seen.size() >= 6 && seen.size() <= 150);
    QVERIFY(seen.front() > 0.0 && seen.back() > 0.99 && seen.back() <= 1.0);
    const auto half
        = std::count_if(seen.begin(), seen.end(), [](double fraction) { return fraction <= 0.5; });
    QVERIFY(half >= 2 && half + 2 <= std::ssize(seen));
}

KAIKOU_TEST(TstOpen)
#include "tst_open.moc"
