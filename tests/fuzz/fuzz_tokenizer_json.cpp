#include "inference/tokenize/tokenizer.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

// A hostile tokenizer.json: what is accepted must also encode and decode.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    kaikou::TokenizerSource source;
    source.kind = kaikou::TokenizerKind::HfJson;
    source.content.assign(reinterpret_cast<const char*>(data), size);
    source.where = "fuzz.json";
    const auto tokenizer = kaikou::makeTokenizer(source);
    if (tokenizer) {
        constexpr std::string_view kText = "你好, <eos>  x1\n\xE4\xBD 🙂";
        const auto ids = (*tokenizer)->encode(kText, {true, true});
        static_cast<void>((*tokenizer)->decode(ids, false));
    }
    return 0;
}
