#include "inference/generate/loaded_model.h"

#include "inference/chat/form_choice.h"

#include <algorithm>
#include <utility>

namespace kaikou {

namespace {

// An embedding without a row for a token cannot belong to this tokenizer; spare rows are usual padding.
Result<void> checkVocabulary(const Checkpoint& checkpoint, const Tokenizer& tokenizer)
{
    const std::uint32_t ids = tokenizer.info().vocab;
    const std::uint32_t rows = checkpoint.config.vocabRows;
    if (ids > rows)
        return Error {ErrorCode::TokenizerMismatch,
            "the tokenizer has " + std::to_string(ids) + " ids, the embedding " + std::to_string(rows)
                + " rows",
            checkpoint.tokenizer.where};
    return {};
}

void warnOfDoubts(Checkpoint& checkpoint, const Tokenizer& tokenizer)
{
    const TokenizerSource& source = checkpoint.tokenizer;
    const bool known = std::any_of(checkpoint.warnings.begin(), checkpoint.warnings.end(),
        [](const Warning& warning) { return warning.code == ErrorCode::TokenizerMismatch; });
    if (!known && !source.expectedMd5.empty() && source.md5 != source.expectedMd5)
        checkpoint.warnings.push_back({ErrorCode::TokenizerMismatch,
            "the tokenizer has fingerprint " + source.md5 + ", the model was trained with "
                + source.expectedMd5,
            source.where});
    if (tokenizer.special().eos.empty())
        checkpoint.warnings.push_back({ErrorCode::ConfigMissing,
            "no end token is known: answers end by their length only", source.where});
}

} // namespace

Result<LoadedModel> loadModel(Checkpoint checkpoint, const BackendRegistry& registry,
    const LoadOptions& options, const Progress& progress, std::string_view backend)
{
    LoadedModel loaded;
    KAIKOU_TRY(loaded.tokenizer, makeTokenizer(checkpoint.tokenizer));
    KAIKOU_CHECK(checkVocabulary(checkpoint, *loaded.tokenizer));
    KAIKOU_TRY(const std::unique_ptr<Backend> device, registry.make(backend));
    KAIKOU_TRY(loaded.model, device->load(checkpoint, options, progress));
    warnOfDoubts(checkpoint, *loaded.tokenizer);
    FormChoice choice = chooseForm(checkpoint, *loaded.tokenizer);
    loaded.form = choice.form;
    loaded.formReason = std::move(choice.reason);
    checkpoint.weights = {}; // closes the file's map
    checkpoint.tokenizer.content.clear();
    loaded.meta = std::move(checkpoint);
    return loaded;
}

} // namespace kaikou
