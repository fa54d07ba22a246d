#include "inference/generate/text_model.h"

#include "inference/chat/prompt_builder.h"

#include <utility>

namespace kaikou {

namespace {

class LocalTextModel final : public TextModel
{
public:
    explicit LocalTextModel(const LoadedModel& loaded)
        : m_tokenizer(loaded.tokenizer)
    {
        const ModelInfo& info = loaded.model->info();
        m_target.tokenizer = m_tokenizer.get();
        m_target.family = info.config.family;
        m_target.context = info.context;
        m_target.automatic = {loaded.form, loaded.formReason};
    }

    Result<PromptInfo> preview(const Request& request) const override
    {
        PromptOptions options;
        options.encode = request.encode;
        options.fit = request.fit;
        options.maxTokens = request.maxTokens;
        return buildPrompt(request.prompt, m_target, options);
    }

    std::string_view piece(TokenId id) const override { return m_tokenizer->piece(id); }

    bool isSpecial(TokenId id) const override { return m_tokenizer->isSpecial(id); }

    const SpecialIds& specialIds() const override { return m_tokenizer->special(); }

private:
    const std::shared_ptr<const Tokenizer> m_tokenizer;
    PromptTarget m_target;
};

} // namespace

std::shared_ptr<const TextModel> makeTextModel(const LoadedModel& loaded)
{
    return std::make_shared<const LocalTextModel>(loaded);
}

} // namespace kaikou
