#pragma once

#include <cstdint>
#include <string_view>

namespace kaikou {

// What a name in a pickle means to the symbolic machine.
enum class GlobalRole : std::uint8_t
{
    Unknown, // becomes an opaque object
    Forbidden, // modules through which a pickle runs commands: the file is refused wherever the name stands
    OrderedDict,
    RebuildTensor, // torch._utils._rebuild_tensor, _v2, _v3
    RebuildParameter,
    Set, // builtins.set, frozenset
    ByteArray,
    Encode, // _codecs.encode(text, "latin1"): how protocol 2 writes bytes
    Size, // torch.Size
    Plain // storage classes, dtypes, torch.device: names only
};

// `module` as written; Python 2's __builtin__ counts as builtins.
[[nodiscard]] GlobalRole globalRole(std::string_view module, std::string_view name);

} // namespace kaikou
