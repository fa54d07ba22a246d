#pragma once

#include "inference/base/dtype.h"
#include "inference/base/json.h"
#include "inference/base/result.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaikou {

enum class PickleKind : std::uint8_t
{
    None,
    Boolean,
    Integer,
    Real,
    String,
    Bytes,
    Tuple,
    List,
    Set,
    Dict, // also collections.OrderedDict
    Global, // a name of the allow-list that was not called (a storage class, a dtype)
    Opaque, // an object of a class that is not read; text = its dotted name
    Storage, // number = numel, text = class name, items = {key}
    Tensor // items = {storage, offset, size, stride}
};

using PickleId = std::uint32_t; // index into PickleDocument::nodes

struct PickleNode
{
    PickleKind kind = PickleKind::None;
    std::int64_t number = 0; // Boolean, Integer, Storage
    double real = 0;
    std::string_view text; // String, Bytes, Global, Opaque, Storage; inside the pickle or a static name
    std::vector<PickleId> items; // members; of a Dict key, value, key, value ...
};

// What a pickle describes, as plain data: nothing in it was called. May hold loops, since a list can contain
// itself. Valid while the bytes it was read from live.
struct PickleDocument
{
    std::vector<PickleNode> nodes;
    std::set<std::string> names; // dotted names that nodes point to; a set keeps them in place
    PickleId root = 0;
    std::vector<std::string> skipped; // dotted names that became Opaque, each once
    std::string where;

    // Value of a String key in a Dict (the last one counts), or null.
    [[nodiscard]] const PickleNode* find(const PickleNode& dict, std::string_view key) const;

    [[nodiscard]] const PickleNode& top() const { return nodes[root]; }
};

// Runs the pickle symbolically, protocols 2 to 5: names are only compared with a list, never resolved.
// Errors: FormatPickle and FormatTruncated (where = file and byte), FormatLimit, FormatVersion,
// PickleForbidden for names that could run commands.
[[nodiscard]] Result<PickleDocument> readPickle(std::span<const std::byte> bytes, const std::string& where);

// The plain part of a value (dicts with text keys, lists, numbers, text) as JSON; everything else is null.
[[nodiscard]] Json pickleToJson(const PickleDocument& document, const PickleNode& node);

} // namespace kaikou
