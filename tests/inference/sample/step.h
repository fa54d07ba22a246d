#pragma once

#include "inference/sample/reshape.h"

#include <QList>
#include <QtTest/QtTest>

#include <limits>
#include <vector>

// Shorthand of the sampler's tests: one step through the ledger.
namespace kaikou::test {

inline constexpr float kMasked = -std::numeric_limits<float>::infinity();

inline const std::vector<float> kL {2.0F, 1.0F, 0.0F, -1.0F}; // the row of sampling.md §7

inline SpecialIds endsAt(std::vector<TokenId> eos)
{
    SpecialIds special;
    special.eos = std::move(eos);
    return special;
}

struct StepCase
{
    std::vector<float> logits = kL;
    std::vector<TokenId> prompt {};
    std::vector<TokenId> generated {};
    SampleParams params {};
    SpecialIds special {};
    double u = 0.0;
};

inline Result<Explained> explain(const StepCase& c)
{
    return reshape(RawLogits::keep(c.logits, RecordForm::F32), c.params, {c.prompt, c.generated},
        c.generated.size(), c.special, c.u);
}

// The worst difference of two distributions; infinite where the lengths differ.
inline double worst(const std::vector<double>& got, const std::vector<double>& expected)
{
    if (got.size() != expected.size())
        return std::numeric_limits<double>::infinity();
    double most = 0.0;
    for (std::size_t i = 0; i < got.size(); ++i)
        most = std::max(most, std::abs(got[i] - expected[i]));
    return most;
}

inline QByteArray show(const std::vector<double>& probs)
{
    QByteArray text;
    for (const double p : probs)
        text += QByteArray::number(p, 'f', 8) + ' ';
    return text;
}

} // namespace kaikou::test

#define KAIKOU_COMPARE_PROBS(got, expected, tolerance)                                                       \
    QVERIFY2(kaikou::test::worst(got, expected) <= (tolerance),                                              \
        (kaikou::test::show(got) + "expected " + kaikou::test::show(expected)).constData())
