#pragma once

#include "inference/model/checkpoint.h"
#include "inference/model/ids.h"

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace kaikou {

enum class Role : std::uint8_t
{
    System,
    User,
    Assistant
};

struct Turn
{
    Role role = Role::User;
    std::string text; // UTF-8

    friend bool operator==(const Turn&, const Turn&) = default;
};

// How turns become a prompt; says nothing about what the tensors mean (that is Family).
enum class ChatForm : std::uint8_t
{
    Automatic, // what was chosen for the checkpoint
    UserAssistant, // 用户:…\n助手:
    Continuation, // no wrapping: the model goes on from the text
};

struct Turns
{
    std::vector<Turn> turns; // oldest first; the last is normally the user's
    std::string system;
    ChatForm form = ChatForm::Automatic;
    std::map<std::string, std::string> vars; // template variables (enable_thinking ...)
};

using Prompt = std::variant<std::vector<TokenId>, std::string, Turns>; // ids, raw text, or chat turns

// What happens to a prompt that does not fit the context.
enum class Fit : std::uint8_t
{
    DropTurns, // turns: the oldest exchanges go; other prompts are refused
    Refuse,
    KeepEnd // turns and ids as Refuse; raw text: only the last context - 1 ids, BOS or not, as GPT_teacher
            // does
};
enum class TokenSource : std::uint8_t
{
    Bos,
    Form,
    Text,
    Special
};

struct TokenOrigin
{
    TokenSource source = TokenSource::Text;
    std::int32_t turn = -1; // index into the turns of the request; -1 = none
};

// The prompt as the model gets it, for everything that shows or counts it.
struct PromptInfo
{
    std::vector<TokenId> ids;
    std::vector<TokenOrigin> origins; // one per id
    std::string text; // what was tokenised, after the family's own clean-up
    std::uint32_t droppedTurns = 0; // oldest turns left out because the context is short
    std::uint32_t answerTokens = 0; // positions left for the answer
    std::vector<TokenId> unknown; // ids of the prompt that are <unk>, if any
    std::vector<std::string> unknownCharacters; // of `text`, UTF-8, each once in order; empty without <unk>
    ChatForm form = ChatForm::Continuation;
    std::string reason; // why this form, English
};

} // namespace kaikou
