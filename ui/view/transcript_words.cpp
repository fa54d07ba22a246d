#include "ui/view/transcript_words.h"

#include "ui/model/error_text.h"
#include "ui/model/token_label.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kaikou {

namespace {

QString number(double value, int decimals)
{
    return QLocale().toString(value, 'f', decimals);
}

QString shortest(double value)
{
    return QLocale().toString(value, 'g', 6);
}

QString hexOf(std::string_view bytes)
{
    const QByteArray raw(bytes.data(), static_cast<qsizetype>(bytes.size()));
    return QString::fromLatin1(raw.toHex(' ').toUpper());
}

} // namespace

QString TranscriptWords::percent(double probability)
{
    if (probability > 0.0 && probability < 0.0001)
        return QStringLiteral("< ") + number(0.01, 2) + u" %";
    if (probability >= 1.0)
        return QStringLiteral("100 %");
    if (probability > 0.999) // never rounded up to certainty; the inspector does the same
        return number(99.9, 1) + u" %";
    return number(probability * 100, probability < 0.01 ? 2 : 1) + u" %";
}

QString TranscriptWords::tokenText(const Reply& reply, int token)
{
    const ReplyToken& shown = reply.tokens[static_cast<std::size_t>(token)];
    return shown.byteEnd > shown.byteBegin ? tokenLabel(reply.bytesOf(shown))
                                           : tokenLabel(reply.setup.text.get(), shown.id);
}

QString TranscriptWords::note(const Note& note)
{
    switch (note.kind) {
    case NoteKind::ModelChanged:
        return tr("From here on %1 answers.").arg(note.detail);
    case NoteKind::EarlierTurnsOff:
        return tr("Asked alone: the model did not see the turns above.");
    case NoteKind::Problem:
        break;
    }
    return note.detail;
}

QString TranscriptWords::bandName(Band band)
{
    switch (band) {
    case Band::High:
        return tr("High");
    case Band::Medium:
        return tr("Medium");
    case Band::Low:
        break;
    }
    return tr("Low");
}

QString TranscriptWords::chip(const Reply& reply, const ReplyConfidence& confidence)
{
    if (reply.setup.gptTeacher)
        return tr("GPT_teacher confidence: %1 · %2")
            .arg(bandName(bandOf(confidence.teacher)), percent(confidence.teacher));
    return tr("%1 · %2").arg(bandName(bandOf(confidence.mean)), percent(confidence.mean));
}

QString TranscriptWords::mean(const ReplyConfidence& confidence)
{
    return tr("mean model probability %1 (%2)")
        .arg(percent(confidence.mean), bandName(bandOf(confidence.mean)));
}

QString TranscriptWords::failure(const Reply& reply)
{
    if (!reply.error)
        return tr("ended by an error");
    return sentences(errorText(reply.error->code));
}

QString TranscriptWords::geometric(const ReplyConfidence& confidence)
{
    return tr("geometric mean %1").arg(percent(confidence.geometric));
}

QString TranscriptWords::lowest(const Reply& reply, const ReplyConfidence& confidence)
{
    const auto& token = reply.tokens[static_cast<std::size_t>(confidence.lowest)];
    return tr("lowest %1 “%2”").arg(percent(token.stats.pModel), tokenText(reply, confidence.lowest));
}

QString TranscriptWords::ending(const Reply& reply)
{
    if (!reply.finish)
        return {};
    switch (*reply.finish) {
    case FinishReason::Eos:
        return tr("the model ended its answer");
    case FinishReason::Stop:
        return tr("ended at the stop text “%1”").arg(tokenLabel(reply.stopString));
    case FinishReason::Length:
        return tr("cut at the length limit");
    case FinishReason::Context:
        return tr("cut: the context is full");
    case FinishReason::Cancelled:
        return tr("stopped by you");
    case FinishReason::Error:
        break;
    }
    return tr("ended by an error");
}

