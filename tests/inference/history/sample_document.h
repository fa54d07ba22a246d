#pragma once

#include "inference/history/chat_document.h"

namespace kaikou::test {

// Two turns, a variant of the second answer, a character split over two tokens, a cut-off text.
inline ChatDocument sampleDocument()
{
    ChatDocument chat;
    chat.uuid = "4c3b1f0e-0000-4000-8000-000000000001";
    chat.title = "你好 <b>";
    chat.createdMs = 1'764'547'200'000;
    chat.updatedMs = 1'764'547'201'000;
    chat.systemPrompt = "be kind";
    chat.pinned = true;
    chat.params.set("temperature", 0.7);
    const auto add
        = [&chat](std::int64_t id, std::int64_t parent, bool assistant, std::string text) -> ChatNode& {
        ChatNode node;
        node.id = id;
        node.parent = parent;
        node.assistant = assistant;
        node.text = std::move(text);
        chat.nodes.push_back(std::move(node));
        return chat.nodes.back();
    };
    add(1, 0, false, "=1+1\n# 标题");
    ChatNode& answer = add(4, 1, true, "你,\"好\"!");
    answer.stop = "eos";
    ChatRun run;
    run.seed = 0xFEDCBA9876543210ULL;
    run.params.set("top_k", 40);
    run.model = "abc";
    run.promptIds = {1, 2, 3};
    run.ttftMs = 7.5;
    answer.run = run;
    const auto token
        = [&answer](TokenId id, std::uint64_t begin, std::uint64_t length, double p) -> ChatToken& {
        ChatToken made;
        made.id = id;
        made.begin = begin;
        made.length = length;
        made.logModel = std::log(p);
        made.rank = 1;
        answer.tokens.push_back(made);
        return answer.tokens.back();
    };
    token(10, 0, 2, 0.5).top = {{10, std::log(0.5)}, {11, std::log(0.25)}}; // half of 你
    token(11, 2, 1, 1.0);
    token(12, 3, 6, 0.9);
    token(13, 9, 1, 0.4).forced = true;
    add(7, 4, false, "再问");
    ChatNode& cut = add(10, 7, true, "好\xE4\xBD");
    cut.state = "interrupted";
    add(13, 7, true, "另一个").stop = "length";
    chat.activeLeaf = 10;
    return chat;
}

} // namespace kaikou::test
