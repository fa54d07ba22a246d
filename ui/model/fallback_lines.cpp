#include "ui/model/fallback_lines.h"

#include "inference/chat/reply_guard.h"

#include <QFile>

namespace kaikou {

namespace {

constexpr qint64 kMaxBytes = 64 << 10;

std::vector<std::string> linesOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    std::vector<std::string> lines;
    for (const QString& line : QString::fromUtf8(file.read(kMaxBytes)).split(QLatin1Char('\n'))) {
        const QString sentence = line.trimmed();
        if (!sentence.isEmpty() && !sentence.startsWith(QLatin1Char('#')))
            lines.push_back(sentence.toStdString());
    }
    return lines;
}

} // namespace

std::vector<std::string> fallbackLines(QLocale::Language language, const QString& folder)
{
    const QString name = language == QLocale::Chinese ? QStringLiteral("fallback.zh.txt")
                                                      : QStringLiteral("fallback.en.txt");
    for (const QString& start : {QString(folder + QStringLiteral("/")), QStringLiteral(":/prompts/")}) {
        std::vector<std::string> lines = linesOf(start + name);
        if (!lines.empty())
            return lines;
    }
    return defaultFallbackSentences();
}

} // namespace kaikou
