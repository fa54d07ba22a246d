#pragma once

#include <QWidget>

#include <cstdint>

class QLineEdit;
class QToolButton;

namespace kaikou {

// The seed of the next reply: a new random 63-bit number each time, or the shown one while it is locked.
class SeedField : public QWidget
{
    Q_OBJECT

public:
    explicit SeedField(QWidget* parent = nullptr);

    // The seed to use now; draws and shows a new one unless locked.
    [[nodiscard]] std::uint64_t next();
    [[nodiscard]] std::uint64_t seed() const; // shown
    void setSeed(std::uint64_t seed); // shows it and locks
    [[nodiscard]] bool locked() const;
    void setLocked(bool locked);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    std::uint64_t m_seed = 0;
    QLineEdit* m_edit = nullptr;
    QToolButton* m_lock = nullptr;
};

} // namespace kaikou
