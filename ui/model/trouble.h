#pragma once

#include "ui/model/reply.h"

#include <QString>

#include <optional>

namespace kaikou {

enum class TroubleKind
{
    Loop, // detail = the phrase, count = how often
    BrokenText, // nearly every token is no whole text: another model's tokenizer
    Untrained, // entropy near ln V all along: hardly trained yet
    NoRoom // the prompt leaves no place, or the context is full
};

// Why an answer looks wrong, where the answer itself shows it.
struct Trouble
{
    TroubleKind kind = TroubleKind::Loop;
    QString detail;
    int count = 0;
};

// Of a finished reply; nothing while it runs or when all is well.
[[nodiscard]] std::optional<Trouble> troubleOf(const Reply& reply);

} // namespace kaikou