QStringList TranscriptWords::numbers(const Reply& reply)
{
    QStringList parts;
    parts << tr("%n token(s)", nullptr, static_cast<int>(reply.metrics.newTokens));
    if (reply.metrics.ttftMs > 0)
        parts << tr("first after %1 ms").arg(number(reply.metrics.ttftMs, reply.metrics.ttftMs < 10 ? 1 : 0));
    if (reply.metrics.tokensPerSecond > 0)
        parts << tr("%1 tok/s").arg(number(reply.metrics.tokensPerSecond, 0));
    if (reply.metrics.cachedTokens > 0)
        parts << tr(
            "%n prompt token(s) from the cache", nullptr, static_cast<int>(reply.metrics.cachedTokens));
    return parts;
}

QString TranscriptWords::seed(const Reply& reply)
{
    return tr("seed %1").arg(reply.setup.seed);
}

QString TranscriptWords::droppedTurns(int turns)
{
    return tr("%n earlier turn(s) did not fit into the context and were left out.", nullptr, turns);
}

QString TranscriptWords::unknownCharacters(const std::vector<std::string>& characters)
{
    constexpr std::size_t kNamed = 12;
    QStringList named;
    for (std::size_t i = 0; i < std::min(kNamed, characters.size()); ++i)
        named << tr("'%1'").arg(tokenLabel(characters[i]));
    QString list = named.join(tr(", ", "between characters"));
    if (characters.size() > kNamed)
        list += QStringLiteral(" …");
    return tr("The tokenizer does not know: %1").arg(list);
}

QString TranscriptWords::trouble(const Trouble& trouble)
{
    switch (trouble.kind) {
    case TroubleKind::Loop:
        return tr("It goes round in circles: “%1” %2 times in a row.").arg(trouble.detail).arg(trouble.count);
    case TroubleKind::BrokenText:
        return tr("Nearly every token is broken text: the tokenizer is probably not the one of this model.");
    case TroubleKind::Untrained:
        return tr(
            "Every word was a near tie of the whole vocabulary: the model has hardly been trained yet.");
    case TroubleKind::NoRoom:
        break;
    }
    return tr("The conversation fills the model's context: the prompt alone took %n token(s).", nullptr,
        trouble.count);
}

QString TranscriptWords::emptyReply(const Reply& reply)
{
    if (reply.finish == FinishReason::Cancelled)
        return tr("Stopped before the first word.");
    if (reply.finish == FinishReason::Eos && !reply.tokens.empty())
        return tr("The model said nothing: it chose to end the answer at once, with %1.")
            .arg(percent(reply.tokens.back().stats.pModel));
    return tr("The model said nothing that can be shown.");
}

QString TranscriptWords::waiting()
{
    return tr("Reading the prompt…");
}

QString TranscriptWords::notModelsWords()
{
    return tr("Not the model's words: its answer was empty.");
}

QString TranscriptWords::rawToggle(bool shown)
{
    return shown ? tr("hide the raw output") : tr("show the raw output");
}

QString TranscriptWords::goOn()
{
    return tr("Continue");
}

QString TranscriptWords::againstLoop()
{
    return tr("answer again with a repetition penalty of 1.15");
}

QString TranscriptWords::newChat()
{
    return tr("start a new chat");
}

QString TranscriptWords::interrupted()
{
    return tr("The program ended while this was being written; what there was is kept.");
}

QString TranscriptWords::damaged()
{
    return tr("The stored probabilities of this answer are damaged and were left out.");
}

QString TranscriptWords::again()
{
    return tr("answer again");
}

QString TranscriptWords::sameDice()
{
    return tr("again, same dice");
}

QString TranscriptWords::newDice()
{
    return tr("again, new dice");
}

