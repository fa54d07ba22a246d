#include "inference/load/pickle_machine.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace kaikou {

namespace {

constexpr std::size_t kMaxBytes = std::size_t {64} << 20;
constexpr std::size_t kMaxOpcodes = 10'000'000;
constexpr std::size_t kMaxStack = 1'000'000;
constexpr std::size_t kMaxMemo = 4'000'000;
constexpr std::size_t kMaxNodes = 2'000'000;
constexpr std::size_t kMaxItems = 16'000'000;
constexpr PickleId kUnset = std::numeric_limits<PickleId>::max();

// Widens the length or index that an opcode reads.
template <class T>
Result<std::uint64_t> wide(Result<T> number)
{
    if (!number)
        return number.error();
    return static_cast<std::uint64_t>(*number);
}

} // namespace

PickleMachine::PickleMachine(std::span<const std::byte> bytes, const std::string& where)
    : m_reader(bytes, where)
{
    m_document.where = where;
}

Result<PickleDocument> PickleMachine::run()
{
    if (m_reader.remaining() > kMaxBytes)
        return error("a pickle of " + std::to_string(m_reader.remaining()) + " bytes is too large",
            ErrorCode::FormatLimit);
    for (std::size_t count = 0; count < kMaxOpcodes; ++count) {
        m_opcodeAt = m_reader.position();
        KAIKOU_TRY(const bool more, step());
        if (!more)
            return std::move(m_document);
    }
    return error("more than " + std::to_string(kMaxOpcodes) + " opcodes", ErrorCode::FormatLimit);
}

Result<bool> PickleMachine::step()
{
    KAIKOU_TRY(const std::uint8_t opcode, m_reader.u8());
    switch (opcode) {
    case '.': { // STOP
        KAIKOU_TRY(m_document.root, pop());
        return false;
    }
    case 0x80: // PROTO
    case 0x95: // FRAME
    case '(': // MARK
    case '0': // POP
    case '1': // POP_MARK
    case '2': // DUP
    case 'q': // BINPUT
    case 'r': // LONG_BINPUT
    case 0x94: // MEMOIZE
    case 'h': // BINGET
    case 'j': // LONG_BINGET
        KAIKOU_CHECK(frame(opcode));
        return true;
    case ']': // EMPTY_LIST
    case '}': // EMPTY_DICT
    case ')': // EMPTY_TUPLE
    case 0x8f: // EMPTY_SET
    case 't': // TUPLE
    case 0x85: // TUPLE1
    case 0x86: // TUPLE2
    case 0x87: // TUPLE3
    case 'a': // APPEND
    case 'e': // APPENDS
    case 's': // SETITEM
    case 'u': // SETITEMS
    case 0x90: // ADDITEMS
    case 0x91: // FROZENSET
        KAIKOU_CHECK(container(opcode));
        return true;
    case 'c': // GLOBAL
    case 0x93: // STACK_GLOBAL
    case 'R': // REDUCE
    case 0x81: // NEWOBJ
    case 0x92: // NEWOBJ_EX
    case 'b': // BUILD
    case 'Q': // BINPERSID
    case 'i': // INST
    case 'o': // OBJ
    case 0x82: // EXT1
    case 0x83: // EXT2
    case 0x84: // EXT4
        KAIKOU_CHECK(object(opcode));
        return true;
    default:
        KAIKOU_CHECK(scalar(opcode));
        return true;
    }
}

Result<void> PickleMachine::frame(std::uint8_t opcode)
{
    switch (opcode) {
    case 0x80:
        return readProtocol();
    case 0x95: // the length of a frame is a hint for readers of streams
        KAIKOU_CHECK(m_reader.u64());
        return {};
    case '(':
        if (m_marks.size() >= kMaxStack)
            return error("too many open marks (nesting limit)", ErrorCode::FormatLimit);
        m_marks.push_back(m_stack.size());
        return {};
    case '0': {
        KAIKOU_CHECK(pop());
        return {};
    }
    case '1': {
        KAIKOU_TRY(const std::size_t begin, popMark());
        m_stack.resize(begin);
        return {};
    }
    case '2':
        return m_stack.empty() ? Result<void>(error("stack underflow")) : pushId(m_stack.back());
    case 'q': {
        KAIKOU_TRY(const std::uint8_t index, m_reader.u8());
        return remember(index);
    }
    case 'r': {
        KAIKOU_TRY(const std::uint32_t index, m_reader.u32());
        return remember(index);
    }
    case 'h':
        return recall(wide(m_reader.u8()));
    case 'j':
        return recall(wide(m_reader.u32()));
    default: // MEMOIZE
        return remember(m_memo.size());
    }
}

