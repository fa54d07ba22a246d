#include "inference/base/json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace kaikou {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

struct Slice
{
    std::uint32_t begin, length; // inside JsonDocumentData::text
};

struct Node
{
    JsonType type = JsonType::Null;
    bool negative = false; // of an Integer: bits hold an int64, else an uint64
    std::uint32_t parent = kNone;
    std::uint32_t next = kNone; // sibling
    std::uint32_t first = kNone; // child
    Slice key {};

    union
    {
        std::uint64_t bits = 0; // Boolean, Integer, number of children
        double real;
        Slice string;
    };
};

} // namespace

// Nodes in file order, so that a pointer to a place can be made from parents only when a message needs it.
struct JsonDocumentData
{
    std::string where;
    std::string text; // all keys and strings
    std::vector<Node> nodes;

    [[nodiscard]] std::string_view view(Slice slice) const
    {
        return std::string_view(text).substr(slice.begin, slice.length);
    }

    [[nodiscard]] std::string pointer(std::uint32_t node) const
    {
        if (nodes[node].parent == kNone)
            return {};
        const Node& parent = nodes[nodes[node].parent];
        std::string step;
        if (parent.type == JsonType::Array) {
            std::size_t index = 0;
            for (std::uint32_t child = parent.first; child != node; child = nodes[child].next)
                ++index;
            step = std::to_string(index);
        } else {
            for (const char c : view(nodes[node].key))
                step += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
        }
        return pointer(nodes[node].parent) + '/' + step;
    }
};

namespace {

// Receives nlohmann's events; a false answer ends the parse with m_error set.
class Builder : public nlohmann::json_sax<nlohmann::json>
{
public:
    Builder(JsonDocumentData& data, const JsonLimits& limits)
        : m_data(data)
        , m_limits(limits)
    {
    }

    std::optional<Error> takeError() { return std::move(m_error); }

    bool null() override { return add(JsonType::Null) != nullptr; }

    bool boolean(bool value) override
    {
        add(JsonType::Boolean)->bits = value ? 1 : 0;
        return true;
    }

    bool number_integer(number_integer_t value) override
    {
        Node* node = add(JsonType::Integer);
        node->bits = static_cast<std::uint64_t>(value);
        node->negative = value < 0;
        return true;
    }

    bool number_unsigned(number_unsigned_t value) override
    {
        add(JsonType::Integer)->bits = value;
        return true;
    }

    bool number_float(number_float_t value, const string_t& /*text*/) override
    {
        add(JsonType::Real)->real = value;
        return true;
    }

    bool string(string_t& value) override
    {
        const Slice slice = store(value);
        add(JsonType::String)->string = slice;
        return true;
    }

    bool binary(binary_t& /*value*/) override { return false; } // not part of JSON text

    bool key(string_t& value) override
    {
        m_key = store(value);
        return true;
    }

    bool start_object(std::size_t /*elements*/) override { return open(JsonType::Object); }

    bool start_array(std::size_t /*elements*/) override { return open(JsonType::Array); }

    bool end_object() override
    {
        if (m_limits.refuseDuplicates && !checkDuplicates())
            return false;
        m_open.pop_back();
        return true;
    }

    bool end_array() override
    {
        m_open.pop_back();
        return true;
    }

    bool parse_error(
        std::size_t position, const std::string& /*token*/, const nlohmann::detail::exception& e) override
    {
        std::string_view reason = e.what(); // "[json.exception.parse_error.101] parse error at ...: reason"
        if (const auto end = reason.find("] "); end != std::string_view::npos)
            reason.remove_prefix(end + 2);
        m_error = Error {ErrorCode::FormatJson, "not valid JSON: " + std::string(reason),
            m_data.where + " at byte " + std::to_string(position)};
        return false;
    }

private:
    struct Open
    {
        std::uint32_t node;
        std::uint32_t last; // child
    };

    Slice store(const std::string& value)
    {
        const Slice slice {
            static_cast<std::uint32_t>(m_data.text.size()), static_cast<std::uint32_t>(value.size())};
        m_data.text += value;
        return slice;
    }

    Node* add(JsonType type)
    {
        const auto index = static_cast<std::uint32_t>(m_data.nodes.size());
        Node node;
        node.type = type;
        node.key = std::exchange(m_key, Slice {});
        if (!m_open.empty()) {
            Open& open = m_open.back();
            node.parent = open.node;
            (open.last == kNone ? m_data.nodes[open.node].first : m_data.nodes[open.last].next) = index;
            open.last = index;
            ++m_data.nodes[open.node].bits;
        }
        m_data.nodes.push_back(node);
        return &m_data.nodes.back();
    }

    bool open(JsonType type)
    {
        if (m_open.size() >= m_limits.depth) {
            m_error = Error {ErrorCode::FormatLimit,
                "JSON nested deeper than " + std::to_string(m_limits.depth) + " levels", m_data.where};
            return false;
        }
        add(type);
        m_open.push_back({static_cast<std::uint32_t>(m_data.nodes.size() - 1), kNone});
        return true;
    }

    bool checkDuplicates()
    {
        std::vector<std::string_view> keys;
        const Node& object = m_data.nodes[m_open.back().node];
        for (std::uint32_t child = object.first; child != kNone; child = m_data.nodes[child].next)
            keys.push_back(m_data.view(m_data.nodes[child].key));
        std::sort(keys.begin(), keys.end());
        const auto twice = std::adjacent_find(keys.begin(), keys.end());
        if (twice == keys.end())
            return true;
        m_error = Error {ErrorCode::FormatDuplicate, "duplicate key \"" + std::string(*twice) + '"',
            m_data.where + m_data.pointer(m_open.back().node)};
        return false;
    }

