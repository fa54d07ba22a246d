#include "inference/load/pickle_globals.h"

#include <algorithm>
#include <array>

namespace kaikou {

namespace {

// os, sys, posix and nt are what torch blocks even when a user allows them; the rest runs code or files too.
constexpr std::array<std::string_view, 24> kForbiddenModules = {"os", "sys", "posix", "nt", "subprocess",
    "builtins", "importlib", "runpy", "pty", "socket", "shutil", "ctypes", "marshal", "pickle", "_pickle",
    "code", "codeop", "webbrowser", "commands", "multiprocessing", "threading", "asyncio", "urllib", "http"};

constexpr std::array<std::string_view, 17> kHarmlessBuiltins
    = {"object", "list", "dict", "tuple", "int", "float", "complex", "bool", "str", "bytes", "slice", "range",
        "type", "NotImplementedType", "Ellipsis", "long", "unicode"};

bool contains(const auto& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

GlobalRole builtinRole(std::string_view name)
{
    if (name == "set" || name == "frozenset")
        return GlobalRole::Set;
    if (name == "bytearray")
        return GlobalRole::ByteArray;
    return contains(kHarmlessBuiltins, name) ? GlobalRole::Unknown : GlobalRole::Forbidden;
}

GlobalRole torchRole(std::string_view module, std::string_view name)
{
    if (module == "torch._utils") {
        if (name == "_rebuild_tensor" || name == "_rebuild_tensor_v2" || name == "_rebuild_tensor_v3")
            return GlobalRole::RebuildTensor;
        if (name == "_rebuild_parameter" || name == "_rebuild_parameter_with_state")
            return GlobalRole::RebuildParameter;
        return GlobalRole::Unknown;
    }
    if (name.ends_with("Storage"))
        return GlobalRole::Plain;
    if (module != "torch")
        return GlobalRole::Unknown;
    if (name == "Size")
        return GlobalRole::Size;
    constexpr std::array<std::string_view, 17> kNames
        = {"device", "float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8",
            "bool", "qint8", "quint8", "qint32", "per_tensor_affine", "per_channel_affine", "strided"};
    return contains(kNames, name) ? GlobalRole::Plain : GlobalRole::Unknown;
}

} // namespace

GlobalRole globalRole(std::string_view module, std::string_view name)
{
    if (module == "builtins" || module == "__builtin__")
        return builtinRole(name);
    if (module == "collections" && name == "OrderedDict")
        return GlobalRole::OrderedDict;
    if (module == "_codecs" && name == "encode")
        return GlobalRole::Encode;
    if (module == "torch" || module == "torch.storage" || module == "torch._utils")
        return torchRole(module, name);
    return contains(kForbiddenModules, module.substr(0, module.find('.'))) ? GlobalRole::Forbidden
                                                                           : GlobalRole::Unknown;
}

} // namespace kaikou
