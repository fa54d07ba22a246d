#include "ui/store/token_block.h"

#include <QtCore/QtEndian>

#include <algorithm>
#include <bit>

namespace kaikou {
namespace {

constexpr qint64 kFixedBytes = 40;
constexpr qint64 kCandidateBytes = 8;
constexpr qint64 kMostCandidates = 1024;
constexpr quint32 kNoCandidate = 0xFFFFFFFF;

template <class T>
void put(QByteArray& out, T value)
{
    const T little = qToLittleEndian(value);
    out.append(reinterpret_cast<const char*>(&little), sizeof little);
}

void put(QByteArray& out, float value)
{
    put(out, std::bit_cast<quint32>(value));
}

void put(QByteArray& out, double value)
{
    put(out, std::bit_cast<quint64>(value));
}

template <class T>
T take(const char*& at)
{
    const T value = qFromLittleEndian<T>(at);
    at += sizeof(T);
    return value;
}

float takeFloat(const char*& at)
{
    return std::bit_cast<float>(take<quint32>(at));
}

StoredToken takeToken(const char*& at, qint64 candidates)
{
    StoredToken token;
    token.id = take<quint32>(at);
    token.byteBegin = take<quint32>(at);
    token.byteLength = take<quint16>(at);
    token.flags = take<quint16>(at);
    token.logModel = takeFloat(at);
    token.logShaped = takeFloat(at);
    token.logSample = takeFloat(at);
    token.rank = take<quint32>(at);
    token.entropy = takeFloat(at);
    token.u = std::bit_cast<double>(take<quint64>(at));
    for (qint64 i = 0; i < candidates; ++i) {
        const auto id = take<quint32>(at);
        const float logprob = takeFloat(at);
        if (id != kNoCandidate)
            token.top.append({id, logprob});
    }
    return token;
}

} // namespace

QByteArray encodeTokens(const QList<StoredToken>& tokens)
{
    qint64 most = 0;
    for (const StoredToken& token : tokens)
        most = std::max<qint64>(most, token.top.size());
    most = std::min(most, kMostCandidates);
    QByteArray out;
    out.reserve(4 + tokens.size() * (kFixedBytes + kCandidateBytes * most));
    put(out, static_cast<quint32>(most));
    for (const StoredToken& token : tokens) {
        put(out, token.id);
        put(out, token.byteBegin);
        put(out, token.byteLength);
        put(out, token.flags);
        put(out, token.logModel);
        put(out, token.logShaped);
        put(out, token.logSample);
        put(out, token.rank);
        put(out, token.entropy);
        put(out, token.u);
        for (qint64 i = 0; i < most; ++i) {
            const bool given = i < token.top.size();
            put(out, given ? token.top[i].id : kNoCandidate);
            put(out, given ? token.top[i].logprob : NAN);
        }
    }
    return out;
}

std::optional<QList<StoredToken>> decodeTokens(int format, qint64 count, QByteArrayView data)
{
    if (format != kTokenBlockFormat || count < 0 || data.size() < 4)
        return std::nullopt;
    const char* at = data.data();
    const qint64 candidates = take<quint32>(at);
    if (candidates > kMostCandidates)
        return std::nullopt;
    const qint64 tokenBytes = kFixedBytes + kCandidateBytes * candidates;
    if ((data.size() - 4) % tokenBytes != 0 || (data.size() - 4) / tokenBytes != count)
        return std::nullopt;
    QList<StoredToken> tokens;
    tokens.reserve(count);
    for (qint64 i = 0; i < count; ++i)
        tokens.append(takeToken(at, candidates));
    return tokens;
}

} // namespace kaikou
