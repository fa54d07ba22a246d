#pragma once

#include "inference/model/ids.h"

#include <QString>

#include <string_view>

namespace kaikou {

class TextModel;

// How a token is written where it stands alone: its text with spaces and line breaks made visible, the bytes
// of an incomplete character as ⟨E9 87⟩, a special token's name as it is. Never empty.
[[nodiscard]] QString tokenLabel(std::string_view bytes);
[[nodiscard]] QString tokenLabel(const TextModel* text, TokenId id); // text may be null: "#id"

} // namespace kaikou
