#include "ui/model/starters.h"

#include <QFile>
#include <QStringList>

#include <algorithm>
#include <iterator>

namespace kaikou {

namespace {

constexpr const char* kKinds[] = {"plain", "sure", "unsure", "declined", "split", "story", "flat", "peaked"};
constexpr qsizetype kFields = 5; // kind, question, sampling, Chinese, English

std::optional<StarterKind> kindOf(const QString& name)
{
    const auto* const found
        = std::ranges::find_if(kKinds, [&name](const char* kind) { return name == QLatin1String(kind); });
    if (found == std::end(kKinds))
        return std::nullopt;
    return static_cast<StarterKind>(found - std::begin(kKinds));
}

// "temperature=1 top_k=0 top_p=1"; false = a name or a number is wrong.
bool readSampling(const QString& text, Starter& starter)
{
    for (const QString& item : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const QString name = item.section(QLatin1Char('='), 0, 0);
        bool ok = false;
        const float value = item.section(QLatin1Char('='), 1).toFloat(&ok);
        if (!ok)
            return false;
        if (name == QStringLiteral("temperature"))
            starter.temperature = value;
        else if (name == QStringLiteral("top_k"))
            starter.topK = static_cast<std::int32_t>(value);
        else if (name == QStringLiteral("top_p"))
            starter.topP = value;
        else
            return false;
    }
    return true;
}

std::optional<Starter> read(const QString& line, QLocale::Language language)
{
    QStringList fields = line.split(QLatin1Char('|'));
    if (fields.size() != kFields)
        return std::nullopt;
    for (QString& field : fields)
        field = field.trimmed();
    const auto kind = kindOf(fields[0]);
    Starter starter;
    if (!kind || fields[1].isEmpty() || !readSampling(fields[2], starter))
        return std::nullopt;
    starter.kind = *kind;
    starter.question = fields[1];
    starter.caption = language == QLocale::Chinese ? fields[3] : fields[4];
    return starter;
}

} // namespace

void Starter::applyTo(SampleParams& params) const
{
    params.temperature = temperature.value_or(params.temperature);
    params.topK = topK.value_or(params.topK);
    params.topP = topP.value_or(params.topP);
}

QList<Starter> starters(const QString& section, QLocale::Language language)
{
    QFile file(QStringLiteral(":/prompts/starters.txt"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QList<Starter> result;
    bool inside = false;
    for (const QString& raw : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))) {
        const QString line = raw.trimmed();
        if (line.isEmpty() || line.startsWith(QLatin1Char('#')))
            continue;
        if (line.startsWith(QLatin1Char('[')))
            inside = line == QLatin1Char('[') + section + QLatin1Char(']');
        else if (const auto starter = inside ? read(line, language) : std::nullopt)
            result.append(*starter);
    }
    return result;
}

int tellingToken(StarterKind kind, const Reply& reply)
{
    const auto confidence = confidenceOf(reply);
    if (!confidence)
        return -1;
    const auto widest = [&reply] {
        return std::ranges::max_element(
            reply.tokens, {}, [](const ReplyToken& token) { return token.stats.entropy; });
    };
    switch (kind) {
    case StarterKind::Plain:
    case StarterKind::Sure:
    case StarterKind::Declined:
    case StarterKind::Story:
        return -1;
    case StarterKind::Unsure:
        return confidence->lowest;
    case StarterKind::Split:
    case StarterKind::Peaked:
        return 0;
    case StarterKind::Flat:
        return static_cast<int>(widest() - reply.tokens.begin());
    }
    return -1;
}

} // namespace kaikou
