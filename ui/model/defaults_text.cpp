#include "ui/model/defaults_text.h"

#include <QCoreApplication>

namespace kaikou {

namespace {

QString translated(const char* text)
{
    return QCoreApplication::translate("DefaultsText", text);
}

QString kindReason(ModelKind kind)
{
    switch (kind) {
    case ModelKind::Base:
        return translated(QT_TRANSLATE_NOOP("DefaultsText",
            "Defaults of a base model: it goes on writing, so some dice and a little repetition penalty."));
    case ModelKind::Chat:
        return translated(
            QT_TRANSLATE_NOOP("DefaultsText", "Defaults of a chat model: calm dice, no penalty."));
    case ModelKind::GptTeacher:
    case ModelKind::GptTeacherFirst:
        return translated(QT_TRANSLATE_NOOP(
            "DefaultsText", "Defaults of GPT_teacher: greedy, with its own repetition penalty."));
    case ModelKind::Embedded:
        return translated(
            QT_TRANSLATE_NOOP("DefaultsText", "Defaults of the built-in model: lively dice, no penalty."));
    }
    return {};
}

} // namespace

ReplyParams replyParams(const SamplingDefaults& defaults)
{
    ReplyParams params;
    params.sampling = defaults.params;
    params.maxTokens = defaults.maxTokens;
    return params;
}

QString defaultsReason(const SamplingDefaults& defaults)
{
    switch (defaults.source) {
    case DefaultSource::GenerationHints:
        return translated(
            QT_TRANSLATE_NOOP("DefaultsText", "Defaults from the model's own generation_config.json."));
    case DefaultSource::Chat:
        return translated(QT_TRANSLATE_NOOP("DefaultsText", "Values of this conversation."));
    case DefaultSource::User:
        return translated(QT_TRANSLATE_NOOP("DefaultsText", "Your own defaults."));
    case DefaultSource::Kind:
        break;
    }
    return kindReason(defaults.kind);
}

QString modelTitle(const QString& name)
{
    return name == QLatin1String("built-in model")
        ? translated(QT_TRANSLATE_NOOP("DefaultsText", "built-in model"))
        : name;
}

QString backendTitle(const Capabilities& model)
{
    const QString backend = QString::fromStdString(model.backend);
    if (model.threads == 0)
        return backend;
    return backend
        + QCoreApplication::translate(
            "DefaultsText", ", %n thread(s)", nullptr, static_cast<int>(model.threads));
}

} // namespace kaikou
