#include "inference/tokenize/byte_tokenizer.h"
#include "inference/tokenize/hf_tokenizer.h"
#include "inference/tokenize/tokenizer.h"

namespace kaikou {

Result<std::shared_ptr<const Tokenizer>> makeTokenizer(const TokenizerSource& source)
{
    switch (source.kind) {
    case TokenizerKind::HfJson:
        return HfTokenizer::read(source);
    case TokenizerKind::Bytes:
        return std::shared_ptr<const Tokenizer>(std::make_shared<ByteTokenizer>());
    case TokenizerKind::None:
        break;
    }
    return Error {ErrorCode::TokenizerMissing,
        "there is no tokenizer.json beside the weights; without it text cannot become token ids",
        source.where};
}

} // namespace kaikou
