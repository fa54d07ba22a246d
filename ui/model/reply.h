#pragma once

#include "inference/generate/request.h"
#include "inference/generate/service.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kaikou {

inline constexpr std::size_t kKeptAlternatives = 10; // of a token whose logits go

// One generated token of a reply; the bytes lie in Reply::bytes at [byteBegin, byteEnd).
struct ReplyToken
{
    TokenId id = 0;
    std::uint64_t byteBegin = 0;
    std::uint64_t byteEnd = 0; // == byteBegin for special tokens
    TokenStats stats;
    std::shared_ptr<const StepRecord> record; // null when the trace had none or the store let it go
    std::vector<TopToken> top; // without a record: the likeliest tokens that are still known
};

enum class ReplyState
{
    Waiting, // submitted, no token yet
    Streaming,
    Complete, // see `finish`
    Failed, // see `error`; text so far stays
    Interrupted // read from disk: the program ended while it streamed
};

// Lets the step's logits go and keeps the likeliest tokens.
void dropLogits(ReplyToken& token);

// With what a reply was asked for; fixed from the start.
struct ReplySetup
{
    SampleParams params;
    std::uint64_t seed = 0;
    std::uint32_t maxTokens = 0;
    PositionMode positions = PositionMode::Automatic;
    StopRule stops;
    bool useEarlier = true; // earlier turns were part of the prompt
    int said = 0; // tokens the reply began with: it continues or forks another one
    QString modelName;
    QString fingerprint; // of the model
    QString backend;
    Family family = Family::Llama;
    bool gptTeacher = false; // family and semantics of that project: its own confidence number is shown
    std::shared_ptr<const TextModel> text; // names special tokens; may be null
};

// An answer as it grows.
struct Reply
{
    ReplySetup setup;
    ReplyState state = ReplyState::Waiting;
    std::string bytes; // of all tokens
    std::uint64_t releasedTo = 0; // bytes that may be shown
    std::vector<ReplyToken> tokens;
    std::shared_ptr<const PromptInfo> prompt;
    std::optional<FinishReason> finish;
    std::string stopString;
    Metrics metrics;
    std::optional<Error> error;
    QString fallback; // not the model's words; empty = none
    bool unread = false; // a branch on disk whose tokens were not read yet
    bool damaged = false; // its tokens on disk could not be trusted and were left out

    [[nodiscard]] std::string_view visible() const { return std::string_view(bytes).substr(0, releasedTo); }

    // The visible answer: what is copied and goes into later prompts.
    [[nodiscard]] std::string answer() const;

    [[nodiscard]] std::string_view bytesOf(const ReplyToken& token) const
    {
        return std::string_view(bytes).substr(token.byteBegin, token.byteEnd - token.byteBegin);
    }

    [[nodiscard]] bool running() const
    {
        return state == ReplyState::Waiting || state == ReplyState::Streaming;
    }

    // May be part of a later prompt.
    [[nodiscard]] bool usable() const;
};

// Answer-level numbers (settled.md 16). Absent without visible tokens.
struct ReplyConfidence
{
    double mean = 0.0; // arithmetic mean of P_model over the visible tokens
    double geometric = 0.0;
    int lowest = -1; // index of the visible token with the smallest P_model
    double teacher = 0.0; // GPT_teacher's own number: mean P_shaped, end and stop tokens included
};

// One more token, or the end, as the engine tells it.
void appendToken(Reply& reply, const Token& token);
void finishReply(Reply& reply, const Finished& finished);

// From how many tokens of a finished answer the model can go on; 0 = it ended the answer by itself.
[[nodiscard]] int openEnd(const Reply& reply);

[[nodiscard]] std::optional<ReplyConfidence> confidenceOf(const Reply& reply);

enum class Band
{
    High, // > 0.8
    Medium, // > 0.5
    Low
};

[[nodiscard]] Band bandOf(double probability);

} // namespace kaikou
