#include "app/devices.h"

#include "app/cli/print.h"

namespace kaikou::cli {

namespace {

Json toJson(const DeviceReport& device)
{
    Json json = Json::object()
                    .set("backend", device.backend)
                    .set("name", device.name)
                    .set("available", device.available)
                    .set("reason", device.available ? Json() : Json(device.reason.message))
                    .set("memory", device.memoryTotal);
    if (!device.detail.empty())
        json.set("detail", device.detail);
    return json;
}

std::string line(const DeviceReport& device)
{
    std::string text = device.backend + (device.name.empty() ? "" : "  " + device.name);
    if (device.available)
        return text + "  ready, " + std::to_string(device.memoryFree >> 20) + " MiB free\n";
    return text + "  not usable: " + device.reason.message
        + (device.detail.empty() ? "" : " [" + device.detail + "]") + "\n";
}

} // namespace

Command addDevices(CLI::App& root, Console& console)
{
    CLI::App* app = root.add_subcommand(
        "devices", "List the backends and why one cannot be used.\nExample: kaikou-cli devices --json");
    app->add_flag("--json", console.json, "One JSON object on stdout");
    const auto run = [&console]() -> Result<int> {
        Json list = Json::array();
        for (const DeviceReport& device : listDevices()) {
            list.push(toJson(device));
            if (!console.json)
                printText(line(device));
        }
        if (console.json)
            printJson(Json::object().set("devices", list));
        return kDone;
    };
    return {app, run};
}

} // namespace kaikou::cli
