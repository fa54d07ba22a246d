#include "tests/support/test_registry.h"
#include "ui/view/confidence_scale.h"
#include "ui/view/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QSlider>
#include <QSpinBox>
#include <QtTest>

#include <cmath>

namespace kaikou::test {

// Contrast and distance of the colours as they are, for normal and colour-blind eyes.
class TstTheme : public QObject
{
    Q_OBJECT

private slots:

    void textIsReadable_data() { themes(); }

    void textIsReadable();

    void linesAreVisible_data() { themes(); }

    void linesAreVisible();

    void controlsHaveFrames_data() { themes(); }

    void controlsHaveFrames();

    void stepsAreTold_data() { themes(); }

    void stepsAreTold();

    void sureIsThePage_data() { themes(); }

    void sureIsThePage();
    void paletteFindsItsTheme();
    void scaleKnowsItsBounds();
    void draggedScaleKeepsShares();

private:
    static void themes();
};

namespace {

using Rgb = std::array<double, 3>; // linear light

Rgb linear(const QColor& color)
{
    const auto channel
        = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return {channel(color.redF()), channel(color.greenF()), channel(color.blueF())};
}

double luminance(const QColor& color)
{
    const Rgb c = linear(color);
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

// WCAG 2.
double contrast(const QColor& a, const QColor& b)
{
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

// Machado et al. 2009, severity 1: normal, protan, deutan, tritan.
constexpr double kVision[4][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
};

Rgb seen(const Rgb& c, int vision)
{
    Rgb result {};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k)
            result[i] += kVision[vision][i][k] * c[k];
    for (double& v : result)
        v = std::clamp(v, 0.0, 1.0);
    return result;
}

// CIE L*a*b*, D65.
Rgb lab(const Rgb& c)
{
    const double x = (0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.95047;
    const double y = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
    const double z = (0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.08883;
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116.0; };
    return {116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))};
}

double distance(const QColor& a, const QColor& b, int vision)
{
    const Rgb la = lab(seen(linear(a), vision));
    const Rgb lb = lab(seen(linear(b), vision));
    return std::hypot(la[0] - lb[0], la[1] - lb[1], la[2] - lb[2]);
}

const Theme& chosenTheme()
{
    return QByteArray(QTest::currentDataTag()) == "dark" ? darkTheme() : lightTheme();
}

} // namespace

void TstTheme::themes()
{
    QTest::addColumn<bool>("unused");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TstTheme::textIsReadable()
{
    const Theme& t = chosenTheme();
    QList<std::pair<QColor, QColor>> pairs {{t.onAccent, t.accent}, {t.good, t.goodSurface},
        {t.warn, t.warnSurface}, {t.bad, t.badSurface}, {t.text, t.selection}, {t.text, t.bubble},
        {t.text, t.hover}};
    for (const QColor& surface : {t.window, t.page, t.panel}) {
        for (const QColor& ink : {t.text, t.muted, t.accent})
            pairs.append({ink, surface});
    }
    for (const QColor& fill : t.confidence)
        pairs.append({t.text, fill});
    for (const QColor& fill : t.diverging)
        pairs.append({t.text, fill});
    for (const auto& [ink, surface] : pairs) {
        const double value = contrast(ink, surface);
        QVERIFY2(value >= 4.5,
            qPrintable(ink.name() + QStringLiteral(" on ") + surface.name() + QStringLiteral(": ")
                + QString::number(value)));
    }
}

void TstTheme::linesAreVisible()
{
    const Theme& t = chosenTheme();
    QList<QColor> lines {t.chosen, t.doubt, t.removed, t.forced};
    lines.append(QList<QColor>(t.series.begin(), t.series.end()));
    lines.append(QList<QColor>(t.ticks.begin(), t.ticks.end()));
    for (const QColor& line : lines) {
        const double value = contrast(line, t.page);
        QVERIFY2(value >= 3.0, qPrintable(line.name() + QStringLiteral(": ") + QString::number(value)));
    }
}

// As painted: an unticked box, a spin box and a groove stand out from the panel they lie on.
void TstTheme::controlsHaveFrames()
{
    const Theme& t = chosenTheme();
    for (const QColor& surface : {t.window, t.page, t.panel})
        QVERIFY(contrast(t.control, surface) >= 3.0);
    applyTheme(*qobject_cast<QApplication*>(QCoreApplication::instance()),
        t.dark ? ThemeMode::Dark : ThemeMode::Light);
    QCheckBox box;
    QSpinBox spin;
    QSlider slider(Qt::Horizontal);
    slider.setRange(0, 100);
    for (QWidget* control :
        {static_cast<QWidget*>(&box), static_cast<QWidget*>(&spin), static_cast<QWidget*>(&slider)}) {
        control->resize(160, 24);
        control->ensurePolished();
        const QImage image = control->grab().toImage();
        int framed = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                framed += contrast(image.pixelColor(x, y), t.window) >= 3.0 ? 1 : 0;
        QVERIFY2(framed >= 24, control->metaObject()->className()); // a box of 8 by 8 has 28
    }
}

void TstTheme::stepsAreTold()
{
    const Theme& t = chosenTheme();
    for (const auto& palette : {t.confidence, t.diverging}) {
        for (std::size_t i = 1; i < palette.size(); ++i) {
            for (int vision = 0; vision < 4; ++vision) {
                const double value = distance(palette[i - 1], palette[i], vision);
                QVERIFY2(value >= 7.5,
                    qPrintable(palette[i - 1].name() + u' ' + palette[i].name() + QStringLiteral(" vision ")
                        + QString::number(vision) + QStringLiteral(": ") + QString::number(value)));
            }
        }
    }
    for (std::size_t i = 1; i < t.confidence.size(); ++i) // readable in greyscale
        QVERIFY(t.dark ? luminance(t.confidence[i]) > luminance(t.confidence[i - 1])
                       : luminance(t.confidence[i]) < luminance(t.confidence[i - 1]));
}

void TstTheme::sureIsThePage()
{
    const Theme& t = chosenTheme();
    QCOMPARE(t.confidence[0], t.page);
}

void TstTheme::paletteFindsItsTheme()
{
    QVERIFY(!themeFor(paletteOf(lightTheme())).dark);
    QVERIFY(themeFor(paletteOf(darkTheme())).dark);
}

void TstTheme::scaleKnowsItsBounds()
{
    const ConfidenceScale scale;
    const std::pair<double, int> steps[] = {{1.0, 0}, {0.95, 0}, {0.9499, 1}, {0.8001, 1}, {0.8, 2},
        {0.5001, 2}, {0.5, 3}, {0.2, 3}, {0.1999, 4}, {0.0, 4}};
    for (const auto& [p, step] : steps)
        QCOMPARE(scale.step(p), step);
    QVERIFY(scale.underline(0.81) == Underline::None);
    QVERIFY(scale.underline(0.8) == Underline::Dotted);
    QVERIFY(scale.underline(0.5) == Underline::Wavy);
}

void TstTheme::draggedScaleKeepsShares()
{
    QVERIFY(ConfidenceScale(0.8, 0.5) == ConfidenceScale()
        || std::abs(ConfidenceScale(0.8, 0.5).bounds()[0] - 0.95) < 1e-12);
    const ConfidenceScale moved(0.6, 0.3);
    QVERIFY(std::abs(moved.bounds()[0] - 0.9) < 1e-12);
    QVERIFY(std::abs(moved.bounds()[3] - 0.12) < 1e-12);
    for (const ConfidenceScale odd : {ConfidenceScale(0.2, 0.9), ConfidenceScale(7, -3)}) {
        const auto& b = odd.bounds();
        QVERIFY(1 > b[0] && b[0] > b[1] && b[1] > b[2] && b[2] > b[3] && b[3] > 0);
    }
}

} // namespace kaikou::test

using kaikou::test::TstTheme;
KAIKOU_TEST(TstTheme)
#include "tst_theme.moc"
