#pragma once

#include "ui/model/chat_model.h"
#include "ui/model/trouble.h"

#include <QCoreApplication>
#include <QStringList>

#include <optional>

namespace kaikou {

// Everything the transcript says, in the user's language. Functions of values only.
class TranscriptWords
{
    Q_DECLARE_TR_FUNCTIONS(TranscriptWords)

public:
    static QString note(const Note& note);
    static QString bandName(Band band);
    static QString chip(const Reply& reply, const ReplyConfidence& confidence);
    static QString mean(const ReplyConfidence& confidence);
    static QString failure(const Reply& reply);
    static QString geometric(const ReplyConfidence& confidence);
    static QString lowest(const Reply& reply, const ReplyConfidence& confidence);
    static QString ending(const Reply& reply); // why the answer ended
    static QStringList numbers(const Reply& reply); // tokens, TTFT, tokens/s, cached
    static QString seed(const Reply& reply);
    static QString droppedTurns(int turns);
    // Characters of the prompt that became <unk>; at most twelve are named.
    static QString unknownCharacters(const std::vector<std::string>& characters);
    static QString trouble(const Trouble& trouble);
    static QString emptyReply(const Reply& reply);
    static QString waiting();
    static QString notModelsWords();
    static QString rawToggle(bool shown);
    static QString again();
    static QString goOn();
    static QString againstLoop();
    static QString newChat();
    static QString interrupted();
    static QString damaged();
    static QString sameDice();
    static QString newDice();
    // "made with T 0.7, now 1.5"; absent where the settings agree.
    static std::optional<QString> madeWith(const SampleParams& made, const SampleParams& now);

    // The text of a hovered or selected token as HTML: probabilities, rank, surprisal, entropy, bytes.
    static QString tokenTip(const Reply& reply, int firstToken, int tokens);
    // The same in one line, for screen readers: "token 12 of 80: 模型, 64 %, rank 1, entropy 1.2 bits".
    static QString tokenLine(const Reply& reply, int token);
    static QString messageName(const Message& message, int index, int count);
    static QString messageState(const Reply& reply);

    static QString percent(double probability); // "64.0 %", "<0.01 %"
    static QString tokenText(const Reply& reply, int token);
};

} // namespace kaikou
