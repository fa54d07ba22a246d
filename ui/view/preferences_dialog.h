#pragma once

#include <QDialog>

class QComboBox;
class QSpinBox;

namespace kaikou {

class Settings;

// The few choices that are not in a menu or that belong together; nothing changes before OK.
class PreferencesDialog : public QDialog
{
    Q_OBJECT

public:
    explicit PreferencesDialog(Settings& settings, QWidget* parent = nullptr);

    void store(); // into the settings

private:
    Settings& m_settings;
    QComboBox* m_theme = nullptr;
    QComboBox* m_language = nullptr;
    QSpinBox* m_font = nullptr;
    QSpinBox* m_records = nullptr;
};

} // namespace kaikou
