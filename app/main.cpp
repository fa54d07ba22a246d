#include "app/composition.h"
#include "app/first_answer.h"
#include "app/screenshot.h"
#include "ui/view/main_window.h"

#include <QApplication>

#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <string_view>

namespace {

struct CommandLine
{
    kaikou::StartOptions start;
    kaikou::ScreenshotPlan picture;
    bool stages = false; // print when the window, the first token … are there, then end
    std::string size; // of the window, "1280x800"
};

// Settings are saved by renaming over the old file, which would replace a device such as /dev/null.
std::string settingsProblem(const std::string& path)
{
    std::error_code error;
    const auto kind = std::filesystem::status(path, error).type();
    const bool fine
        = kind == std::filesystem::file_type::not_found || kind == std::filesystem::file_type::regular;
    return fine ? std::string() : path + " is not a file that settings could be kept in";
}

// 0 = go on; else the exit code + 1 of what CLI11 has already printed.
int parse(int argc, char** argv, CommandLine& line)
{
    CLI::App cli {"Makes a trained language model speak and shows how each token is chosen", "kaikou"};
    cli.set_version_flag("--version", "kaikou " KAIKOU_VERSION);
    std::vector<std::string> files;
    std::string language, theme, settings, picture, question;
    cli.add_option(
        "FILES", files, "Model file or folder to open, or builtin; without one, the built-in model");
    cli.add_option("--lang", language, "Language of the window")->check(CLI::IsMember({"zh_CN", "en"}));
    cli.add_option("--theme", theme, "Colours of the window")
        ->check(CLI::IsMember({"system", "light", "dark"}));
    cli.add_option("--settings", settings, "Settings file instead of your own")->check(&settingsProblem);
    // For the pictures of the documentation and for bench_first_answer.
    cli.add_option("--screenshot", picture)->group("");
    cli.add_option("--ask", question)->group("");
    cli.add_option("--token", line.picture.token)->group("");
    cli.add_option("--size", line.size)->group("");
    cli.add_flag("--stages", line.stages)->group("");
    try {
        cli.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return cli.exit(error) + 1;
    }
    for (const std::string& file : files)
        line.start.files += QString::fromStdString(file);
    line.start.language = QString::fromStdString(language);
    line.start.theme = QString::fromStdString(theme);
    line.start.settingsFile = QString::fromStdString(settings);
    line.picture.file = QString::fromStdString(picture);
    line.picture.question = QString::fromStdString(question);
    return 0;
}

void printStage(const char* stage)
{
    std::puts(stage);
    std::fflush(stdout);
    if (stage == std::string_view("finished"))
        QCoreApplication::quit();
}

} // namespace

int main(int argc, char** argv)
{
    CommandLine line;
    if (const int code = parse(argc, argv, line); code != 0)
        return code - 1;
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("kaikou"));
    QApplication::setApplicationVersion(QStringLiteral(KAIKOU_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("org.kaikou.Kaikou"));
    kaikou::Composition composition(app, line.start);
    if (const QStringList size = QString::fromStdString(line.size).split(QLatin1Char('x')); size.size() == 2)
        composition.window().resize(size[0].toInt(), size[1].toInt());
    composition.start();
    std::unique_ptr<kaikou::Screenshot> screenshot;
    if (!line.picture.file.isEmpty())
        screenshot = std::make_unique<kaikou::Screenshot>(composition.window(), line.picture);
    std::unique_ptr<kaikou::FirstAnswer> first;
    if (line.stages)
        first
            = std::make_unique<kaikou::FirstAnswer>(composition.window(), line.picture.question, &printStage);
    return QApplication::exec();
}
