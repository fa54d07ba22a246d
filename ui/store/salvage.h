#pragma once

#include <QtCore/QtGlobal>

class QSqlDatabase;

namespace kaikou {

// Copies every row that can still be read from `damaged` into `fresh` (empty, at kStoreVersion), reading each
// table from both ends. Rows whose chat or parent is lost are left out. Returns the number of rows kept.
qint64 copyReadableRows(const QSqlDatabase& damaged, QSqlDatabase& fresh);

} // namespace kaikou
