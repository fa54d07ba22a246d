// The opcodes that in Python make objects by calling something: here they only make nodes.
#include "inference/load/pickle_machine.h"

#include <algorithm>

namespace kaikou {

Result<void> PickleMachine::object(std::uint8_t opcode)
{
    switch (opcode) {
    case 'c': {
        KAIKOU_TRY(const std::string_view module, m_reader.line());
        KAIKOU_TRY(const std::string_view name, m_reader.line());
        return global(module, name);
    }
    case 0x93:
        return stackGlobal();
    case 'R':
        return reduce();
    case 0x81:
        return newObject(1);
    case 0x92:
        return newObject(2);
    case 'b':
        return build();
    case 'Q':
        return storage();
    case 'i':
        return error("opcode INST calls a class; only weights are read", ErrorCode::PickleForbidden);
    case 'o':
        return error("opcode OBJ calls a class; only weights are read", ErrorCode::PickleForbidden);
    default:
        return error(
            "opcode EXT calls a registered class; only weights are read", ErrorCode::PickleForbidden);
    }
}

Result<void> PickleMachine::global(std::string_view module, std::string_view name)
{
    const GlobalRole role = globalRole(module, name);
    std::string dotted = std::string(module) + '.' + std::string(name);
    if (role == GlobalRole::Forbidden)
        return error("refused: the file asks to call `" + dotted
                + "`. Only weights are read. Export the weights as safetensors, or ask where the file comes "
                  "from",
            ErrorCode::PickleForbidden);
    PickleNode made;
    made.kind = role == GlobalRole::Unknown ? PickleKind::Opaque : PickleKind::Global;
    made.number = static_cast<std::int64_t>(role);
    auto& skipped = m_document.skipped;
    if (role == GlobalRole::Unknown && std::find(skipped.begin(), skipped.end(), dotted) == skipped.end()
        && skipped.size() < 64)
        skipped.push_back(dotted);
    made.text = keep(std::move(dotted));
    return push(std::move(made));
}

Result<void> PickleMachine::stackGlobal()
{
    KAIKOU_TRY(const PickleId name, pop());
    KAIKOU_TRY(const PickleId module, pop());
    if (node(name).kind != PickleKind::String || node(module).kind != PickleKind::String)
        return error("STACK_GLOBAL without two strings");
    return global(node(module).text, node(name).text);
}

Result<void> PickleMachine::reduce()
{
    KAIKOU_TRY(const PickleId arguments, pop());
    KAIKOU_TRY(const PickleId callee, pop());
    if (node(arguments).kind != PickleKind::Tuple)
        return error("REDUCE without a tuple of arguments");
    return call(node(callee), node(arguments));
}

// The references end with the first push(), which may move the nodes.
Result<void> PickleMachine::call(const PickleNode& callee, const PickleNode& arguments)
{
    if (callee.kind == PickleKind::Opaque)
        return push(opaque(callee.text));
    if (callee.kind != PickleKind::Global)
        return error("REDUCE calls something that is no name");
    const auto first
        = [&](PickleKind kind) { return !arguments.items.empty() && node(arguments.items[0]).kind == kind; };
    switch (static_cast<GlobalRole>(callee.number)) {
    case GlobalRole::OrderedDict:
        return makeDict(arguments);
    case GlobalRole::RebuildTensor:
        return rebuildTensor(arguments);
    case GlobalRole::RebuildParameter:
        if (!first(PickleKind::Tensor) && !first(PickleKind::Opaque))
            return error("a parameter without a tensor");
        return pushId(arguments.items[0]);
    case GlobalRole::Set:
        return makeSet(arguments);
    case GlobalRole::Size:
        return first(PickleKind::Tuple) || first(PickleKind::List)
            ? pushId(arguments.items[0])
            : Result<void>(error("torch.Size without a tuple"));
    case GlobalRole::Encode:
    case GlobalRole::ByteArray: {
        PickleNode made;
        made.kind = PickleKind::Bytes;
        if (first(PickleKind::String) || first(PickleKind::Bytes))
            made.text = node(arguments.items[0]).text;
        return push(std::move(made));
    }
    default:
        return push(opaque(callee.text));
    }
}

// NEWOBJ: class and tuple; NEWOBJ_EX: class, tuple and dict.
Result<void> PickleMachine::newObject(std::size_t arguments)
{
    for (std::size_t i = 0; i < arguments; ++i)
        KAIKOU_CHECK(pop());
    KAIKOU_TRY(const PickleId cls, pop());
    const PickleNode& name = node(cls);
    if (name.kind != PickleKind::Opaque && name.kind != PickleKind::Global)
        return error("NEWOBJ of something that is no class");
    if (name.kind == PickleKind::Global && static_cast<GlobalRole>(name.number) == GlobalRole::OrderedDict)
        return makeDict(PickleNode {});
    return push(opaque(name.text));
}

// State set on an object: an OrderedDict gets `_metadata`, which weights do not need.
Result<void> PickleMachine::build()
{
    KAIKOU_CHECK(pop());
    if (m_stack.empty())
        return error("stack underflow");
    const PickleKind kind = node(m_stack.back()).kind;
    if (kind != PickleKind::Dict && kind != PickleKind::Opaque && kind != PickleKind::Tensor)
        return error("BUILD on something that has no state");
    return {};
}

// ("storage", class, key, location, number of elements)
Result<void> PickleMachine::storage()
{
    KAIKOU_TRY(const PickleId id, pop());
    const std::vector<PickleId> parts = node(id).items;
    if (node(id).kind != PickleKind::Tuple || parts.size() < 5 || node(parts[0]).text != "storage")
        return error("a persistent id that is no storage");
    const PickleNode& cls = node(parts[1]);
    const PickleNode& key = node(parts[2]);
    const PickleNode& count = node(parts[4]);
    if (cls.kind == PickleKind::Opaque)
        return push(opaque(cls.text));
    if (cls.kind != PickleKind::Global || (key.kind != PickleKind::String && key.kind != PickleKind::Integer)
        || count.kind != PickleKind::Integer || count.number < 0)
        return error("a storage with a wrong class, key or number of elements");
    PickleNode made;
    made.kind = PickleKind::Storage;
    made.text = cls.text;
    made.number = count.number;
    made.items = {parts[2]};
    return push(std::move(made));
}

// (storage, offset, size, stride, requires_grad, hooks [, dtype, metadata])
Result<void> PickleMachine::rebuildTensor(const PickleNode& arguments)
{
    const std::vector<PickleId>& parts = arguments.items;
    if (parts.size() < 4)
        return error("a tensor with too few arguments");
    const PickleNode& source = node(parts[0]);
    if (source.kind == PickleKind::Opaque)
        return push(opaque(source.text));
    if (source.kind != PickleKind::Storage || node(parts[1]).kind != PickleKind::Integer)
        return error("a tensor without storage or offset");
    for (const std::size_t list : {std::size_t {2}, std::size_t {3}}) {
        const PickleNode& numbers = node(parts[list]);
        if (numbers.kind != PickleKind::Tuple && numbers.kind != PickleKind::List)
            return error("a tensor whose size or stride is no tuple");
        for (const PickleId number : numbers.items)
            if (node(number).kind != PickleKind::Integer)
                return error("a tensor whose size or stride holds no integer");
    }
    PickleNode made;
    made.kind = PickleKind::Tensor;
    made.items.assign(parts.begin(), parts.begin() + 4);
    if (parts.size() > 6 && node(parts[6]).kind == PickleKind::Global)
        made.items.push_back(parts[6]); // dtype of an untyped storage
    return push(std::move(made));
}

Result<void> PickleMachine::makeDict(const PickleNode& arguments)
{
    PickleNode made;
    made.kind = PickleKind::Dict;
    if (!arguments.items.empty()) { // OrderedDict([(key, value), ...])
        const PickleNode& pairs = node(arguments.items[0]);
        if (pairs.kind != PickleKind::List)
            return error("OrderedDict of something that is no list");
        for (const PickleId pair : pairs.items) {
            if (node(pair).items.size() != 2)
                return error("OrderedDict of something that is no pair");
            made.items.insert(made.items.end(), node(pair).items.begin(), node(pair).items.end());
        }
    }
    return push(std::move(made));
}

Result<void> PickleMachine::makeSet(const PickleNode& arguments)
{
    PickleNode made;
    made.kind = PickleKind::Set;
    if (!arguments.items.empty())
        made.items = node(arguments.items[0]).items;
    return push(std::move(made));
}

std::string_view PickleMachine::keep(std::string name)
{
    return *m_document.names.insert(std::move(name)).first;
}

PickleNode PickleMachine::opaque(std::string_view name) const
{
    PickleNode made;
    made.kind = PickleKind::Opaque;
    made.text = name;
    return made;
}

} // namespace kaikou
