#include "inference/history/chat_export.h"

#include "inference/base/utf8.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace kaikou {

namespace {

// With what is no UTF-8 as \xNN.
std::string printable(std::string_view bytes)
{
    if (isValidUtf8(bytes))
        return std::string(bytes);
    std::string text;
    for (const char byte : bytes) {
        std::array<char, 8> code {};
        const auto value = static_cast<unsigned char>(byte);
        if (value >= 0x20 && value < 0x7F) {
            text += byte;
            continue;
        }
        std::snprintf(code.data(), code.size(), "\\x%02X", value);
        text += code.data();
    }
    return text;
}

std::string number(double value, const char* format = "%.6g")
{
    if (!std::isfinite(value))
        return {};
    std::array<char, 32> text {};
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

std::string percent(double logprob)
{
    return std::isfinite(logprob) ? number(100.0 * std::exp(logprob), "%.3g") + " %" : std::string("?");
}

// The longest run of backticks decides the fence.
std::string fenced(std::string_view text)
{
    std::size_t longest = 2;
    std::size_t run = 0;
    for (const char c : text) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    const std::string fence(longest + 1, '`');
    return fence + "text\n" + std::string(text) + '\n' + fence;
}

// Headings and rules of the text would look like those of the document; an open fence would swallow the rest.
bool breaksOut(std::string_view text)
{
    std::size_t fences = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line = text.substr(at, end - at);
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        if (line.starts_with('#') || line.starts_with("---") || line.starts_with("===")
            || line.starts_with('<'))
            return true;
        fences += line.starts_with("```") || line.starts_with("~~~") ? 1 : 0;
        at = end + 1;
    }
    return fences % 2 != 0;
}

std::string csvCell(std::string text)
{
    if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos)
        text.insert(text.begin(), '\'');
    if (text.find_first_of("\",\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c;
        if (c == '"')
            quoted += '"';
    }
    return quoted + '"';
}

std::string escaped(std::string_view text)
{
    std::string html;
    for (const char c : text) {
        switch (c) {
        case '&':
            html += "&amp;";
            break;
        case '<':
            html += "&lt;";
            break;
        case '>':
            html += "&gt;";
            break;
        case '"':
            html += "&quot;";
            break;
        default:
            html += c;
        }
    }
    return html;
}

constexpr std::string_view kStyle = R"(
body{font:16px/1.7 "Noto Sans CJK SC","Source Han Sans SC","Microsoft YaHei","PingFang SC",sans-serif;max-width:46em;
margin:2em auto;padding:0 1em;color:#1b1f24;background:#fff}
h1{font-size:1.3em}h2{font-size:.85em;color:#57606a;margin:1.6em 0 .2em}p{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
small{color:#57606a}.a{background:#f9d9a8}.b{background:#f2a65e}
@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}h2,small{color:#9198a1}.a{background:#6b4a12}
.b{background:#8a4311}}
)";

std::string_view bandOf(double logModel)
{
    const double p = std::exp(logModel);
    return !std::isfinite(logModel) || p > 0.8 ? "" : p > 0.5 ? " class=a" : " class=b";
}

std::string tipOf(const ChatToken& token, const std::function<std::string(TokenId)>& piece)
{
    std::string tip = percent(token.logModel);
    if (token.rank > 0)
        tip += " · #" + std::to_string(token.rank);
    if (!piece)
        return tip;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, token.top.size()); ++i)
        tip += "\n" + printable(piece(token.top[i].first)) + "  " + percent(token.top[i].second);
    return tip;
}

// One span per token; the parts of a split character share one.
void appendAnswer(std::string& html, const ChatNode& node, const std::function<std::string(TokenId)>& piece)
{
    std::size_t at = 0; // in node.text
    for (std::size_t i = 0; i < node.tokens.size();) {
        std::size_t last = i;
        std::size_t end = node.tokens[i].begin + node.tokens[i].length;
        std::string tip = tipOf(node.tokens[i], piece);
        double logModel = node.tokens[i].logModel;
        while (
            last + 1 < node.tokens.size() && !isValidUtf8(std::string_view(node.text).substr(at, end - at))) {
            const ChatToken& part = node.tokens[++last];
            end = part.begin + part.length;
            tip += "\n" + tipOf(part, piece);
            logModel += part.logModel;
        }
        if (end > at)
            html.append("<span")
                .append(bandOf(logModel))
                .append(" title=\"")
                .append(escaped(tip))
                .append("\">")
                .append(escaped(printable(std::string_view(node.text).substr(at, end - at))))
                .append("</span>");
        at = std::max(at, end);
        i = last + 1;
    }
    html += escaped(printable(std::string_view(node.text).substr(at)));
}

} // namespace

std::string chatMarkdown(const ChatDocument& chat, const ExportWords& words)
{
    std::string title = chat.title;
    std::ranges::replace(title, '\n', ' ');
    std::string text = "# " + title + "\n";
    for (const ChatNode* node : activePath(chat)) {
        const std::string said = printable(node->text);
        text += "\n## " + (node->assistant ? words.assistant : words.user) + "\n\n";
        text += (breaksOut(said) ? fenced(said) : said) + "\n";
    }
    return text;
}

std::string chatCsv(const ChatDocument& chat)
{
    std::string csv = "\xEF\xBB\xBFmessage,index,id,text,p_model,p_shaped,p_sample,rank,entropy_nats,u\r\n";
    std::size_t message = 0;
    for (const ChatNode* node : activePath(chat)) {
        ++message;
        for (std::size_t i = 0; i < node->tokens.size(); ++i) {
            const ChatToken& token = node->tokens[i];
            csv += std::to_string(message) + ',' + std::to_string(i) + ',' + std::to_string(token.id) + ','
                + csvCell(printable(std::string_view(node->text).substr(token.begin, token.length)));
            for (const double p : {token.logModel, token.logShaped, token.logSample})
                csv += ',' + number(std::exp(p));
            csv += ',' + (token.rank == 0 ? std::string() : std::to_string(token.rank)) + ','
                + number(token.entropy) + ',' + number(token.u, "%.17g") + "\r\n";
        }
    }
    return csv;
}

std::string chatHtml(
    const ChatDocument& chat, const ExportWords& words, const std::function<std::string(TokenId)>& piece)
{
    std::string html = "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>" + escaped(chat.title)
        + "</title>\n<style>" + std::string(kStyle) + "</style>\n<h1>" + escaped(chat.title)
        + "</h1>\n<small>" + escaped(words.legend)
        + " · &gt; 80 % · <span class=a>50–80 %</span> · <span class=b>≤ 50 %</span></small>\n";
    for (const ChatNode* node : activePath(chat)) {
        html += "<h2>" + escaped(node->assistant ? words.assistant : words.user) + "</h2>\n<p>";
        if (node->assistant)
            appendAnswer(html, *node, piece);
        else
            html += escaped(printable(node->text));
        html += "</p>\n";
    }
    return html;
}

} // namespace kaikou
