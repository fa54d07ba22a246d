#include "ui/model/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>

namespace kaikou {

LanguageSwitcher::~LanguageSwitcher()
{
    QCoreApplication::removeTranslator(&m_program);
    QCoreApplication::removeTranslator(&m_qt);
}

void LanguageSwitcher::use(LanguageChoice choice)
{
    const bool system = QLocale::system().language() == QLocale::Chinese;
    m_chinese = choice == LanguageChoice::Chinese || (choice == LanguageChoice::System && system);
    QLocale::setDefault(m_chinese ? QLocale(QLocale::Chinese, QLocale::China)
                                  : QLocale(QLocale::English, QLocale::UnitedStates));
    QCoreApplication::removeTranslator(&m_program);
    QCoreApplication::removeTranslator(&m_qt);
    const QString name = m_chinese ? QStringLiteral("zh_CN") : QStringLiteral("en");
    const QString qtFolder = QLibraryInfo::path(QLibraryInfo::TranslationsPath);
    if (m_chinese && m_qt.load(QStringLiteral("qtbase_zh_CN"), qtFolder))
        QCoreApplication::installTranslator(&m_qt);
    if (m_program.load(QStringLiteral(":/i18n/") + name))
        QCoreApplication::installTranslator(&m_program);
}

} // namespace kaikou
