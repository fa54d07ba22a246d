#include "app/screenshot.h"

#include "ui/view/composer.h"
#include "ui/view/main_window.h"
#include "ui/view/transcript_view.h"

#include <QCoreApplication>
#include <QPixmap>
#include <QTimer>

namespace kaikou {

namespace {

constexpr int kTickMs = 50;
constexpr int kCalmTicks = 8; // layouts and dock animations have ended by then

} // namespace

Screenshot::Screenshot(MainWindow& window, ScreenshotPlan plan)
    : m_window(window)
    , m_plan(std::move(plan))
{
    auto* timer = new QTimer(this);
    connect(timer, &QTimer::timeout, this, &Screenshot::proceed);
    timer->start(kTickMs);
}

void Screenshot::proceed()
{
    const Composer::State state = m_window.composer()->state();
    if (state == Composer::State::Loading || state == Composer::State::Generating) {
        m_calm = 0;
        return;
    }
    if (!m_asked && !m_plan.question.isEmpty() && state == Composer::State::Ready) {
        m_asked = true;
        m_calm = 0;
        emit m_window.composer()->sendRequested(m_plan.question);
        return;
    }
    ++m_calm;
    if (m_calm == kCalmTicks / 2 && m_plan.token >= 0 && m_asked)
        m_window.inspectLast(m_plan.token);
    if (m_calm >= kCalmTicks)
        take();
}

void Screenshot::take()
{
    QCoreApplication::exit(m_window.grab().save(m_plan.file, "PNG") ? 0 : 1);
}

} // namespace kaikou
