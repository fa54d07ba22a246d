#include "app/composition.h"

#include "app/devices.h"
#include "inference/generate/loaded_model.h"
#include "inference/generate/scheduler.h"
#include "inference/load/open_checkpoint.h"
#include "ui/model/chat_keeper.h"
#include "ui/model/chat_model.h"
#include "ui/model/chat_session.h"
#include "ui/model/fallback_lines.h"
#include "ui/model/generation_bridge.h"
#include "ui/model/record_keeper.h"
#include "ui/view/main_window.h"
#include "ui/view/theme.h"
#ifdef KAIKOU_EMBEDDED_MODEL
#include "resources/embedded_model.h"
#endif

#include <QApplication>
#include <QFileInfo>
#include <QStandardPaths>

namespace kaikou {

namespace {

const QString kBuiltIn = QStringLiteral("builtin"); // where a path is expected: the embedded model

#ifdef KAIKOU_EMBEDDED_MODEL
constexpr bool kEmbedded = true;

Result<Checkpoint> openBuiltIn()
{
    const EmbeddedModel files = embeddedModel();
    return openEmbedded({files.config, files.weights, files.tokenizer, files.generationConfig});
}
#else
constexpr bool kEmbedded = false;

Result<Checkpoint> openBuiltIn()
{
    return Error {ErrorCode::FileNotFound, "this build has no built-in model", {}};
}
#endif

LanguageChoice languageOf(const QString& name, LanguageChoice fallback)
{
    if (name.startsWith(QStringLiteral("zh")))
        return LanguageChoice::Chinese;
    return name == QStringLiteral("en") ? LanguageChoice::English : fallback;
}

ThemeMode themeOf(const QString& name, ThemeChoice fallback)
{
    if (name == QStringLiteral("light"))
        return ThemeMode::Light;
    if (name == QStringLiteral("dark"))
        return ThemeMode::Dark;
    constexpr ThemeMode kModes[] = {ThemeMode::System, ThemeMode::Light, ThemeMode::Dark};
    return name.isEmpty() ? kModes[static_cast<std::size_t>(fallback)] : ThemeMode::System;
}

// A profile of its own (--settings) has its chats beside its settings.
QString chatsFile(const StartOptions& options)
{
    const QString folder = options.settingsFile.isEmpty()
        ? QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)
        : QFileInfo(options.settingsFile).absolutePath();
    const QString name = options.settingsFile.isEmpty()
        ? QString()
        : QFileInfo(options.settingsFile).completeBaseName() + QLatin1Char('-');
    return folder + QLatin1Char('/') + name + QStringLiteral("chats.db");
}

} // namespace

// Built top down, taken down bottom up.
struct Composition::Objects
{
    explicit Objects(const QString& chats)
        : store(chats)
    {
        QObject::connect(&records, &RecordKeeper::dropped, &session, &ChatSession::dropRecords);
    }

    ChatModel chat;
    GenerationBridge bridge;
    ChatSession session {chat, bridge};
    RecordKeeper records {chat};
    ChatStore store;
    ChatKeeper keeper {store, chat, session};
    CheckpointLoader loader {&Composition::open};
};

Composition::Composition(QApplication& app, const StartOptions& options)
    : m_options(options)
    , m_settings(options.settingsFile.isEmpty() ? Settings::defaultFile() : options.settingsFile)
{
    m_language.use(languageOf(options.language, m_settings.language()));
    applyTheme(app, themeOf(options.theme, m_settings.theme()), m_settings.fontPercent() / 100.0);
    m_objects = std::make_unique<Objects>(chatsFile(options));
    m_objects->session.setFallbackLines(
        fallbackLines(m_language.chinese() ? QLocale::Chinese : QLocale::English, m_settings.folder()));
    m_objects->records.setLimit(static_cast<std::uint64_t>(m_settings.recordLimitMiB()) << 20);
    m_window = std::make_unique<MainWindow>(
        WindowParts {m_settings, m_language, m_objects->chat, m_objects->session, m_objects->bridge,
            m_objects->records, m_objects->keeper, m_objects->store, m_objects->loader, kEmbedded});
    if (!m_settings.windowGeometry().isEmpty())
        m_window->restoreGeometry(m_settings.windowGeometry());
    else
        m_window->resize(1280, 800);
}

Composition::~Composition() = default;

void Composition::start()
{
    m_window->show();
    // A model on the CPU must not wake the GPU's driver: it is asked when the chooser is looked at.
    m_window->setBackends({{QStringLiteral("cpu"), QString(), true, {}}});
    QObject::connect(m_window.get(), &MainWindow::backendsWanted, m_window.get(), [this] { probeDevices(); });
    const QString interrupted = m_settings.loadingModel();
    const QString last = interrupted.isEmpty() ? m_settings.lastModel() : QString();
    const QString first = m_options.files.isEmpty() ? last : m_options.files.front();
    if (first == kBuiltIn || (first.isEmpty() && kEmbedded))
        m_window->openModel({});
    else if (!first.isEmpty())
        m_window->openModel(first);
    if (!interrupted.isEmpty())
        m_window->noteInterruptedLoading(interrupted);
    if (!m_settings.damaged().isEmpty())
        m_window->noteDamagedSettings(m_settings.damaged());
}

void Composition::probeDevices()
{
    if (m_probe.joinable())
        return; // asked already
    m_probe = std::jthread([window = m_window.get()] {
        std::vector<BackendChoice> choices;
        for (const DeviceReport& report : listDevices())
            choices.push_back({QString::fromStdString(report.backend), QString::fromStdString(report.name),
                report.available, report.reason});
        QMetaObject::invokeMethod(
            window, [window, choices = std::move(choices)] { window->setBackends(choices); });
    });
}

Result<OpenedModel> Composition::open(const ModelSource& source, const Progress& progress)
{
    KAIKOU_TRY(Checkpoint checkpoint,
        source.path.isEmpty() ? openBuiltIn()
                              : openCheckpoint(source.path.toStdString(), {}, progress.part(0.0, 0.5)));
    OpenedModel opened;
    opened.source = source;
    opened.defaults = samplingDefaults(modelKind(checkpoint), checkpoint.generation);
    KAIKOU_TRY(LoadedModel loaded,
        loadModel(std::move(checkpoint), cpuOnlyRegistry(), {}, progress.part(0.5, 1.0),
            source.backend.toStdString()));
    opened.name = QString::fromStdString(loaded.meta.name);
    opened.format = QString::fromStdString(loaded.meta.format);
    opened.architecture = QString::fromStdString(loaded.meta.architecture);
    opened.warnings = loaded.meta.warnings;
    opened.service = std::make_shared<Scheduler>(std::move(loaded));
    return opened;
}

} // namespace kaikou
