#include "ui/model/presets.h"

#include "ui/model/params_json.h"

#include <QDir>
#include <QJsonDocument>
#include <QSaveFile>

namespace kaikou {

namespace {

constexpr qint64 kLargest = 1 << 20;

QString fileOf(const QString& folder, const QString& name)
{
    return folder + QLatin1Char('/') + name + QStringLiteral(".json");
}

bool isFileName(const QString& name)
{
    static const QString kForbidden = QStringLiteral("/\\:*?\"<>|");
    const bool hidden = name.startsWith(QLatin1Char('.'));
    return !name.isEmpty() && name.size() <= 80 && !hidden
        && std::none_of(name.begin(), name.end(),
            [](QChar c) { return c.category() == QChar::Other_Control || kForbidden.contains(c); });
}

} // namespace

QStringList presetNames(const QString& folder)
{
    QStringList names;
    for (const QFileInfo& file :
        QDir(folder).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Name))
        names += file.completeBaseName();
    return names;
}

Result<ReplyParams> readPreset(const QString& folder, const QString& name)
{
    const QString path = fileOf(folder, name);
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error {ErrorCode::FileRead, file.errorString().toStdString(), path.toStdString()};
    QJsonParseError fault;
    const QJsonDocument json = QJsonDocument::fromJson(file.read(kLargest), &fault);
    if (!json.isObject())
        return Error {ErrorCode::FormatJson,
            json.isNull() ? fault.errorString().toStdString() : std::string("expected an object"),
            path.toStdString()};
    auto params = paramsFromJson(json.object());
    if (!params)
        return Error {params.error().code, params.error().message, path.toStdString()};
    return params;
}

Result<void> writePreset(const QString& folder, const QString& name, const ReplyParams& params)
{
    if (!isFileName(name))
        return Error {
            ErrorCode::ParameterRange, "this name cannot be the name of a file", name.toStdString()};
    const QString path = fileOf(folder, name);
    const QByteArray text = QJsonDocument(paramsToJson(params)).toJson();
    QSaveFile file(path);
    if (!QDir().mkpath(folder) || !file.open(QIODevice::WriteOnly) || file.write(text) != text.size()
        || !file.commit())
        return Error {ErrorCode::FileWrite, file.errorString().toStdString(), path.toStdString()};
    return {};
}

} // namespace kaikou
