#pragma once

#include "ui/model/settings.h"

#include <QTranslator>

namespace kaikou {

// The language of the user interface; switched while the program runs. Qt tells every widget through
// LanguageChange. GUI thread.
class LanguageSwitcher
{
public:
    LanguageSwitcher() = default;
    ~LanguageSwitcher();
    LanguageSwitcher(const LanguageSwitcher&) = delete;
    LanguageSwitcher& operator=(const LanguageSwitcher&) = delete;

    // System = Chinese where the environment is Chinese, else English.
    void use(LanguageChoice choice);

    [[nodiscard]] bool chinese() const noexcept { return m_chinese; }

private:
    QTranslator m_program;
    QTranslator m_qt; // standard buttons and dialogs
    bool m_chinese = false;
};

} // namespace kaikou
