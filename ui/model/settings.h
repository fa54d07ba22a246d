#pragma once

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QStringList>

#include <cstdint>

namespace kaikou {

enum class ThemeChoice : std::uint8_t
{
    System,
    Light,
    Dark
};

enum class LanguageChoice : std::uint8_t
{
    System,
    Chinese,
    English
};

// What the user chose, kept in one INI file. Every getter answers a legal value: a missing, wrong or
// out-of-range entry counts as its default, so that a damaged file never keeps the program from starting.
// Keys this version does not know survive. GUI thread.
class Settings
{
public:
    static constexpr int kSchema = 1;
    static constexpr int kMinFontPercent = 80;
    static constexpr int kMaxFontPercent = 250;
    static constexpr int kMinRecordMiB = 16;
    static constexpr int kMaxRecordMiB = 4096;
    static constexpr int kMinSamples = 3;
    static constexpr int kMaxSamples = 50;
    static constexpr int kMaxRecent = 8;

    // file: path of the INI file; its folder is made at the first write.
    // One that cannot be read or is no INI file is renamed to <file>.bad-<time> and all defaults hold.
    explicit Settings(const QString& file);

    // Where the damaged file was kept; empty = there was none. It is worth a notice.
    [[nodiscard]] const QString& damaged() const noexcept { return m_damaged; }

    // The folder that holds settings and the user's own prompt files: <config>/kaikou.
    [[nodiscard]] static QString defaultFolder();
    [[nodiscard]] static QString defaultFile();
    [[nodiscard]] QString folder() const;

    [[nodiscard]] ThemeChoice theme() const;
    void setTheme(ThemeChoice theme);
    [[nodiscard]] LanguageChoice language() const;
    void setLanguage(LanguageChoice language);
    [[nodiscard]] int fontPercent() const; // 80..250
    void setFontPercent(int percent);
    [[nodiscard]] bool colourTokens() const; // tokens are coloured by P_model
    void setColourTokens(bool on);
    [[nodiscard]] bool useEarlierTurns() const;
    void setUseEarlierTurns(bool on);

    [[nodiscard]] int recordLimitMiB() const; // memory for step records, 16..4096
    void setRecordLimitMiB(int mebibytes);
    [[nodiscard]] int samples() const; // of a self-consistency run, 3..50
    void setSamples(int samples);
    [[nodiscard]] QString backend() const; // name in the registry, "cpu" unless chosen
    void setBackend(const QString& name);

    [[nodiscard]] QStringList recentModels() const; // newest first, at most kMaxRecent
    void addRecentModel(const QString& path);
    void clearRecentModels();

    // The model that was open last, a path; empty = the built-in one.
    [[nodiscard]] QString lastModel() const;
    void setLastModel(const QString& path);
    // Set while a model is being loaded: still there at the start = the program ended meanwhile.
    [[nodiscard]] QString loadingModel() const;
    void setLoadingModel(const QString& path); // on disk when it returns
    [[nodiscard]] qint64 openChat() const; // the one that was open last; 0 = none
    void setOpenChat(qint64 chat);
    [[nodiscard]] QByteArray windowGeometry() const;
    [[nodiscard]] QByteArray windowState() const;
    void setWindow(const QByteArray& geometry, const QByteArray& state);

    // Writes what changed to the disk; QSettings also does so by itself.
    void sync();

private:
    [[nodiscard]] int number(const QString& key, int fallback, int lowest, int highest) const;
    [[nodiscard]] bool flag(const QString& key, bool fallback) const;

    QString m_damaged; // found before m_store reads the file
    QSettings m_store;
};

} // namespace kaikou
