#include "inference/tokenize/hf_tokenizer.h"

#include "inference/base/utf8.h"
#include "inference/tokenize/json_pattern.h"
#include "inference/tokenize/special_ids.h"

#include <algorithm>

namespace kaikou {

namespace {

Result<Bpe> readModel(const JsonValue& root)
{
    KAIKOU_TRY(const JsonValue model, root.member("model", ErrorCode::TokenizerInvalid));
    if (!model.isObject())
        return model.error(ErrorCode::TokenizerInvalid, "the model is no object");
    // the oldest files leave the type out
    KAIKOU_TRY(const std::string type, readText(model, "type", model.has("merges") ? "BPE" : "WordLevel"));
    if (type != "BPE")
        return unsupportedComponent(model, "tokenizer model", type);
    return Bpe::read(model);
}

std::uint32_t highestIdPlusOne(const Bpe& model, const AddedTokens& added)
{
    std::uint32_t size = model.vocabulary().size();
    for (const AddedToken& token : added.all())
        size = std::max(size, token.id + 1);
    return size;
}

// The texts of the file are byte stand-ins, or plain characters with or without <0xNN> tokens.
std::string kindOf(const JsonValue& root, const Decoder& decoder)
{
    if (decoder.pieceBytes("\u0120") == " ") // the stand-in of a space
        return "byte-level BPE";
    return root["model"]["byte_fallback"].boolean().ok() && *root["model"]["byte_fallback"].boolean()
        ? "BPE with byte fallback"
        : "BPE";
}

// A ByteLevel decoder takes some characters of an added token for byte stand-ins; the text is meant.
std::string addedPiece(const AddedToken& token, const Decoder& decoder)
{
    if (token.special)
        return token.text;
    std::string bytes = decoder.pieceBytes(token.text);
    return isValidUtf8(bytes) ? bytes : token.text;
}

} // namespace

Result<std::shared_ptr<const Tokenizer>> HfTokenizer::read(const TokenizerSource& source)
{
    const std::string where = source.where.empty() ? "tokenizer.json" : source.where;
    Result<JsonDocument> document = JsonDocument::parse(source.content, where);
    if (!document)
        return Error {ErrorCode::TokenizerInvalid,
            "tokenizer.json cannot be read: " + document.error().message, document.error().where};
    const JsonValue root = document->root();
    if (!root.isObject())
        return root.error(ErrorCode::TokenizerInvalid, "tokenizer.json is no JSON object");
    KAIKOU_TRY(Bpe model, readModel(root));
    KAIKOU_TRY(Normalizer normalizer, Normalizer::read(root["normalizer"]));
    KAIKOU_TRY(PreTokenizer preTokenizer, PreTokenizer::read(root["pre_tokenizer"]));
    KAIKOU_TRY(AddedTokens added, AddedTokens::read(root["added_tokens"], model.vocabulary(), normalizer));
    KAIKOU_TRY(Decoder decoder, Decoder::read(root["decoder"]));
    const auto known = [&model, &added](TokenId id) {
        return model.vocabulary().text(id).has_value() || added.byId(id) != nullptr;
    };
    KAIKOU_TRY(PostProcessor postProcessor, PostProcessor::read(root["post_processor"], known));
    std::string kind = kindOf(root, decoder);
    const std::shared_ptr<HfTokenizer> tokenizer(
        new HfTokenizer({std::move(normalizer), std::move(preTokenizer), std::move(model), std::move(added),
                            std::move(decoder), std::move(postProcessor)},
            source.special));
    tokenizer->m_info.kind = std::move(kind);
    return std::shared_ptr<const Tokenizer>(tokenizer);
}

HfTokenizer::HfTokenizer(Parts parts, const SpecialIds& configured)
    : m_parts(std::move(parts))
    , m_special(completeSpecialIds(configured, m_parts.added, m_parts.postProcessor, m_parts.model.unknown()))
{
    m_info.pre = m_parts.preTokenizer.description();
    m_info.vocab = highestIdPlusOne(m_parts.model, m_parts.added);
    m_pieces.resize(m_info.vocab);
    for (TokenId id = 0; id < m_info.vocab; ++id) {
        if (const AddedToken* token = m_parts.added.byId(id))
            m_pieces[id] = addedPiece(*token, m_parts.decoder);
        else if (const auto stored = m_parts.model.vocabulary().text(id))
            m_pieces[id] = m_parts.decoder.pieceBytes(*stored);
    }
}

std::vector<TokenId> HfTokenizer::encode(std::string_view text, EncodeOptions options) const
{
    std::vector<TokenId> ids;
    if (options.addSpecial)
        ids = m_parts.postProcessor.before;
    const std::string valid = toValidUtf8(text);
    const std::string_view all = valid;
    for (const AddedTokens::Part& part : m_parts.added.find(all, false, options.parseSpecial)) {
        if (part.id) {
            ids.push_back(*part.id);
            continue;
        }
        const std::string normalized
            = m_parts.normalizer.apply(all.substr(part.range.begin, part.range.end - part.range.begin));
        encodeNormalized(normalized, part.range.begin == 0, options.parseSpecial, ids);
    }
    if (options.addSpecial)
        ids.insert(ids.end(), m_parts.postProcessor.after.begin(), m_parts.postProcessor.after.end());
    return ids;
}

void HfTokenizer::encodeNormalized(
    std::string_view text, bool atStart, bool parseSpecial, std::vector<TokenId>& out) const
{
    for (const AddedTokens::Part& part : m_parts.added.find(text, true, parseSpecial)) {
        if (part.id) {
            out.push_back(*part.id);
            continue;
        }
        PieceList list(std::string(text.substr(part.range.begin, part.range.end - part.range.begin)),
            atStart && part.range.begin == 0);
        m_parts.preTokenizer.apply(list);
        for (const PieceList::Piece& piece : list.pieces())
            m_parts.model.encode(piece.text, out);
    }
}

std::string_view HfTokenizer::piece(TokenId id) const
{
    return id < m_pieces.size() ? std::string_view(m_pieces[id]) : std::string_view();
}

bool HfTokenizer::isSpecial(TokenId id) const
{
    const AddedToken* token = m_parts.added.byId(id);
    return token != nullptr && token->special;
}

std::optional<std::string_view> HfTokenizer::text(TokenId id) const
{
    if (const AddedToken* token = m_parts.added.byId(id))
        return token->text;
    return m_parts.model.vocabulary().text(id);
}

std::string HfTokenizer::decode(std::span<const TokenId> ids, bool skipSpecial) const
{
    std::vector<std::string> tokens;
    tokens.reserve(ids.size());
    for (const TokenId id : ids) {
        if (skipSpecial && isSpecial(id))
            continue;
        if (const auto stored = text(id))
            tokens.emplace_back(*stored);
    }
    return m_parts.decoder.decode(std::move(tokens));
}

} // namespace kaikou