    JsonDocumentData& m_data;
    const JsonLimits& m_limits;
    std::vector<Open> m_open;
    Slice m_key {};
    std::optional<Error> m_error;
};

std::string_view typeName(JsonType type)
{
    constexpr std::string_view kNames[]
        = {"null", "a boolean", "an integer", "a number", "a string", "an array", "an object"};
    return kNames[static_cast<std::size_t>(type)];
}

const Node kAbsent {};

const Node& nodeOf(const JsonDocumentData* document, std::uint32_t node)
{
    return document ? document->nodes[node] : kAbsent;
}

} // namespace

JsonDocument::JsonDocument(std::unique_ptr<const JsonDocumentData> data)
    : m_data(std::move(data))
{
}

JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;
JsonDocument::~JsonDocument() = default;

Result<JsonDocument> JsonDocument::parse(std::string_view text, std::string where, const JsonLimits& limits)
{
    if (text.size() > std::min<std::size_t>(limits.bytes, kNone - 1))
        return Error {ErrorCode::FormatLimit,
            "JSON of " + std::to_string(text.size()) + " bytes, at most " + std::to_string(limits.bytes)
                + " are read",
            std::move(where)};
    auto data = std::make_unique<JsonDocumentData>();
    data->where = std::move(where);
    Builder builder(*data, limits);
    if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) {
        if (auto error = builder.takeError())
            return std::move(*error);
        return Error {ErrorCode::FormatJson, "not valid JSON", data->where};
    }
    return JsonDocument(std::move(data));
}

JsonType JsonValue::type() const
{
    return nodeOf(m_document, m_node).type;
}

Error JsonValue::error(ErrorCode code, std::string message) const
{
    return {code, std::move(message), m_document ? m_document->where + pointer() : std::string()};
}

Error JsonValue::typeError(ErrorCode code, std::string_view expected) const
{
    return error(code,
        "expected " + std::string(expected) + ", found " + std::string(typeName(type()))
            + (key().empty() ? std::string() : " for \"" + std::string(key()) + '"'));
}

Result<bool> JsonValue::boolean(ErrorCode code) const
{
    const Node& node = nodeOf(m_document, m_node);
    if (node.type != JsonType::Boolean)
        return typeError(code, "a boolean");
    return node.bits != 0;
}

Result<std::int64_t> JsonValue::integer(ErrorCode code) const
{
    const Node& node = nodeOf(m_document, m_node);
    if (node.type != JsonType::Integer)
        return typeError(code, "an integer");
    if (!node.negative && node.bits > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return error(code, "the integer is too large");
    return static_cast<std::int64_t>(node.bits);
}

Result<std::uint64_t> JsonValue::count(ErrorCode code) const
{
    const Node& node = nodeOf(m_document, m_node);
    if (node.type != JsonType::Integer)
        return typeError(code, "an integer");
    if (node.negative)
        return error(code, "the integer is negative");
    return node.bits;
}

Result<double> JsonValue::number(ErrorCode code) const
{
    const Node& node = nodeOf(m_document, m_node);
    if (node.type == JsonType::Real)
        return node.real;
    if (node.type != JsonType::Integer)
        return typeError(code, "a number");
    return node.negative ? static_cast<double>(static_cast<std::int64_t>(node.bits))
                         : static_cast<double>(node.bits);
}

Result<std::string_view> JsonValue::string(ErrorCode code) const
{
    const Node& node = nodeOf(m_document, m_node);
    if (node.type != JsonType::String)
        return typeError(code, "a string");
    return m_document->view(node.string);
}

std::size_t JsonValue::size() const
{
    return isArray() || isObject() ? static_cast<std::size_t>(nodeOf(m_document, m_node).bits) : 0;
}

JsonChildren JsonValue::children() const
{
    return {m_document, nodeOf(m_document, m_node).first};
}

std::string_view JsonValue::key() const
{
    return m_document ? m_document->view(nodeOf(m_document, m_node).key) : std::string_view();
}

bool JsonValue::has(std::string_view key) const
{
    return (*this)[key].m_document != nullptr;
}

bool JsonValue::given(std::string_view key) const
{
    return !(*this)[key].isNull();
}

Result<JsonValue> JsonValue::member(std::string_view key, ErrorCode code) const
{
    if (!isObject())
        return typeError(code, "an object");
    const JsonValue value = (*this)[key];
    if (!value.m_document)
        return error(code, "the key \"" + std::string(key) + "\" is missing");
    return value;
}

JsonValue JsonValue::operator[](std::string_view key) const
{
    JsonValue found(nullptr, 0);
    if (isObject())
        for (const JsonValue child : children())
            if (child.key() == key)
                found = child;
    return found;
}

std::string JsonValue::pointer() const
{
    return m_document ? m_document->pointer(m_node) : std::string();
}

JsonChildren::Iterator& JsonChildren::Iterator::operator++()
{
    m_node = m_document->nodes[m_node].next;
    return *this;
}

JsonChildren::Iterator JsonChildren::end() const
{
    return {m_document, kNone};
}

} // namespace kaikou
