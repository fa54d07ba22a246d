#pragma once

#include "inference/base/result.h"
#include "inference/generate/event_queue.h"
#include "inference/generate/request.h"

#include <memory>
#include <string>

// Seam 2: text in, tokens with probabilities out. Local engine, remote server and test fake look the same.
namespace kaikou {

struct Capabilities
{
    std::string model; // name to show
    std::string backend; // "cpu · AVX2"
    std::uint32_t threads = 0; // of a CPU; 0 = not a matter of threads
    std::string fingerprint;
    Family family = Family::Llama;
    std::uint32_t context = 0; // granted positions per sequence
    std::uint32_t slotCount = 0;
    std::uint32_t vocab = 0; // rows of logits
    std::uint64_t parameters = 0;
    std::uint64_t memoryBytes = 0;
    ChatForm form = ChatForm::Continuation; // what Automatic means here
    std::string formReason;
    bool fullLogits = true; // StepRecords with every logit
    bool seed = true;
    bool choices = true;
    bool rawPrompt = true;
};

// Read-only view of the text side of a model, for previews and labels. Immutable; any thread.
class TextModel
{
public:
    virtual ~TextModel() = default;

    // Exactly the prompt that submit would use. Errors as submit.
    [[nodiscard]] virtual Result<PromptInfo> preview(const Request& request) const = 0;
    [[nodiscard]] virtual std::string_view piece(TokenId id) const = 0; // raw bytes
    [[nodiscard]] virtual bool isSpecial(TokenId id) const = 0;
    [[nodiscard]] virtual const SpecialIds& specialIds() const = 0;
};

class CompletionService
{
public:
    virtual ~CompletionService() = default;

    [[nodiscard]] virtual Capabilities capabilities() const = 0;

    // Renders and tokenises on the calling thread, queues, returns. Every accepted ticket ends exactly once.
    // Errors: ParameterRange, ParameterUnsupported, PromptTooLong, PromptEmpty, TokenIdRange, QueueFull,
    // ShuttingDown.
    [[nodiscard]] virtual Result<Ticket> submit(Request request, std::shared_ptr<EventQueue> events) = 0;

    // Idempotent, legal in every phase; takes effect within one step.
    virtual void cancel(Ticket ticket) = 0;

    [[nodiscard]] virtual std::shared_ptr<const TextModel> text() const = 0; // null where a remote has none
};

} // namespace kaikou
