#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QByteArrayView>
#include <QtCore/QList>

#include <cmath>
#include <optional>

namespace kaikou {

struct StoredCandidate
{
    quint32 id = 0;
    float logprob = 0.0F;

    friend bool operator==(const StoredCandidate&, const StoredCandidate&) = default;
};

inline constexpr quint32 kNoRank = 0xFFFFFFFF;

// A token of a stored reply. What was not given (remote servers) is NaN, the rank kNoRank.
struct StoredToken
{
    enum Flag : quint16
    {
        Greedy = 1,
        Forced = 2,
        Special = 4
    };

    quint32 id = 0;
    quint32 byteBegin = 0; // in the message's text
    quint16 byteLength = 0;
    quint16 flags = 0;
    float logModel = NAN, logShaped = NAN, logSample = NAN; // natural logarithms
    quint32 rank = kNoRank;
    float entropy = NAN; // nats
    double u = NAN;
    QList<StoredCandidate> top; // by model probability, best first

    friend bool operator==(const StoredToken&, const StoredToken&) = default;
};

inline constexpr int kTokenBlockFormat = 1;

// Format 1, little-endian (desktop.md §5.2): u32 k, then per token 40 + 8k bytes: id u32, byte_begin u32,
// byte_len u16, flags u16, log p_model f32, p_shaped f32, p_sample f32, rank u32, entropy f32, u f64,
// k × {id u32, logprob f32}. A shorter `top` is filled up with id 0xFFFFFFFF.
[[nodiscard]] QByteArray encodeTokens(const QList<StoredToken>& tokens);

// Nothing when the bytes are not `count` tokens of a known format; never reads outside.
[[nodiscard]] std::optional<QList<StoredToken>> decodeTokens(int format, qint64 count, QByteArrayView data);

} // namespace kaikou