Result<void> PickleMachine::scalar(std::uint8_t opcode)
{
    const auto number = [&](PickleKind kind, std::int64_t value) {
        PickleNode made;
        made.kind = kind;
        made.number = value;
        return push(std::move(made));
    };
    switch (opcode) {
    case 'N': // NONE
        return push({});
    case 0x88: // NEWTRUE
    case 0x89: // NEWFALSE
        return number(PickleKind::Boolean, opcode == 0x88 ? 1 : 0);
    case 'J': { // BININT
        KAIKOU_TRY(const std::int32_t value, m_reader.i32());
        return number(PickleKind::Integer, value);
    }
    case 'K': { // BININT1
        KAIKOU_TRY(const std::uint8_t value, m_reader.u8());
        return number(PickleKind::Integer, value);
    }
    case 'M': { // BININT2
        KAIKOU_TRY(const std::uint16_t value, m_reader.u16());
        return number(PickleKind::Integer, value);
    }
    case 0x8a: // LONG1
        return readLong(wide(m_reader.u8()));
    case 0x8b: // LONG4
        return readLong(wide(m_reader.u32()));
    case 'G': { // BINFLOAT, big-endian
        KAIKOU_TRY(const std::uint64_t bits, m_reader.u64());
        PickleNode made;
        made.kind = PickleKind::Real;
        made.real = std::bit_cast<double>(__builtin_bswap64(bits));
        return push(std::move(made));
    }
    case 0x8c: // SHORT_BINUNICODE
    case 'U': // SHORT_BINSTRING
        return readText(PickleKind::String, wide(m_reader.u8()));
    case 'X': // BINUNICODE
    case 'T': // BINSTRING
        return readText(PickleKind::String, wide(m_reader.u32()));
    case 0x8d: // BINUNICODE8
        return readText(PickleKind::String, m_reader.u64());
    case 'C': // SHORT_BINBYTES
        return readText(PickleKind::Bytes, wide(m_reader.u8()));
    case 'B': // BINBYTES
        return readText(PickleKind::Bytes, wide(m_reader.u32()));
    case 0x8e: // BINBYTES8
    case 0x96: // BYTEARRAY8
        return readText(PickleKind::Bytes, m_reader.u64());
    default:
        return error("unknown pickle opcode " + std::to_string(opcode)
            + (m_opcodeAt == 0 ? " at the begin: not a pickle of protocol 2 to 5" : ""));
    }
}

Result<void> PickleMachine::container(std::uint8_t opcode)
{
    const auto empty = [&](PickleKind kind) {
        PickleNode made;
        made.kind = kind;
        return push(std::move(made));
    };
    const std::size_t size = m_stack.size();
    switch (opcode) {
    case ']':
        return empty(PickleKind::List);
    case '}':
        return empty(PickleKind::Dict);
    case ')':
        return empty(PickleKind::Tuple);
    case 0x8f:
        return empty(PickleKind::Set);
    case 0x85:
    case 0x86:
    case 0x87: {
        const std::size_t count = opcode - std::size_t {0x84};
        return size < count ? Result<void>(error("stack underflow")) : makeTuple(size - count);
    }
    case 'a':
        return size < 1 ? Result<void>(error("stack underflow"))
                        : append(size - 1, PickleKind::List, "APPEND");
    case 's':
        return size < 2 ? Result<void>(error("stack underflow")) : setItems(size - 2, "SETITEM");
    default:
        break;
    }
    KAIKOU_TRY(const std::size_t begin, popMark());
    switch (opcode) {
    case 'e':
        return append(begin, PickleKind::List, "APPENDS");
    case 'u':
        return setItems(begin, "SETITEMS");
    case 0x90:
        return append(begin, PickleKind::Set, "ADDITEMS");
    default: // TUPLE, FROZENSET
        KAIKOU_CHECK(makeTuple(begin));
        if (opcode == 0x91)
            m_document.nodes[m_stack.back()].kind = PickleKind::Set;
        return {};
    }
}

Result<void> PickleMachine::readProtocol()
{
    KAIKOU_TRY(const std::uint8_t protocol, m_reader.u8());
    if (protocol < 2 || protocol > 5)
        return error("pickle protocol " + std::to_string(protocol) + ", supported are 2 to 5",
            ErrorCode::FormatVersion);
    return {};
}

Result<void> PickleMachine::readText(PickleKind kind, Result<std::uint64_t> length)
{
    KAIKOU_TRY(const std::uint64_t count, std::move(length));
    PickleNode made;
    made.kind = kind;
    KAIKOU_TRY(made.text, m_reader.text(count));
    return push(std::move(made));
}

