#pragma once

#include "inference/base/json.h"
#include "inference/model/ids.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kaikou {

// A conversation as a value, for files. Members of a JSON object that this version does not know stay in
// `extra` and are written again.
using ExtraMembers = std::vector<std::pair<std::string, Json>>;

// A token of an answer; what is not known is NaN, the rank 0.
struct ChatToken
{
    TokenId id = 0;
    std::uint64_t begin = 0; // in the message's text, bytes
    std::uint64_t length = 0;
    double logModel = NAN, logShaped = NAN, logSample = NAN; // natural logarithms
    std::uint32_t rank = 0;
    double entropy = NAN; // nats
    double u = NAN;
    bool greedy = false, forced = false, special = false;
    std::vector<std::pair<TokenId, double>> top; // likeliest tokens with their log P_model
};

// How an answer was made.
struct ChatRun
{
    std::uint64_t seed = 0;
    Json params = Json::object();
    std::string model, tokenizer; // fingerprints
    std::string backend, build, form, fallback;
    std::vector<TokenId> promptIds;
    std::int64_t droppedTurns = 0, promptTokens = 0, cachedTokens = 0, newTokens = 0, said = 0;
    double ttftMs = 0.0, prefillMs = 0.0, decodeMs = 0.0;
    ExtraMembers extra;
};

struct ChatNode
{
    std::int64_t id = 0; // > 0, unique
    std::int64_t parent = 0; // 0 = first of the chat; else smaller than id
    bool assistant = false; // else the user
    std::string state = "complete"; // complete, stopped, interrupted, error
    std::string stop; // eos, stop, length, context, cancelled, error; empty = none
    std::optional<std::int64_t> forkToken;
    std::string text; // bytes; may end inside a character
    std::int64_t createdMs = 0; // since 1970 UTC
    std::optional<ChatRun> run;
    std::vector<ChatToken> tokens;
    ExtraMembers extra;
};

struct ChatDocument
{
    std::string uuid, title, systemPrompt;
    bool pinned = false;
    std::int64_t createdMs = 0, updatedMs = 0;
    Json params = Json::object();
    std::int64_t activeLeaf = 0; // 0 = empty chat
    std::vector<ChatNode> nodes; // parents before children
    ExtraMembers extra;
};

// Root to the active leaf.
[[nodiscard]] std::vector<const ChatNode*> activePath(const ChatDocument& chat);

} // namespace kaikou
