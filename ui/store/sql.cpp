#include "ui/store/sql.h"

#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>

namespace kaikou {
namespace {

QVariant notNull(const QVariant& value)
{
    if (value.typeId() == QMetaType::QString && value.toString().isNull())
        return QString(QLatin1String(""));
    if (value.typeId() == QMetaType::QByteArray && value.toByteArray().isNull())
        return QByteArray("");
    return value;
}

} // namespace

bool SqlFault::hopeless() const
{
    constexpr int kError = 1, kTooBig = 18, kConstraint = 19, kMismatch = 20;
    return code == kError || code == kTooBig || code == kConstraint || code == kMismatch;
}

SqlFault runSql(const QSqlDatabase& sql, const char* statement, const QVariantList& values)
{
    QSqlQuery query(sql);
    bool done = query.prepare(QString::fromLatin1(statement));
    for (const QVariant& value : values)
        query.addBindValue(notNull(value));
    done = done && query.exec();
    if (done)
        return {};
    const QSqlError error = query.lastError();
    constexpr int kError = 1;
    const int code = error.nativeErrorCode().toInt() & 0xFF;
    return {code == 0 ? kError : code, error.text()};
}

} // namespace kaikou
