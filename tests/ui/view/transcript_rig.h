#pragma once

#include "ui/model/chat_model.h"
#include "ui/view/theme.h"
#include "ui/view/transcript_view.h"

#include <QCoreApplication>
#include <QScrollBar>
#include <QWheelEvent>
#include <QtTest>

#include <memory>

namespace kaikou::test {

// An empty chat in a shown transcript of 700x500, new for every test.
class TranscriptRig : public QObject
{
protected:
    void openView()
    {
        m_chat = std::make_unique<ChatModel>();
        m_view = std::make_unique<TranscriptView>(m_chat.get());
        m_view->setFont(textFont());
        m_view->resize(700, 500);
        m_view->show();
        QCoreApplication::processEvents();
    }

    void closeView()
    {
        m_view.reset();
        m_chat.reset();
    }

    [[nodiscard]] QScrollBar* bar() const { return m_view->verticalScrollBar(); }

    void ask(const char* text = "什么是注意力机制？") { m_chat->addQuestion(text); }

    void wheel(int notches)
    {
        const QPointF pos(100, 100);
        QWheelEvent event(pos, m_view->viewport()->mapToGlobal(pos), {}, {0, 120 * notches}, Qt::NoButton,
            Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(m_view->viewport(), &event);
    }

    void clickAt(QPoint pos) { QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, pos); }

    std::unique_ptr<ChatModel> m_chat;
    std::unique_ptr<TranscriptView> m_view;
};

} // namespace kaikou::test
