#include "inference/history/chat_export.h"
#include "tests/inference/history/sample_document.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace kaikou;
using kaikou::test::sampleDocument;

class TstChatExport : public QObject
{
    Q_OBJECT

private slots:
    void markdown();
    void csv();
    void html();
    void htmlStaysSmall();
};

void TstChatExport::markdown()
{
    const std::string expected
        = "# 你好 <b>\n\n## 用户\n\n```text\n=1+1\n# 标题\n```\n\n## 助手\n\n你,\"好\"!\n\n"
          "## 用户\n\n再问\n\n## 助手\n\n\\xE5\\xA5\\xBD\\xE4\\xBD\n";
    QCOMPARE(chatMarkdown(sampleDocument(), {"用户", "助手", ""}), expected);
    ChatDocument fences = sampleDocument();
    fences.nodes[0].text = "```\nopen";
    const std::string text = chatMarkdown(fences, {});
    QVERIFY(text.find("````text\n```\nopen\n````") != std::string::npos);
}

void TstChatExport::csv()
{
    ChatDocument chat = sampleDocument();
    chat.nodes[1].tokens[3].u = 0.1;
    const std::string text = chatCsv(chat);
    QVERIFY(text.starts_with(
        "\xEF\xBB\xBFmessage,index,id,text,p_model,p_shaped,p_sample,rank,entropy_nats,u\r\n"));
    QVERIFY(text.find("2,0,10,\\xE4\\xBD,0.5,,,1,,\r\n") != std::string::npos); // half a character
    QVERIFY(text.find("2,2,12,\",\"\"好\"\"\",0.9,,,1,,\r\n") != std::string::npos);
    QVERIFY(text.find(",0.10000000000000001\r\n") != std::string::npos); // u reads back exactly
    chat.nodes[1].text = "=cmd";
    chat.nodes[1].tokens.resize(1);
    chat.nodes[1].tokens[0].length = 4;
    QVERIFY(chatCsv(chat).find(",'=cmd,") != std::string::npos);
}

void TstChatExport::html()
{
    const auto piece = [](TokenId id) { return id == 11 ? std::string("<i>") : std::string("x"); };
    const std::string text = chatHtml(sampleDocument(), {"用户", "助手", "图例"}, piece);
    QVERIFY(text.find("<title>你好 &lt;b&gt;</title>") != std::string::npos);
    QVERIFY(text.find("<b>") == std::string::npos && text.find("<i>") == std::string::npos);
    QVERIFY(text.find("<script") == std::string::npos && text.find("http") == std::string::npos);
    // The two halves of 你 are one span, coloured by their product 0.5.
    QVERIFY(text.find("&lt;i&gt;  25 %") != std::string::npos);
    QVERIFY(text.find("100 % · #1\">你</span>") != std::string::npos);
    QVERIFY(text.find("<span class=b title=\"50 % · #1") != std::string::npos);
    QVERIFY(text.find("<span title=\"90 % · #1\">,&quot;好&quot;</span>") != std::string::npos);
}

void TstChatExport::htmlStaysSmall()
{
    ChatDocument chat = sampleDocument();
    ChatNode& node = chat.nodes[1];
    node.text.clear();
    node.tokens.clear();
    for (int i = 0; i < 2000; ++i) {
        ChatToken token;
        token.begin = node.text.size();
        token.length = 3;
        token.logModel = std::log(0.3);
        token.rank = 2;
        for (TokenId id = 0; id < 10; ++id)
            token.top.emplace_back(id, std::log(0.1));
        node.text += "好";
        node.tokens.push_back(token);
    }
    const std::string text = chatHtml(chat, {}, [](TokenId) { return std::string("好好"); });
    QVERIFY2(text.size() < 1'000'000, std::to_string(text.size()).c_str());
}

KAIKOU_TEST(TstChatExport)
#include "tst_chat_export.moc"
