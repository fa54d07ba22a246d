#pragma once

#include "inference/base/byte_reader.h"
#include "inference/load/pickle.h"
#include "inference/load/pickle_globals.h"

namespace kaikou {

// The stack machine behind readPickle: one opcode after the other makes nodes, nothing is looked up or
// called. Source of the opcodes: CPython's Lib/pickletools.py.
class PickleMachine
{
public:
    PickleMachine(std::span<const std::byte> bytes, const std::string& where);

    [[nodiscard]] Result<PickleDocument> run();

private:
    [[nodiscard]] Result<bool> step(); // false = STOP
    [[nodiscard]] Result<void> frame(std::uint8_t opcode); // protocol, stack, memo
    [[nodiscard]] Result<void> scalar(std::uint8_t opcode);
    [[nodiscard]] Result<void> container(std::uint8_t opcode);
    [[nodiscard]] Result<void> object(std::uint8_t opcode);

    [[nodiscard]] Result<void> readProtocol();
    [[nodiscard]] Result<void> readText(PickleKind kind, Result<std::uint64_t> length);
    [[nodiscard]] Result<void> readLong(Result<std::uint64_t> length);
    [[nodiscard]] Result<void> makeTuple(std::size_t begin);
    [[nodiscard]] Result<void> append(std::size_t begin, PickleKind target, std::string_view opcode);
    [[nodiscard]] Result<void> setItems(std::size_t begin, std::string_view opcode);
    [[nodiscard]] Result<void> global(std::string_view module, std::string_view name);
    [[nodiscard]] Result<void> stackGlobal();
    [[nodiscard]] Result<void> reduce();
    [[nodiscard]] Result<void> call(const PickleNode& callee, const PickleNode& arguments);
    [[nodiscard]] Result<void> newObject(std::size_t arguments);
    [[nodiscard]] Result<void> build();
    [[nodiscard]] Result<void> storage();
    [[nodiscard]] Result<void> rebuildTensor(const PickleNode& arguments);
    [[nodiscard]] Result<void> makeDict(const PickleNode& arguments);
    [[nodiscard]] Result<void> makeSet(const PickleNode& arguments);

    [[nodiscard]] Result<void> push(PickleNode node);
    [[nodiscard]] Result<void> pushId(PickleId id);
    [[nodiscard]] Result<PickleId> pop();
    [[nodiscard]] Result<std::size_t> popMark(); // index of the first value above the mark
    [[nodiscard]] Result<void> remember(std::uint64_t index);
    [[nodiscard]] Result<void> recall(Result<std::uint64_t> index);

    [[nodiscard]] const PickleNode& node(PickleId id) const { return m_document.nodes[id]; }

    [[nodiscard]] Error error(std::string what, ErrorCode code = ErrorCode::FormatPickle) const;
    [[nodiscard]] std::string_view keep(std::string name);
    [[nodiscard]] PickleNode opaque(std::string_view name) const;

    ByteReader m_reader;
    std::size_t m_opcodeAt = 0;
    std::vector<PickleId> m_stack;
    std::vector<std::size_t> m_marks; // sizes of m_stack
    std::vector<PickleId> m_memo;
    std::size_t m_items = 0; // members of all nodes pushed so far
    PickleDocument m_document;
};

} // namespace kaikou