std::optional<QString> TranscriptWords::madeWith(const SampleParams& made, const SampleParams& now)
{
    QStringList before;
    QStringList after;
    const auto compare = [&](const QString& name, double a, double b) {
        if (a == b)
            return;
        before << name + u' ' + shortest(a);
        after << name + u' ' + shortest(b);
    };
    compare(tr("T"), static_cast<double>(made.temperature), static_cast<double>(now.temperature));
    compare(tr("top-k"), made.topK, now.topK);
    compare(tr("top-p"), static_cast<double>(made.topP), static_cast<double>(now.topP));
    compare(tr("min-p"), static_cast<double>(made.minP), static_cast<double>(now.minP));
    compare(tr("repetition"), static_cast<double>(made.repetitionPenalty),
        static_cast<double>(now.repetitionPenalty));
    compare(
        tr("presence"), static_cast<double>(made.presencePenalty), static_cast<double>(now.presencePenalty));
    compare(tr("frequency"), static_cast<double>(made.frequencyPenalty),
        static_cast<double>(now.frequencyPenalty));
    compare(tr("min tokens"), made.minTokens, now.minTokens);
    if (before.isEmpty() && made == now)
        return std::nullopt;
    if (before.isEmpty())
        return tr("Made with other sampling rules than the panel shows now.");
    return tr("Made with %1, now %2.")
        .arg(before.join(QStringLiteral(", ")), after.join(QStringLiteral(", ")));
}

QString TranscriptWords::tokenTip(const Reply& reply, int firstToken, int tokens)
{
    QString html;
    if (tokens > 1) {
        double product = 1.0;
        for (int i = firstToken; i < firstToken + tokens; ++i)
            product *= reply.tokens[static_cast<std::size_t>(i)].stats.pModel;
        html += u"<p>"
            + tr("One character of %n token(s), together %1", nullptr, tokens).arg(percent(product))
            + u"</p>";
    }
    const auto row = [](const QString& name, const QString& value) {
        return QString(u"<tr><td>" + name + u"&nbsp;&nbsp;</td><td align='right'>" + value + u"</td></tr>");
    };
    for (int i = firstToken; i < firstToken + tokens; ++i) {
        const ReplyToken& token = reply.tokens[static_cast<std::size_t>(i)];
        const double entropy = token.stats.entropy / std::numbers::ln2;
        html += u"<p><b>" + tokenText(reply, i).toHtmlEscaped() + u"</b>&nbsp;&nbsp;"
            + tr("token %1 of %2").arg(i + 1).arg(reply.tokens.size()) + u"</p><table>";
        html += row(tr("model probability"), percent(token.stats.pModel));
        html += row(tr("shaped probability"), percent(token.stats.pShaped));
        html += row(tr("sampling probability"),
            token.stats.greedy ? tr("greedy: always the likeliest") : percent(token.stats.pSample));
        html += row(tr("rank"), QLocale().toString(token.stats.rank));
        html += row(tr("surprisal"), tr("%1 bits").arg(number(-std::log2(token.stats.pModel), 2)));
        html += row(tr("entropy"),
            tr("%1 bits ≈ %2 choices").arg(number(entropy, 2), number(std::exp(token.stats.entropy), 1)));
        if (token.byteEnd > token.byteBegin)
            html += row(tr("bytes"), hexOf(reply.bytesOf(token)));
        html += u"</table>";
    }
    return html;
}

QString TranscriptWords::tokenLine(const Reply& reply, int token)
{
    const ReplyToken& shown = reply.tokens[static_cast<std::size_t>(token)];
    return tr("token %1 of %2: %3, %4, rank %5, entropy %6 bits")
        .arg(token + 1)
        .arg(reply.tokens.size())
        .arg(tokenText(reply, token), percent(shown.stats.pModel))
        .arg(shown.stats.rank)
        .arg(number(shown.stats.entropy / std::numbers::ln2, 2));
}

QString TranscriptWords::messageState(const Reply& reply)
{
    switch (reply.state) {
    case ReplyState::Waiting:
        return waiting();
    case ReplyState::Streaming:
        return tr("answering");
    case ReplyState::Complete:
        return ending(reply);
    case ReplyState::Interrupted:
        return interrupted();
    case ReplyState::Failed:
        break;
    }
    return reply.error ? errorText(reply.error->code).what : tr("ended by an error");
}

QString TranscriptWords::messageName(const Message& message, int index, int count)
{
    switch (message.kind) {
    case MessageKind::Question:
        return tr("Your message, %1 of %2").arg(index + 1).arg(count);
    case MessageKind::Answer:
        return tr("Answer, %1 of %2, %3").arg(index + 1).arg(count).arg(messageState(message.reply));
    case MessageKind::Note:
        break;
    }
    return tr("Note, %1 of %2").arg(index + 1).arg(count);
}

} // namespace kaikou
