// What the window asks and tells in dialogs, and what happens to things dropped on it.
#include "ui/model/chat_model.h"
#include "ui/model/language.h"
#include "ui/model/record_keeper.h"
#include "ui/view/error_banner.h"
#include "ui/view/main_window.h"
#include "ui/view/metrics_bar.h"
#include "ui/view/preferences_dialog.h"
#include "ui/view/theme.h"
#include "ui/view/transcript_view.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QStandardPaths>
#include <QSysInfo>
#include <QTableWidget>
#include <QVBoxLayout>

namespace kaikou {

namespace {

// The first local file or folder of a drop; empty = none.
QString droppedPath(const QMimeData* data)
{
    for (const QUrl& url : data->urls()) {
        if (url.isLocalFile())
            return url.toLocalFile();
    }
    return {};
}

// By its first bytes; models bring JSON files too.
bool isChatFile(const QString& path)
{
    QFile file(path);
    return path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive) && file.open(QIODevice::ReadOnly)
        && file.read(200).contains("\"kaikou-chat\"");
}

QString startFolder(const Settings& settings)
{
    const QStringList recent = settings.recentModels();
    return recent.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::HomeLocation)
                            : QFileInfo(recent.front()).absolutePath();
}

} // namespace

void MainWindow::chooseFile()
{
    const QString filter = tr("Models") + QStringLiteral(" (*.pt *.pth *.safetensors);;") + tr("All files")
        + QStringLiteral(" (*)");
    const QString path
        = QFileDialog::getOpenFileName(this, tr("Open a model"), startFolder(m_parts.settings), filter);
    if (!path.isEmpty())
        openModel(path);
}

void MainWindow::chooseFolder()
{
    const QString path
        = QFileDialog::getExistingDirectory(this, tr("Open a model's folder"), startFolder(m_parts.settings));
    if (!path.isEmpty())
        openModel(path);
}

void MainWindow::showShortcuts()
{
    QDialog dialog(this);
    dialog.setWindowTitle(tr("Keyboard shortcuts"));
    const auto rows = m_actions->shortcutTable();
    auto* table = new QTableWidget(static_cast<int>(rows.size()), 2, &dialog);
    table->setAccessibleName(dialog.windowTitle());
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    table->verticalHeader()->hide();
    table->setHorizontalHeaderLabels({tr("Keys"), tr("What they do")});
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft);
    for (int row = 0; row < rows.size(); ++row) {
        table->setItem(row, 0, new QTableWidgetItem(rows[row].first));
        table->setItem(row, 1, new QTableWidgetItem(rows[row].second));
    }
    table->resizeColumnsToContents();
    table->setColumnWidth(0, table->columnWidth(0) + space::kHuge);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
    connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    auto* column = new QVBoxLayout(&dialog);
    column->setContentsMargins(space::kLarge, space::kLarge, space::kLarge, space::kLarge);
    column->setSpacing(space::kLarge);
    column->addWidget(table);
    column->addWidget(buttons);
    dialog.resize(460, 560);
    dialog.exec();
}

void MainWindow::showPreferences()
{
    PreferencesDialog dialog(m_parts.settings, this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    dialog.store();
    m_parts.records.setLimit(static_cast<std::uint64_t>(m_parts.settings.recordLimitMiB()) << 20);
    m_actions->setTheme(m_parts.settings.theme());
    m_actions->setLanguage(m_parts.settings.language());
    m_parts.language.use(m_parts.settings.language());
    applyAppearance();
    updateMetrics();
}

void MainWindow::showAbout()
{
    QMessageBox box(this);
    box.setWindowTitle(tr("About Kaikou"));
    box.setIconPixmap(windowIcon().pixmap(64));
    box.setText(QStringLiteral("<h3>开口 Kaikou %1</h3>").arg(QStringLiteral(KAIKOU_VERSION)));
    box.setInformativeText(tr("Makes a trained language model speak on this computer and shows how each "
                              "token is chosen. Nothing "
                              "leaves the computer.")
        + QStringLiteral("<br><br>")
        + tr("MIT licence. Built with Qt %1 (LGPL).").arg(QLatin1String(qVersion())));
    box.setStandardButtons(QMessageBox::Close);
    box.exec();
}

QString MainWindow::diagnostics() const
{
    QStringList lines {QStringLiteral("Kaikou %1, Qt %2, %3, %4")
                           .arg(QStringLiteral(KAIKOU_VERSION), QLatin1String(qVersion()),
                               QSysInfo::prettyProductName(), QSysInfo::currentCpuArchitecture())};
    if (const auto& model = m_parts.session.model()) {
        const Capabilities can = model->service->capabilities();
        lines += QStringLiteral("model %1, %2, %3 parameters, vocabulary %4, context %5, fingerprint %6")
                     .arg(model->architecture, model->format)
                     .arg(can.parameters)
                     .arg(can.vocab)
                     .arg(can.context)
                     .arg(QString::fromStdString(can.fingerprint));
    }
    lines += m_metrics->text();
    return lines.join(QLatin1Char('\n'));
}

bool MainWindow::handleDrop(QEvent* event)
{
    if (event->type() == QEvent::DragLeave) {
        m_transcript->setDropHighlight(false);
        return false;
    }
    auto* drop = static_cast<QDropEvent*>(event);
    const QString path = droppedPath(drop->mimeData());
    if (path.isEmpty())
        return false; // text goes where it is dropped
    drop->setDropAction(Qt::CopyAction);
    drop->accept();
    m_transcript->setDropHighlight(event->type() != QEvent::Drop);
    if (event->type() == QEvent::Drop) {
        if (isChatFile(path))
            importChat(path);
        else
            openModel(path);
    }
    return true;
}

void MainWindow::noteDamagedSettings(const QString& kept)
{
    m_banner->showNotice(tr("Your settings could not be read"),
        tr("Everything is at its default. The damaged file was kept as %1.").arg(QFileInfo(kept).fileName()),
        kept);
}

} // namespace kaikou
