#include "inference/load/pickle.h"

#include "inference/load/pickle_machine.h"

namespace kaikou {

namespace {

constexpr int kMaxJsonDepth = 16;

Json toJson(const PickleDocument& document, const PickleNode& node, int depth)
{
    if (depth > kMaxJsonDepth)
        return {};
    switch (node.kind) {
    case PickleKind::Boolean:
        return node.number != 0;
    case PickleKind::Integer:
        return node.number;
    case PickleKind::Real:
        return node.real;
    case PickleKind::String:
        return node.text;
    case PickleKind::List:
    case PickleKind::Tuple: {
        Json array = Json::array();
        for (const PickleId item : node.items)
            array.push(toJson(document, document.nodes[item], depth + 1));
        return array;
    }
    case PickleKind::Dict: {
        Json object = Json::object();
        for (std::size_t i = 0; i + 1 < node.items.size(); i += 2)
            if (const PickleNode& key = document.nodes[node.items[i]]; key.kind == PickleKind::String)
                object.set(
                    std::string(key.text), toJson(document, document.nodes[node.items[i + 1]], depth + 1));
        return object;
    }
    default:
        return {};
    }
}

} // namespace

const PickleNode* PickleDocument::find(const PickleNode& dict, std::string_view key) const
{
    if (dict.kind != PickleKind::Dict)
        return nullptr;
    for (std::size_t i = dict.items.size(); i >= 2; i -= 2) {
        const PickleNode& candidate = nodes[dict.items[i - 2]];
        if (candidate.kind == PickleKind::String && candidate.text == key)
            return &nodes[dict.items[i - 1]];
    }
    return nullptr;
}

Result<PickleDocument> readPickle(std::span<const std::byte> bytes, const std::string& where)
{
    return PickleMachine(bytes, where).run();
}

Json pickleToJson(const PickleDocument& document, const PickleNode& node)
{
    return toJson(document, node, 0);
}

} // namespace kaikou
