#pragma once

#include "inference/chat/turn.h"
#include "inference/model/checkpoint.h"
#include "inference/tokenize/tokenizer.h"

#include <string>

namespace kaikou {

struct FormChoice
{
    ChatForm form = ChatForm::Continuation; // never Automatic
    std::string reason; // English, one sentence
};

// What ChatForm::Automatic means for a checkpoint:
// GPT_teacher family -> UserAssistant, it was trained on those turns;
// trained on turns, and its template or vocabulary names both 用户 and 助手 -> UserAssistant;
// anything else -> Continuation.
[[nodiscard]] FormChoice chooseForm(const Checkpoint& checkpoint, const Tokenizer& tokenizer);

} // namespace kaikou
