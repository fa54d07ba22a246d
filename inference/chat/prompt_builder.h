#pragma once

#include "inference/base/result.h"
#include "inference/chat/form_choice.h"
#include "inference/chat/turn.h"
#include "inference/model/config.h"
#include "inference/tokenize/tokenizer.h"

#include <cstdint>

namespace kaikou {

// The model side of a prompt.
struct PromptTarget
{
    const Tokenizer* tokenizer = nullptr; // borrowed for the call, not null
    Family family = Family::Llama;
    std::uint32_t context = 0; // granted positions of one sequence
    FormChoice automatic; // what ChatForm::Automatic means
};

// The request's side of a prompt.
struct PromptOptions
{
    EncodeOptions encode; // raw text only; chat turns get BOS and no special strings (settled.md 41)
    Fit fit = Fit::DropTurns;
    std::uint32_t maxTokens = 512; // of the answer; 0 = what is left
};

// The prompt as the model gets it. Pure: equal arguments, equal result; any thread.
//
// Chat turns are rendered whole and tokenised whole. R = min(maxTokens, max(16, context / 4)) positions are
// kept for the answer; a longer prompt loses its oldest exchanges (user turns with their reply) until it is
// within min(context - R, 0.6 * context) or only the last one is left (settled.md 15). Exchanges whose reply
// is empty are left out. In the form 用户:/助手: the system prompt is a plain line in front; in continuation
// form all texts follow one another, a line break before each later user turn.
//
// BOS and special strings by family: GptTeacher BOS + text, special strings become ids; GptTeacherFirst
// BOS + text + EOS; both without U+0020 and U+3000. Llama: chat turns BOS where tokenizer or config names
// one, raw text as `encode` says.
//
// Errors: PromptEmpty, PromptTooLong (message with both numbers).
[[nodiscard]] Result<PromptInfo> buildPrompt(
    const Prompt& prompt, const PromptTarget& target, const PromptOptions& options = {});

} // namespace kaikou
