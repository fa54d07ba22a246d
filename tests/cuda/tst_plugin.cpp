#include "inference/backend/plugin_loader.h"
#include "tests/support/test_registry.h"

using namespace kaikou;

class TstPlugin : public QObject
{
    Q_OBJECT

private slots:
    void missingFileIsNamed();
    void otherLibraryIsRefused();
    void ownPluginGivesAReason();
};

void TstPlugin::missingFileIsNamed()
{
    const DeviceReport report = probePlugin("/nowhere/kaikou_cuda.so", "cuda");
    QVERIFY(!report.available);
    QCOMPARE(report.reason.code, ErrorCode::PluginMissing);
    QCOMPARE(report.reason.where, std::string("/nowhere/kaikou_cuda.so"));
}

void TstPlugin::otherLibraryIsRefused()
{
    QTemporaryDir folder;
    const QString text = folder.filePath(QStringLiteral("text.so"));
    QFile file(text);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("not a library");
    file.close();
    QCOMPARE(probePlugin(text.toStdString(), "cuda").reason.code, ErrorCode::PluginInvalid);

    // A real library without our symbol.
    QCOMPARE(probePlugin(QCoreApplication::applicationFilePath().toStdString(), "cuda").reason.code,
        ErrorCode::PluginInvalid);
}

// On a machine without a GPU the module must open (no CUDA library at load time) and say why it cannot be
// used.
void TstPlugin::ownPluginGivesAReason()
{
#ifdef KAIKOU_HAS_CUDA_PLUGIN
    const DeviceReport report = probePlugin(KAIKOU_PLUGIN_DIR "/kaikou_cuda.so", "cuda");
    QVERIFY2(report.reason.code != ErrorCode::PluginInvalid, report.reason.message.c_str());
    QVERIFY(report.reason.code != ErrorCode::PluginMissing);
    QVERIFY(!report.available); // this version brings the probe, not the kernels
    QVERIFY(!report.reason.message.empty());

    QProcess readelf;
    readelf.start(QStringLiteral("readelf"),
        {QStringLiteral("-d"), QStringLiteral(KAIKOU_PLUGIN_DIR "/kaikou_cuda.so")});
    QVERIFY(readelf.waitForFinished());
    const QByteArray needed = readelf.readAllStandardOutput();
    QVERIFY(needed.contains("NEEDED"));
    QVERIFY2(!needed.contains("libcuda") && !needed.contains("libcublas"), needed.constData());
#else
    QCOMPARE(probePlugin(KAIKOU_PLUGIN_DIR "/kaikou_cuda.so", "cuda").reason.code, ErrorCode::PluginMissing);
#endif
}

KAIKOU_TEST(TstPlugin)
#include "tst_plugin.moc"
