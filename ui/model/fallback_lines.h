#pragma once

#include <QLocale>
#include <QString>

#include <string>
#include <vector>

namespace kaikou {

// Sentences that stand in for an empty reply, one per line of a text file; '#' starts a comment. The user's
// own copy in `folder` (fallback.zh.txt, fallback.en.txt) wins over the program's. Never empty.
[[nodiscard]] std::vector<std::string> fallbackLines(QLocale::Language language, const QString& folder);

} // namespace kaikou
