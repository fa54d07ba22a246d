#pragma once

#include "inference/sample/params.h"
#include "ui/model/reply.h"

#include <QList>
#include <QLocale>
#include <QString>

#include <optional>

namespace kaikou {

// What the answer to a starter shows.
enum class StarterKind
{
    Plain, // nothing in particular
    Sure, // high confidence throughout
    Unsure, // at least one token below 0.5
    Declined, // the model says that it never learned this
    Split, // two answers, each with a share of about one half
    Story,
    Flat, // a step where 20 tokens or more share 90 %
    Peaked // a step where one token has more than 95 %
};

// A question that an empty chat offers, and the sampling it is asked with.
struct Starter
{
    StarterKind kind = StarterKind::Plain;
    QString question;
    QString caption; // in the user's language; may be empty
    std::optional<float> temperature {};
    std::optional<std::int32_t> topK {};
    std::optional<float> topP {};

    void applyTo(SampleParams& params) const;
};

// The starters of one section of resources/prompts/starters.txt: "builtin", "gpt_teacher", "chat",
// "continuation". Lines that cannot be read are left out.
[[nodiscard]] QList<Starter> starters(const QString& section, QLocale::Language language);

// The token that shows what the starter is about; -1 = the answer as a whole does.
[[nodiscard]] int tellingToken(StarterKind kind, const Reply& reply);

} // namespace kaikou