// Little-endian two's complement of any length; beyond 64 bits it is some random state, never a size of ours.
Result<void> PickleMachine::readLong(Result<std::uint64_t> length)
{
    KAIKOU_TRY(const std::uint64_t count, std::move(length));
    KAIKOU_TRY(const auto bytes, m_reader.bytes(count));
    if (bytes.size() > 8)
        return push(opaque("a large integer"));
    std::uint64_t value
        = !bytes.empty() && (bytes.back() & std::byte {0x80}) != std::byte {0} ? ~std::uint64_t {0} : 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = (value << 8) | std::to_integer<std::uint64_t>(bytes[i]);
    PickleNode made;
    made.kind = PickleKind::Integer;
    made.number = static_cast<std::int64_t>(value);
    return push(std::move(made));
}

Result<void> PickleMachine::makeTuple(std::size_t begin)
{
    PickleNode made;
    made.kind = PickleKind::Tuple;
    made.items.assign(m_stack.begin() + static_cast<std::ptrdiff_t>(begin), m_stack.end());
    m_stack.resize(begin);
    return push(std::move(made));
}

Result<void> PickleMachine::append(std::size_t begin, PickleKind target, std::string_view opcode)
{
    if (begin == 0 || begin > m_stack.size())
        return error("stack underflow at " + std::string(opcode));
    PickleNode& list = m_document.nodes[m_stack[begin - 1]];
    if (list.kind == target)
        list.items.insert(
            list.items.end(), m_stack.begin() + static_cast<std::ptrdiff_t>(begin), m_stack.end());
    else if (list.kind != PickleKind::Opaque)
        return error(std::string(opcode) + " on something that is no list");
    m_stack.resize(begin);
    return {};
}

Result<void> PickleMachine::setItems(std::size_t begin, std::string_view opcode)
{
    if (begin == 0 || (m_stack.size() - begin) % 2 != 0)
        return error("stack underflow at " + std::string(opcode));
    PickleNode& dict = m_document.nodes[m_stack[begin - 1]];
    if (dict.kind == PickleKind::Dict)
        dict.items.insert(
            dict.items.end(), m_stack.begin() + static_cast<std::ptrdiff_t>(begin), m_stack.end());
    else if (dict.kind != PickleKind::Opaque)
        return error(std::string(opcode) + " on something that is no dict");
    m_stack.resize(begin);
    return {};
}

Result<void> PickleMachine::push(PickleNode made)
{
    if (m_document.nodes.size() >= kMaxNodes)
        return error("more than " + std::to_string(kMaxNodes) + " values", ErrorCode::FormatLimit);
    m_items += made.items.size();
    if (m_items > kMaxItems)
        return error("more than " + std::to_string(kMaxItems) + " members", ErrorCode::FormatLimit);
    m_document.nodes.push_back(std::move(made));
    return pushId(static_cast<PickleId>(m_document.nodes.size() - 1));
}

Result<void> PickleMachine::pushId(PickleId id)
{
    if (m_stack.size() >= kMaxStack)
        return error("the stack exceeds its limit of " + std::to_string(kMaxStack), ErrorCode::FormatLimit);
    m_stack.push_back(id);
    return {};
}

Result<PickleId> PickleMachine::pop()
{
    if (m_stack.empty() || (!m_marks.empty() && m_marks.back() == m_stack.size()))
        return error("stack underflow");
    const PickleId id = m_stack.back();
    m_stack.pop_back();
    return id;
}

Result<std::size_t> PickleMachine::popMark()
{
    if (m_marks.empty() || m_marks.back() > m_stack.size())
        return error("no MARK on the stack");
    const std::size_t begin = m_marks.back();
    m_marks.pop_back();
    return begin;
}

Result<void> PickleMachine::remember(std::uint64_t index)
{
    if (m_stack.empty())
        return error("stack underflow");
    if (index >= kMaxMemo)
        return error("memo index " + std::to_string(index) + " is beyond the limit", ErrorCode::FormatLimit);
    if (index >= m_memo.size())
        m_memo.resize(static_cast<std::size_t>(index) + 1, kUnset);
    m_memo[static_cast<std::size_t>(index)] = m_stack.back();
    return {};
}

Result<void> PickleMachine::recall(Result<std::uint64_t> index)
{
    KAIKOU_TRY(const std::uint64_t at, std::move(index));
    if (at >= m_memo.size() || m_memo[static_cast<std::size_t>(at)] == kUnset)
        return error("memo " + std::to_string(at) + " was never set");
    return pushId(m_memo[static_cast<std::size_t>(at)]);
}

Error PickleMachine::error(std::string what, ErrorCode code) const
{
    return {code, "pickle: " + std::move(what), m_document.where + " at byte " + std::to_string(m_opcodeAt)};
}

} // namespace kaikou
