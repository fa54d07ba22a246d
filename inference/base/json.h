#pragma once

#include "inference/base/result.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace kaikou {

enum class JsonType : std::uint8_t
{
    Null,
    Boolean,
    Integer, // fits std::int64_t or std::uint64_t and is written without fraction or exponent
    Real,
    String,
    Array,
    Object
};

struct JsonLimits
{
    std::size_t bytes = std::size_t {64} << 20; // of the text
    std::size_t depth = 64; // open arrays and objects
    bool refuseDuplicates
        = false; // two equal keys in one object are FormatDuplicate; otherwise the last counts
};

struct JsonDocumentData;
class JsonChildren;

// A place in a parsed JsonDocument, valid while that document lives. Cheap to copy; any thread.
// Its errors have where = "file/pointer/to/value".
class JsonValue
{
public:
    [[nodiscard]] JsonType type() const;

    [[nodiscard]] bool isNull() const { return type() == JsonType::Null; }

    [[nodiscard]] bool isString() const { return type() == JsonType::String; }

    [[nodiscard]] bool isArray() const { return type() == JsonType::Array; }

    [[nodiscard]] bool isObject() const { return type() == JsonType::Object; }

    [[nodiscard]] bool isNumber() const { return type() == JsonType::Integer || type() == JsonType::Real; }

    // Typed access; another type or a number outside the range is an error of this code.
    [[nodiscard]] Result<bool> boolean(ErrorCode code = ErrorCode::FormatJson) const;
    [[nodiscard]] Result<std::int64_t> integer(ErrorCode code = ErrorCode::FormatJson) const;
    [[nodiscard]] Result<std::uint64_t> count(ErrorCode code = ErrorCode::FormatJson) const; // integer >= 0
    [[nodiscard]] Result<double> number(ErrorCode code = ErrorCode::FormatJson) const; // Integer too
    [[nodiscard]] Result<std::string_view> string(ErrorCode code = ErrorCode::FormatJson) const;

    [[nodiscard]] std::size_t size() const; // of an Array or Object, else 0
    [[nodiscard]] JsonChildren children() const; // of an Array or Object in file order, else none
    [[nodiscard]] std::string_view key() const; // of a member of an object, else empty

    // A member; has() is false where it is absent or this is no object, and null counts as absent for
    // given().
    [[nodiscard]] bool has(std::string_view key) const;
    [[nodiscard]] bool given(std::string_view key) const;
    [[nodiscard]] Result<JsonValue> member(std::string_view key,
        ErrorCode code = ErrorCode::FormatJson) const; // absent is an error naming the key
    [[nodiscard]] JsonValue operator[](std::string_view key) const; // absent = a null value

    [[nodiscard]] std::string pointer() const; // RFC 6901, "" for the root
    [[nodiscard]] Error error(ErrorCode code, std::string message) const;

private:
    friend class JsonDocument;
    friend class JsonChildren;

    JsonValue(const JsonDocumentData* document, std::uint32_t node)
        : m_document(document)
        , m_node(node)
    {
    }

    [[nodiscard]] Error typeError(ErrorCode code, std::string_view expected) const;

    const JsonDocumentData* m_document; // null = an absent member
    std::uint32_t m_node;
};

// for (const JsonValue item : array.children())
class JsonChildren
{
public:
    class Iterator
    {
    public:
        Iterator(const JsonDocumentData* document, std::uint32_t node)
            : m_document(document)
            , m_node(node)
        {
        }

        JsonValue operator*() const { return {m_document, m_node}; }

        Iterator& operator++();

        bool operator!=(const Iterator& other) const { return m_node != other.m_node; }

    private:
        const JsonDocumentData* m_document;
        std::uint32_t m_node;
    };

    JsonChildren(const JsonDocumentData* document, std::uint32_t first)
        : m_document(document)
        , m_first(first)
    {
    }

    [[nodiscard]] Iterator begin() const { return {m_document, m_first}; }

    [[nodiscard]] Iterator end() const;

private:
    const JsonDocumentData* m_document;
    std::uint32_t m_first;
};

// A parsed JSON text, RFC 8259 without extensions. Errors: FormatJson (where = file and byte), FormatLimit,
// FormatDuplicate.
class JsonDocument
{
public:
    // `where` names the source in messages; it may be empty.
    [[nodiscard]] static Result<JsonDocument> parse(
        std::string_view text, std::string where = {}, const JsonLimits& limits = {});

    JsonDocument(JsonDocument&&) noexcept;
    JsonDocument& operator=(JsonDocument&&) noexcept;
    ~JsonDocument();

    [[nodiscard]] JsonValue root() const { return {m_data.get(), 0}; }

private:
    explicit JsonDocument(std::unique_ptr<const JsonDocumentData> data);

    std::unique_ptr<const JsonDocumentData> m_data;
};

// A JSON value to be written. Objects keep the order in which members were set.
class Json
{
public:
    Json() = default; // null

    Json(std::nullptr_t) { }

    Json(bool value)
        : m_value(value)
    {
    }

    template <std::integral T>

    requires(!std::same_as<T, bool>) Json(T value)
        : m_value(numberText(
            static_cast<std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>(value)))
    {
    }

    Json(double value); // shortest text that reads back equal; null where it is not finite
    Json(float value); // shortest text that reads back as this float
    Json(std::string value); // invalid UTF-8 is written as U+FFFD

    Json(std::string_view value)
        : Json(std::string(value))
    {
    }

    Json(const char* value)
        : Json(std::string(value))
    {
    }

    [[nodiscard]] static Json array();
    [[nodiscard]] static Json object();

    Json& push(Json item); // this is an array
    Json& set(std::string key, Json value); // this is an object; an existing member keeps its place

    // UTF-8 text; indent < 0: one line without spaces.
    [[nodiscard]] std::string dump(int indent = -1) const;

private:
    struct Number
    {
        std::string text;
    };

    using Array = std::vector<Json>;
    using Object = std::vector<std::pair<std::string, Json>>;

    static Number numberText(std::int64_t value);
    static Number numberText(std::uint64_t value);
    void write(std::string& out, int indent, int depth) const;

    std::variant<std::monostate, bool, Number, std::string, Array, Object> m_value;
};

// The text with quotes, as JSON writes it.
void appendJsonString(std::string& out, std::string_view text);

} // namespace kaikou
