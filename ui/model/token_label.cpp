#include "ui/model/token_label.h"

#include "inference/generate/service.h"

#include <QStringDecoder>

namespace kaikou {

namespace {

QString hexBytes(std::string_view bytes)
{
    const QByteArray raw(bytes.data(), static_cast<qsizetype>(bytes.size()));
    return QStringLiteral("⟨") + QString::fromLatin1(raw.toHex(' ').toUpper()) + QStringLiteral("⟩");
}

QString visible(QChar c)
{
    switch (c.unicode()) {
    case u' ':
        return QStringLiteral("␣");
    case u'\n':
        return QStringLiteral("↵");
    case u'\r':
        return QStringLiteral("␍");
    case u'\t':
        return QStringLiteral("⇥");
    case u'\u3000':
        return QStringLiteral("␣␣");
    default:
        return c.isPrint() || c.isSurrogate()
            ? QString(c)
            : QStringLiteral("⟨U+%1⟩").arg(c.unicode(), 4, 16, QLatin1Char('0')).toUpper();
    }
}

} // namespace

QString tokenLabel(std::string_view bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = decoder(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
    if (decoder.hasError() || bytes.empty())
        return hexBytes(bytes);
    QString label;
    for (const QChar c : text)
        label += visible(c);
    return label;
}

QString tokenLabel(const TextModel* text, TokenId id)
{
    if (text == nullptr || text->piece(id).empty())
        return QStringLiteral("#%1").arg(id);
    return tokenLabel(text->piece(id));
}

} // namespace kaikou
