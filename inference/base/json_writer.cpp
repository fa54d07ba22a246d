#include "inference/base/assert.h"
#include "inference/base/json.h"
#include "inference/base/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace kaikou {

namespace {

template <class T>
std::string shortest(T value)
{
    std::array<char, 40> buffer {};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

void newLine(std::string& out, int indent, int depth)
{
    if (indent < 0)
        return;
    out += '\n';
    out.append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(depth), ' ');
}

} // namespace

void appendJsonString(std::string& out, std::string_view text)
{
    constexpr std::string_view kHex = "0123456789abcdef";
    const std::string valid = isValidUtf8(text) ? std::string() : toValidUtf8(text);
    out += '"';
    for (const char c : valid.empty() ? text : std::string_view(valid)) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (c == '\r') {
            out += "\\r";
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
            out += "\\u00";
            out += kHex[static_cast<unsigned char>(c) >> 4];
            out += kHex[static_cast<unsigned char>(c) & 15];
        } else {
            out += c;
        }
    }
    out += '"';
}

Json::Json(double value)
{
    if (std::isfinite(value))
        m_value = Number {shortest(value)};
}

Json::Json(float value)
{
    if (std::isfinite(value))
        m_value = Number {shortest(value)};
}

Json::Json(std::string value)
    : m_value(std::move(value))
{
}

Json Json::array()
{
    Json json;
    json.m_value = Array {};
    return json;
}

Json Json::object()
{
    Json json;
    json.m_value = Object {};
    return json;
}

Json& Json::push(Json item)
{
    auto* items = std::get_if<Array>(&m_value);
    KAIKOU_ASSERT(items != nullptr);
    if (items)
        items->push_back(std::move(item));
    return *this;
}

Json& Json::set(std::string key, Json value)
{
    auto* members = std::get_if<Object>(&m_value);
    KAIKOU_ASSERT(members != nullptr);
    if (!members)
        return *this;
    const auto same = std::find_if(
        members->begin(), members->end(), [&](const auto& member) { return member.first == key; });
    if (same != members->end())
        same->second = std::move(value);
    else
        members->emplace_back(std::move(key), std::move(value));
    return *this;
}

std::string Json::dump(int indent) const
{
    std::string out;
    write(out, indent, 0);
    return out;
}

Json::Number Json::numberText(std::int64_t value)
{
    return {shortest(value)};
}

Json::Number Json::numberText(std::uint64_t value)
{
    return {shortest(value)};
}

void Json::write(std::string& out, int indent, int depth) const
{
    const auto list = [&](const auto& items, char open, char close, const auto& writeItem) {
        out += open;
        bool first = true;
        for (const auto& item : items) {
            if (!first)
                out += ',';
            first = false;
            newLine(out, indent, depth + 1);
            writeItem(item);
        }
        if (!first)
            newLine(out, indent, depth);
        out += close;
    };
    if (const auto* boolean = std::get_if<bool>(&m_value)) {
        out += *boolean ? "true" : "false";
    } else if (const auto* number = std::get_if<Number>(&m_value)) {
        out += number->text;
    } else if (const auto* text = std::get_if<std::string>(&m_value)) {
        appendJsonString(out, *text);
    } else if (const auto* items = std::get_if<Array>(&m_value)) {
        list(*items, '[', ']', [&](const Json& item) { item.write(out, indent, depth + 1); });
    } else if (const auto* members = std::get_if<Object>(&m_value)) {
        list(*members, '{', '}', [&](const auto& member) {
            appendJsonString(out, member.first);
            out += indent < 0 ? ":" : ": ";
            member.second.write(out, indent, depth + 1);
        });
    } else {
        out += "null";
    }
}

} // namespace kaikou
