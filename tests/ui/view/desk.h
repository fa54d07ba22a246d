#pragma once

#include "tests/support/scripted_service.h"
#include "ui/model/chat_keeper.h"
#include "ui/model/chat_model.h"
#include "ui/model/generation_bridge.h"
#include "ui/model/language.h"
#include "ui/model/record_keeper.h"
#include "ui/view/composer.h"
#include "ui/view/main_window.h"

#include <QLabel>
#include <QTemporaryDir>
#include <QThread>

#include <atomic>
#include <semaphore>

namespace kaikou::test {

// Counts who asks for a preview. One token per byte of the last turn; each preview waits for a permit.
class CountingText final : public TextModel
{
public:
    mutable std::atomic<int> onGuiThread = 0;
    mutable std::atomic<int> elsewhere = 0;
    mutable std::counting_semaphore<> permits {0};

    [[nodiscard]] Result<PromptInfo> preview(const Request& request) const override
    {
        if (QThread::currentThread() == QCoreApplication::instance()->thread()) {
            ++onGuiThread;
        } else {
            ++elsewhere;
            permits.acquire();
        }
        const Turns& turns = std::get<Turns>(request.prompt);
        PromptInfo info;
        for (const Turn& turn : turns.turns)
            info.ids.resize(info.ids.size() + turn.text.size());
        return info;
    }

    [[nodiscard]] std::string_view piece(TokenId) const override { return "x"; }

    [[nodiscard]] bool isSpecial(TokenId) const override { return false; }

    [[nodiscard]] const SpecialIds& specialIds() const override { return m_special; }

private:
    SpecialIds m_special;
};

// The real window over a scripted model.
struct Desk
{
    QTemporaryDir folder;
    Settings settings {folder.filePath(QStringLiteral("kaikou.ini"))};
    LanguageSwitcher language;
    ChatModel chat;
    GenerationBridge bridge;
    ChatSession session {chat, bridge};
    RecordKeeper records {chat};
    ChatStore store {folder.filePath(QStringLiteral("chats.db"))};
    ChatKeeper keeper {store, chat, session};
    std::shared_ptr<ScriptedService> service = std::make_shared<ScriptedService>();
    std::shared_ptr<CountingText> text = std::make_shared<CountingText>();
    CheckpointLoader loader {[this](const ModelSource& source, const Progress&) -> Result<OpenedModel> {
        OpenedModel model;
        model.source = source;
        model.service = service;
        model.name = QStringLiteral("scripted");
        return model;
    }};
    MainWindow window {{settings, language, chat, session, bridge, records, keeper, store, loader, false}};

    Desk()
    {
        service->textModel = text;
        window.openModel(folder.filePath(QStringLiteral("model")));
    }

    ~Desk() { text->permits.release(1000); } // nobody waits for ever

    [[nodiscard]] QString hint() const
    {
        for (const QLabel* label : window.composer()->findChildren<QLabel*>()) {
            if (label->text().contains(QStringLiteral("token")))
                return label->text();
        }
        return {};
    }
};

} // namespace kaikou::test
