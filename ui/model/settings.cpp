#include "ui/model/settings.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

namespace kaikou {

namespace {

const QString kThemeKey = QStringLiteral("appearance/theme");
const QString kLanguageKey = QStringLiteral("appearance/language");
const QString kFontKey = QStringLiteral("appearance/font_percent");
const QString kColourKey = QStringLiteral("appearance/colour_tokens");
const QString kEarlierKey = QStringLiteral("chat/use_earlier_turns");
const QString kRecordKey = QStringLiteral("engine/record_limit_mib");
const QString kBackendKey = QStringLiteral("engine/backend");
const QString kSamplesKey = QStringLiteral("study/samples");
const QString kRecentKey = QStringLiteral("models/recent");
const QString kGeometryKey = QStringLiteral("window/geometry");
const QString kStateKey = QStringLiteral("window/state");
const QString kLastModelKey = QStringLiteral("session/model");
const QString kLoadingKey = QStringLiteral("session/loading");
const QString kOpenChatKey = QStringLiteral("session/chat");
const QString kSchemaKey = QStringLiteral("schema");

constexpr const char* kThemes[] = {"system", "light", "dark"};
constexpr const char* kLanguages[] = {"system", "zh_CN", "en"};

template <std::size_t Count>
std::uint8_t indexOf(const char* const (&names)[Count], const QString& name)
{
    for (std::size_t i = 0; i < Count; ++i) {
        if (name == QLatin1String(names[i]))
            return static_cast<std::uint8_t>(i);
    }
    return 0;
}

bool readable(const QString& file)
{
    QFile raw(file);
    if (!raw.exists())
        return true;
    if (!raw.open(QIODevice::ReadOnly) || raw.readAll().contains('\0')) // Qt reads past NUL bytes
        return false;
    return QSettings(file, QSettings::IniFormat).status() == QSettings::NoError;
}

// The new name of a file that cannot be read, or nothing.
QString setAside(const QString& file)
{
    if (readable(file))
        return {};
    const QString kept = file + QStringLiteral(".bad-")
        + QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmss-zzz"));
    return QFile::rename(file, kept) ? kept : QString();
}

} // namespace

Settings::Settings(const QString& file)
    : m_damaged(setAside(file))
    , m_store(file, QSettings::IniFormat)
{
    m_store.setAtomicSyncRequired(true);
    if (!m_store.contains(kSchemaKey))
        m_store.setValue(kSchemaKey, kSchema);
}

QString Settings::defaultFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation)
        + QStringLiteral("/kaikou");
}

QString Settings::defaultFile()
{
    return defaultFolder() + QStringLiteral("/kaikou.ini");
}

QString Settings::folder() const
{
    return QFileInfo(m_store.fileName()).absolutePath();
}

ThemeChoice Settings::theme() const
{
    return static_cast<ThemeChoice>(indexOf(kThemes, m_store.value(kThemeKey).toString()));
}

void Settings::setTheme(ThemeChoice theme)
{
    m_store.setValue(kThemeKey, QLatin1String(kThemes[static_cast<std::uint8_t>(theme)]));
}

LanguageChoice Settings::language() const
{
    return static_cast<LanguageChoice>(indexOf(kLanguages, m_store.value(kLanguageKey).toString()));
}

void Settings::setLanguage(LanguageChoice language)
{
    m_store.setValue(kLanguageKey, QLatin1String(kLanguages[static_cast<std::uint8_t>(language)]));
}

int Settings::fontPercent() const
{
    return number(kFontKey, 100, kMinFontPercent, kMaxFontPercent);
}

void Settings::setFontPercent(int percent)
{
    m_store.setValue(kFontKey, qBound(kMinFontPercent, percent, kMaxFontPercent));
}

bool Settings::colourTokens() const
{
    return flag(kColourKey, true);
}

void Settings::setColourTokens(bool on)
{
    m_store.setValue(kColourKey, on);
}

bool Settings::useEarlierTurns() const
{
    return flag(kEarlierKey, true);
}

void Settings::setUseEarlierTurns(bool on)
{
    m_store.setValue(kEarlierKey, on);
}

int Settings::recordLimitMiB() const
{
    return number(kRecordKey, 256, kMinRecordMiB, kMaxRecordMiB);
}

void Settings::setRecordLimitMiB(int mebibytes)
{
    m_store.setValue(kRecordKey, qBound(kMinRecordMiB, mebibytes, kMaxRecordMiB));
}

int Settings::samples() const
{
    return number(kSamplesKey, 5, kMinSamples, kMaxSamples);
}

void Settings::setSamples(int samples)
{
    m_store.setValue(kSamplesKey, qBound(kMinSamples, samples, kMaxSamples));
}

QString Settings::backend() const
{
    const QString name = m_store.value(kBackendKey).toString();
    return name.isEmpty() ? QStringLiteral("cpu") : name;
}

void Settings::setBackend(const QString& name)
{
    m_store.setValue(kBackendKey, name);
}

QStringList Settings::recentModels() const
{
    QStringList paths = m_store.value(kRecentKey).toStringList();
    paths.removeAll(QString());
    paths.removeDuplicates();
    return paths.mid(0, kMaxRecent);
}

void Settings::addRecentModel(const QString& path)
{
    QStringList paths = recentModels();
    paths.removeAll(path);
    paths.prepend(path);
    m_store.setValue(kRecentKey, paths.mid(0, kMaxRecent));
}

void Settings::clearRecentModels()
{
    m_store.remove(kRecentKey);
}

QString Settings::lastModel() const
{
    return m_store.value(kLastModelKey).toString();
}

void Settings::setLastModel(const QString& path)
{
    m_store.setValue(kLastModelKey, path);
}

QString Settings::loadingModel() const
{
    return m_store.value(kLoadingKey).toString();
}

void Settings::setLoadingModel(const QString& path)
{
    if (path.isEmpty())
        m_store.remove(kLoadingKey);
    else
        m_store.setValue(kLoadingKey, path);
    m_store.sync();
}

qint64 Settings::openChat() const
{
    bool valid = false;
    const qint64 chat = m_store.value(kOpenChatKey).toLongLong(&valid);
    return valid && chat > 0 ? chat : 0;
}

void Settings::setOpenChat(qint64 chat)
{
    m_store.setValue(kOpenChatKey, chat);
}

QByteArray Settings::windowGeometry() const
{
    return m_store.value(kGeometryKey).toByteArray();
}

QByteArray Settings::windowState() const
{
    return m_store.value(kStateKey).toByteArray();
}

void Settings::setWindow(const QByteArray& geometry, const QByteArray& state)
{
    m_store.setValue(kGeometryKey, geometry);
    m_store.setValue(kStateKey, state);
}

void Settings::sync()
{
    m_store.sync();
}

int Settings::number(const QString& key, int fallback, int lowest, int highest) const
{
    bool ok = false;
    const int value = m_store.value(key).toInt(&ok);
    return ok && value >= lowest && value <= highest ? value : fallback;
}

bool Settings::flag(const QString& key, bool fallback) const
{
    const QString text = m_store.value(key).toString();
    if (text == QLatin1String("true"))
        return true;
    if (text == QLatin1String("false"))
        return false;
    return fallback;
}

} // namespace kaikou
