#include "ui/view/main_window.h"

#include "ui/model/chat_keeper.h"
#include "ui/model/consistency_model.h"
#include "ui/model/distribution_model.h"
#include "ui/model/language.h"
#include "ui/model/prompt_preview.h"
#include "ui/model/recompute.h"
#include "ui/view/chat_list.h"
#include "ui/view/composer.h"
#include "ui/view/confidence_legend.h"
#include "ui/view/consistency_view.h"
#include "ui/view/error_banner.h"
#include "ui/view/icons.h"
#include "ui/view/inspector_panel.h"
#include "ui/view/loading_strip.h"
#include "ui/view/metrics_bar.h"
#include "ui/view/sampling_panel.h"
#include "ui/view/theme.h"
#include "ui/view/transcript_view.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QStatusBar>
#include <QVBoxLayout>

namespace kaikou {

namespace {

constexpr int kWide = 1180; // from here on sampling and inspector stand side by side
constexpr int kRoomy = 1400; // from here on the list of chats is shown too, until the user decides

} // namespace

MainWindow::MainWindow(const WindowParts& parts, QWidget* parent)
    : QMainWindow(parent)
    , m_parts(parts)
    , m_actions(new WindowActions(this))
    , m_distribution(new DistributionModel(this))
    , m_consistencyModel(new ConsistencyModel(parts.bridge, this))
    , m_recompute(new Recompute(parts.chat, parts.bridge, this))
    , m_preview(new PromptPreview(this))
{
    setWindowIcon(appIcon());
    setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    buildCentre();
    buildDocks();
    m_metrics = new MetricsBar(this);
    statusBar()->addWidget(m_metrics, 1);
    statusBar()->setSizeGripEnabled(false);
    wireModel();
    wireChat();
    wireChats();
    wireBranches();
    wireInspection();
    wireActions();

    m_actions->setRecent(parts.settings.recentModels());
    m_actions->setTheme(parts.settings.theme());
    m_actions->setLanguage(parts.settings.language());
    action(ActionId::OpenEmbedded)->setVisible(parts.embeddedModel);
    action(ActionId::Colour)->setChecked(parts.settings.colourTokens());
    m_transcript->setColoured(parts.settings.colourTokens());
    m_composer->setUseEarlierTurns(parts.settings.useEarlierTurns());
    m_consistency->setSamples(parts.settings.samples());
    retranslate();
    updateState();
    updateMetrics();
    qApp->installEventFilter(this); // model files may be dropped on any part of the window
    m_composer->setFocus();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildCentre()
{
    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_banner = new ErrorBanner(centre);
    m_loading = new LoadingStrip(centre);
    m_transcript = new TranscriptView(&m_parts.chat, centre);
    m_legend = new ConfidenceLegend(centre);
    m_composer = new Composer(centre);
    m_savingBanner = new ErrorBanner(centre);
    column->addWidget(m_savingBanner);
    column->addWidget(m_banner);
    column->addWidget(m_loading);
    column->addWidget(m_transcript, 1);
    column->addWidget(m_legend);
    column->addWidget(m_composer);
    setCentralWidget(centre);
}

void MainWindow::buildDocks()
{
    m_sampling = new SamplingPanel(m_distribution, this);
    m_inspector = new InspectorPanel(m_distribution, this);
    m_consistency = new ConsistencyView(m_consistencyModel, this);
    m_chats = new ChatList(this);
    const std::pair<const char*, QWidget*> docks[] = {{"sampling", m_sampling}, {"inspector", m_inspector},
        {"consistency", m_consistency}, {"chats", m_chats}};
    QList<QAction*> toggles;
    for (const auto& [name, widget] : docks) {
        auto* dock = new QDockWidget(this);
        dock->setObjectName(QLatin1String(name)); // saveState needs it
        dock->setWidget(widget);
        dock->setMinimumWidth(widget == m_chats ? 180 : 260);
        addDockWidget(widget == m_chats ? Qt::LeftDockWidgetArea : Qt::RightDockWidgetArea, dock);
        toggles += dock->toggleViewAction();
        m_docks += dock;
    }
    m_actions->addDocks(toggles);
}

void MainWindow::arrangeDocks()
{
    if (!m_parts.settings.windowState().isEmpty() && restoreState(m_parts.settings.windowState()))
        return;
    if (width() >= kWide) {
        splitDockWidget(m_docks[1], m_docks[0], Qt::Horizontal);
        tabifyDockWidget(m_docks[1], m_docks[2]);
        resizeDocks({m_docks[1], m_docks[0]}, {width() * 27 / 100, width() * 22 / 100}, Qt::Horizontal);
    } else {
        tabifyDockWidget(m_docks[0], m_docks[1]);
        tabifyDockWidget(m_docks[1], m_docks[2]);
        resizeDocks({m_docks[0]}, {width() * 38 / 100}, Qt::Horizontal);
    }
    m_docks[width() >= kWide ? 1 : 0]->raise();
    m_docks[3]->setVisible(width() >= kRoomy);
    resizeDocks({m_docks[3]}, {width() * 16 / 100}, Qt::Horizontal);
}

void MainWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    if (!m_arranged) {
        m_arranged = true;
        arrangeDocks();
    }
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    leaveChat();
    if (!mayClose()) {
        event->ignore();
        return;
    }
    m_parts.settings.setWindow(saveGeometry(), saveState());
    m_parts.settings.setSamples(m_consistency->samples());
    m_parts.settings.sync();
    m_parts.loader.cancel();
    stopEverything();
    event->accept();
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        updateHint();
    }
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event)
{
    const bool drag = event->type() == QEvent::DragEnter || event->type() == QEvent::DragMove
        || event->type() == QEvent::DragLeave || event->type() == QEvent::Drop;
    if (drag && watched->isWidgetType() && static_cast<QWidget*>(watched)->window() == this
        && handleDrop(event))
        return true;
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::applyAppearance()
{
    constexpr ThemeMode kModes[] = {ThemeMode::System, ThemeMode::Light, ThemeMode::Dark};
    applyTheme(*qApp, kModes[static_cast<std::size_t>(m_parts.settings.theme())],
        m_parts.settings.fontPercent() / 100.0);
}

void MainWindow::retranslate()
{
    setLocale(QLocale());
    m_actions->retranslate();
    const QString titles[] = {tr("Sampling"), tr("Inspector"), tr("Self-consistency"), tr("Chats")};
    for (int i = 0; i < m_docks.size(); ++i)
        m_docks[i]->setWindowTitle(titles[i]);
    m_transcript->setAccessibleName(tr("Conversation"));
    offerStarters();
    const auto& model = m_parts.session.model();
    setWindowTitle(model ? model->name + QStringLiteral(" — Kaikou") : tr("Kaikou"));
}

} // namespace kaikou
