#include "inference/chat/form_choice.h"

#include "inference/chat/form_text.h"

namespace kaikou {

namespace {

bool templateNamesRoles(std::string_view text)
{
    return text.find(kUserName) != std::string_view::npos
        && text.find(kAssistantName) != std::string_view::npos;
}

bool vocabularyNamesRoles(const Tokenizer& tokenizer)
{
    bool user = false;
    bool assistant = false;
    for (TokenId id = 0; id < tokenizer.info().vocab && !(user && assistant); ++id) {
        const std::string_view piece = tokenizer.piece(id);
        user = user || piece.find(kUserName) != std::string_view::npos;
        assistant = assistant || piece.find(kAssistantName) != std::string_view::npos;
    }
    return user && assistant;
}

} // namespace

FormChoice chooseForm(const Checkpoint& checkpoint, const Tokenizer& tokenizer)
{
    if (isGptTeacher(checkpoint.config.family))
        return {ChatForm::UserAssistant, "GPT_teacher checkpoints are trained on 用户:/助手: turns"};
    if (!checkpoint.instructionTuned)
        return {
            ChatForm::Continuation, "nothing says that it was trained on turns, so it goes on from the text"};
    if (templateNamesRoles(checkpoint.tokenizer.chatTemplate))
        return {ChatForm::UserAssistant, "its chat template speaks of 用户 and 助手"};
    if (vocabularyNamesRoles(tokenizer))
        return {ChatForm::UserAssistant, "it is trained on turns and its vocabulary has 用户 and 助手"};
    return {ChatForm::Continuation,
        "it is trained on turns of a form that Kaikou does not render, so it goes on from the text"};
}

} // namespace kaikou
