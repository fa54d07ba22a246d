#pragma once

#include "ui/model/chat_session.h"
#include "ui/model/checkpoint_loader.h"
#include "ui/model/settings.h"
#include "ui/model/starters.h"
#include "ui/store/chat_values.h"
#include "ui/store/store_writer.h"
#include "ui/view/main_window_actions.h"

#include <QMainWindow>

#include <memory>

namespace kaikou {

class ChatKeeper;
class ChatList;
class ChatModel;
class Composer;
class ConfidenceLegend;
class ConsistencyModel;
class ConsistencyView;
class ChatStore;
class DistributionModel;
class ErrorBanner;
class GenerationBridge;
class InspectorPanel;
class LanguageSwitcher;
class LoadingStrip;
class MetricsBar;
class PromptPreview;
class Recompute;
class RecordKeeper;
class SamplingPanel;
class TranscriptView;
struct TokenPlace;

// What the window works with; all of it outlives the window.
struct WindowParts
{
    Settings& settings;
    LanguageSwitcher& language;
    ChatModel& chat;
    ChatSession& session;
    GenerationBridge& bridge;
    RecordKeeper& records;
    ChatKeeper& keeper;
    ChatStore& store;
    CheckpointLoader& loader;
    bool embeddedModel = false; // the program brings a model of its own
};

// The one window: transcript and composer in the middle, sampling, inspector and self-consistency as docks.
// Connects the widgets with each other; keeps no conversation of its own. GUI thread.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(const WindowParts& parts, QWidget* parent = nullptr);
    ~MainWindow() override;

    void openModel(const QString& path); // empty = the built-in one
    void setBackends(const std::vector<BackendChoice>& backends);
    void noteInterruptedLoading(const QString& path); // the last start ended while it loaded this model
    void noteDamagedSettings(const QString& kept); // the file that all defaults stand in for
    void inspectLast(int token); // selects this token of the last answer

    [[nodiscard]] TranscriptView* transcript() const { return m_transcript; }

    [[nodiscard]] Composer* composer() const { return m_composer; }

    [[nodiscard]] SamplingPanel* sampling() const { return m_sampling; }

    [[nodiscard]] InspectorPanel* inspector() const { return m_inspector; }

    [[nodiscard]] ConsistencyView* consistency() const { return m_consistency; }

    [[nodiscard]] MetricsBar* metrics() const { return m_metrics; }

    [[nodiscard]] ErrorBanner* banner() const { return m_banner; }

    [[nodiscard]] ErrorBanner* savingBanner() const { return m_savingBanner; }

    [[nodiscard]] ChatList* chats() const { return m_chats; }

    [[nodiscard]] QAction* action(ActionId id) const { return (*m_actions)[id]; }

    [[nodiscard]] QString diagnostics() const; // for bug reports: no chat text, no full paths

signals:
    void backendsWanted(); // the chooser is about to be seen: time to ask the drivers

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // main_window.cpp: structure
    void buildCentre();
    void buildDocks();
    void arrangeDocks();
    void retranslate();
    void applyAppearance();

    // main_window_wiring.cpp: who hears whom
    void wireModel();
    void wireChat();
    void wireInspection();
    void wireActions();

    // main_window_chats.cpp: the list of chats, branches of the open one, what the disk says
    void wireChats();
    void wireBranches();
    void openChat(qint64 chat, quint64 message);
    void chatOpened(const std::optional<ReplyParams>& params);
    void leaveChat();
    void edit(quint64 question);
    void endEdit(bool sent);
    void editLast();
    void answerAgain(quint64 answer);
    void goOn(quint64 answer, int keep, std::optional<TokenId> next);
    void showSibling(int step);
    void showSaving(const SavingState& state);
    void showStore(const StoreReport& report);
    void saveChatsElsewhere();
    void exportChat(const LoadedChat& chat);
    void chooseImport();
    void importChat(const QString& path);
    void updateMode();

    // main_window_asking.cpp
    void fillPresets();
    void usePreset(const QString& name);
    void savePreset();
    void editSystemPrompt();
    [[nodiscard]] QString presetFolder() const;

    [[nodiscard]] bool mayClose();
    [[nodiscard]] quint64 answerMeant() const;

    void modelStarted(const ModelSource& source);
    void modelOpened(const OpenedModel& model);
    void modelFailed(const ModelSource& source, const Error& error);
    void modelCancelled();
    void send(const QString& text);
    void sendQueued();
    void regenerate(bool sameDice);
    void runConsistency();
    void stopEverything();
    void replyEnded(quint64 reply);
    void inspect(quint64 reply, int token);
    void recompute();
    void moveToken(int delta);
    void showRefusal(const QString& context, const QString& text, const Error& error);
    void updateState();
    void updateHint();
    void showHint(const Result<PromptInfo>& info);
    void updateMetrics();

    // main_window_starters.cpp
    void offerStarters();
    void chooseStarter(int index);
    void setSamplingBack();
    void showWhatItShows(quint64 reply);

    // main_window_dialogs.cpp
    void chooseFile();
    void chooseFolder();
    void showShortcuts();
    void showPreferences();
    void showAbout();
    bool handleDrop(QEvent* event);

    [[nodiscard]] Ask ask(std::uint64_t seed) const;
    [[nodiscard]] QString sourceName(const ModelSource& source) const;

    WindowParts m_parts;
    WindowActions* m_actions = nullptr;
    ErrorBanner* m_banner = nullptr;
    ErrorBanner* m_savingBanner = nullptr; // while chats are not saved
    ChatList* m_chats = nullptr;
    LoadingStrip* m_loading = nullptr;
    TranscriptView* m_transcript = nullptr;
    ConfidenceLegend* m_legend = nullptr;
    Composer* m_composer = nullptr;
    DistributionModel* m_distribution = nullptr;
    ConsistencyModel* m_consistencyModel = nullptr;
    Recompute* m_recompute = nullptr;
    QList<QDockWidget*> m_docks; // sampling, inspector, self-consistency, chats
    SamplingPanel* m_sampling = nullptr;
    InspectorPanel* m_inspector = nullptr;
    ConsistencyView* m_consistency = nullptr;
    MetricsBar* m_metrics = nullptr;
    PromptPreview* m_preview = nullptr;
    QList<Starter> m_starters; // as offered
    StarterKind m_started = StarterKind::Plain; // of the reply that is under way
    ReplyParams m_beforeStarter; // what the notice in the banner sets back
    QString m_queued; // sent while the model was loading
    quint64 m_edited = 0; // the question that the next message replaces
    QString m_beforeEdit; // the draft meanwhile
    std::optional<ReplyParams> m_chatParams; // of the open chat, as it was left
    quint64 m_goTo = 0; // message of a search hit, once its chat is open
    bool m_arranged = false;
};

} // namespace kaikou
