#include "ui/model/params_json.h"

#include <QJsonArray>

#include <charconv>
#include <cmath>
#include <limits>

namespace kaikou {

namespace {

constexpr const char* kPositions[] = {"automatic", "correct", "gpt_teacher"};
constexpr const char* kMatches[] = {"anywhere", "suffix"};

// Both directions of one field: `pass(key, field)` writes the field or reads it.
template <class Pass, class Params>
void passFields(Pass& pass, Params& params)
{
    auto& s = params.sampling;
    pass("temperature", s.temperature);
    pass("do_sample", s.greedy, true);
    pass("top_k", s.topK);
    pass("top_p", s.topP);
    pass("min_p", s.minP);
    pass("repetition_penalty", s.repetitionPenalty);
    pass("presence_penalty", s.presencePenalty);
    pass("frequency_penalty", s.frequencyPenalty);
    pass("repetition_window", s.repetitionWindow);
    pass("min_tokens", s.minTokens);
    pass("temperature_last", s.temperatureLast);
    pass("max_new_tokens", params.maxTokens);
    pass("stop_keep", params.stops.keep);
    pass("stop_before_min_tokens", params.stops.beforeMinTokens);
    pass("stop_automatic", params.stops.automatic);
}

struct Writer
{
    QJsonObject json;

    void operator()(const char* key, bool value, bool inverted = false)
    {
        json[QLatin1String(key)] = value != inverted;
    }

    // The shortest number that reads back as the same float, so that 0.7 is written as 0.7.
    void operator()(const char* key, float value)
    {
        char text[32];
        const auto end = std::to_chars(text, text + sizeof text, value);
        json[QLatin1String(key)] = QByteArray(text, end.ptr - text).toDouble();
    }

    template <class Integer>
    void operator()(const char* key, Integer value)
    {
        json[QLatin1String(key)] = static_cast<qint64>(value);
    }
};

struct Reader
{
    const QJsonObject& json;
    QString wrong; // the first key with a value of another type

    QJsonValue take(const char* key, QJsonValue::Type type)
    {
        const QJsonValue value = json.value(QLatin1String(key));
        if (value.isUndefined() || value.isNull())
            return QJsonValue::Undefined;
        if (value.type() == type)
            return value;
        if (wrong.isEmpty())
            wrong = QLatin1String(key);
        return QJsonValue::Undefined;
    }

    void operator()(const char* key, bool& field, bool inverted = false)
    {
        if (const QJsonValue value = take(key, QJsonValue::Bool); value.isBool())
            field = value.toBool() != inverted;
    }

    void operator()(const char* key, float& field)
    {
        if (const QJsonValue value = take(key, QJsonValue::Double); value.isDouble())
            field = static_cast<float>(value.toDouble());
    }

    template <class Integer>
    void operator()(const char* key, Integer& field)
    {
        const QJsonValue value = take(key, QJsonValue::Double);
        if (!value.isDouble())
            return;
        const double number = value.toDouble();
        const bool fits = number == std::floor(number)
            && number >= static_cast<double>(std::numeric_limits<Integer>::min())
            && number <= static_cast<double>(std::numeric_limits<Integer>::max());
        if (fits)
            field = static_cast<Integer>(number);
        else if (wrong.isEmpty())
            wrong = QLatin1String(key);
    }
};

template <class Enum, std::size_t N>
void readName(Reader& reader, const char* key, const char* const (&names)[N], Enum& field)
{
    const QJsonValue value = reader.take(key, QJsonValue::String);
    if (!value.isString())
        return;
    for (std::size_t i = 0; i < N; ++i) {
        if (value.toString() == QLatin1String(names[i])) {
            field = static_cast<Enum>(i);
            return;
        }
    }
    if (reader.wrong.isEmpty())
        reader.wrong = QLatin1String(key);
}

void readLists(Reader& reader, ReplyParams& params)
{
    for (const QJsonValue stop : reader.take("stop", QJsonValue::Array).toArray()) {
        if (!stop.toString().isEmpty())
            params.stops.strings.push_back(stop.toString().toStdString());
        else
            reader.wrong = QStringLiteral("stop");
    }
    for (const QJsonValue pair : reader.take("logit_bias", QJsonValue::Array).toArray()) {
        if (pair.toArray().size() == 2)
            params.sampling.logitBias.emplace_back(
                static_cast<TokenId>(pair[0].toInteger()), static_cast<float>(pair[1].toDouble()));
        else
            reader.wrong = QStringLiteral("logit_bias");
    }
    for (const QJsonValue id : reader.take("suppress_tokens", QJsonValue::Array).toArray())
        params.sampling.masked.push_back(static_cast<TokenId>(id.toInteger()));
}

} // namespace

QJsonObject paramsToJson(const ReplyParams& params)
{
    Writer writer;
    passFields(writer, params);
    QJsonObject json = std::move(writer.json);
    const std::string_view semantics = semanticsName(params.sampling.semantics);
    json[QStringLiteral("semantics")] = QString::fromUtf8(semantics.data(), std::ssize(semantics));
    json[QStringLiteral("positions")] = QLatin1String(kPositions[static_cast<std::size_t>(params.positions)]);
    json[QStringLiteral("stop_match")]
        = QLatin1String(kMatches[static_cast<std::size_t>(params.stops.match)]);
    QJsonArray stops;
    QJsonArray bias;
    QJsonArray masked;
    for (const std::string& text : params.stops.strings)
        stops.append(QString::fromStdString(text));
    for (const auto& [id, value] : params.sampling.logitBias)
        bias.append(QJsonArray {static_cast<qint64>(id), static_cast<double>(value)});
    for (const TokenId id : params.sampling.masked)
        masked.append(static_cast<qint64>(id));
    json[QStringLiteral("stop")] = stops;
    json[QStringLiteral("logit_bias")] = bias;
    json[QStringLiteral("suppress_tokens")] = masked;
    return json;
}

Result<ReplyParams> paramsFromJson(const QJsonObject& json)
{
    ReplyParams params;
    Reader reader {json, {}};
    passFields(reader, params);
    readName(reader, "positions", kPositions, params.positions);
    readName(reader, "stop_match", kMatches, params.stops.match);
    readLists(reader, params);
    if (const QJsonValue name = reader.take("semantics", QJsonValue::String); name.isString()) {
        KAIKOU_TRY(params.sampling.semantics, semanticsByName(name.toString().toStdString()));
    }
    if (!reader.wrong.isEmpty())
        return Error {
            ErrorCode::FormatJson, "\"" + reader.wrong.toStdString() + "\" has a value of another kind", {}};
    KAIKOU_CHECK(check(params.sampling));
    return params;
}

} // namespace kaikou
