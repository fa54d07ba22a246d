#pragma once

#include "inference/base/error_code.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace kaikou {

// A failure of the world (file, device, parameters), never of the program.
// message is English, for logs; the window translates by code. where = file and offset, JSON pointer or
// tensor name.
struct Error
{
    ErrorCode code = ErrorCode::Internal;
    std::string message;
    std::string where;
};

// Either a T or the Error that kept it from being made.
template <class T>
class [[nodiscard]] Result
{
public:
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value))
    {
    }

    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error))
    {
    }

    [[nodiscard]] bool ok() const noexcept { return m_state.index() == 0; }

    explicit operator bool() const noexcept { return ok(); }

    [[nodiscard]] T& value() & { return std::get<0>(m_state); }

    [[nodiscard]] const T& value() const& { return std::get<0>(m_state); }

    [[nodiscard]] T&& value() && { return std::get<0>(std::move(m_state)); }

    [[nodiscard]] const Error& error() const& { return std::get<1>(m_state); }

    [[nodiscard]] Error&& error() && { return std::get<1>(std::move(m_state)); }

    T& operator*() & { return value(); }

    const T& operator*() const& { return value(); }

    T&& operator*() && { return std::move(*this).value(); }

    T* operator->() { return &value(); }

    const T* operator->() const { return &value(); }

private:
    std::variant<T, Error> m_state;
};

template <>
class [[nodiscard]] Result<void>
{
public:
    Result() = default;

    Result(Error error)
        : m_error(std::move(error))
    {
    }

    [[nodiscard]] bool ok() const noexcept { return !m_error; }

    explicit operator bool() const noexcept { return ok(); }

    [[nodiscard]] const Error& error() const& { return *m_error; }

    [[nodiscard]] Error&& error() && { return std::move(*m_error); }

private:
    std::optional<Error> m_error;
};

} // namespace kaikou

#define KAIKOU_JOIN_2(a, b) a##b
#define KAIKOU_JOIN(a, b) KAIKOU_JOIN_2(a, b)

// KAIKOU_TRY(const auto header, readHeader(reader)); declares `header`, or returns the error. A statement,
// not an expression.
#define KAIKOU_TRY(declaration, expression)                                                                  \
    auto KAIKOU_JOIN(kaikouResult, __LINE__) = (expression);                                                 \
    if (!KAIKOU_JOIN(kaikouResult, __LINE__).ok())                                                           \
        return std::move(KAIKOU_JOIN(kaikouResult, __LINE__)).error();                                       \
    declaration = std::move(KAIKOU_JOIN(kaikouResult, __LINE__)).value() // NOLINT(bugprone-macro-parentheses)

// KAIKOU_CHECK(check(params)); returns the error of a Result<void>.
#define KAIKOU_CHECK(expression)                                                                             \
    if (auto kaikouChecked = (expression); !kaikouChecked.ok())                                              \
    return std::move(kaikouChecked).error()
