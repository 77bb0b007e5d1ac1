import IntentLauncherMessages

/// Generates intentd.conf(5), intentd.app(5), intentd.command(5), intentd.shortcut(5) and intentd.fleet(5) in mdoc(7) from the descriptions
/// of the keys that the parser accepts.
package enum SettingsManual: String, CaseIterable {
    case service = "intentd.conf"
    case app = "intentd.app"
    case command = "intentd.command"
    case shortcut = "intentd.shortcut"
    case fleet = "intentd.fleet"

    /// The date of this release, in the format of the macro `.Dd`.
    private static let date = "November 23, 2026"

    package var page: String {
        let parts: [String] =
            switch self {
            case .service:
                [
                    Self.head("intentd.conf", "settings of intentd, and defaults for all its apps"), Text.serviceStart,
                    section("Limits", Text.serviceLimits),
                    items(ServiceKey.keys(of: "Limits")),
                    list(Text.defaults, names(LimitKey.self) + names(CapacityKey.self)),
                    section("History", Text.history), items(HistoryKey.allCases),
                    section("Notify", Text.notify), items(NotifyKey.allCases), items(ServiceKey.keys(of: "Notify")),
                    section("Agents", Text.agents), items(AgentKey.ofService),
                    section("Fleet", Text.fleet), items(FleetKey.ofService),
                    section("Web", Text.web), items(WebKey.allCases),
                    section("Sandbox", Text.serviceSandbox),
                    items(ServiceKey.keys(of: "Sandbox")),
                    list(Text.defaults, names(SandboxKey.self)),
                    Text.serviceEnd,
                ]
            case .app:
                [
                    Self.head("intentd.app", "settings of an app that intentd runs"), Text.appStart,
                    section("App", Text.app), items(AppKey.allCases.filter { $0.section == "App" }),
                    section("Access", Text.access), items(AccessKey.allCases),
                    section("Limits", Text.limits), items(LimitKey.allCases), items(CapacityKey.allCases),
                    items(ConcurrencyKey.allCases), items(RetryKey.allCases),
                    section("History", Text.appHistory), items(AppKey.allCases.filter { $0.section == "History" }),
                    ".Sh [Notify]\n", list(Text.appNotify, names(NotifyKey.self)),
                    ".Sh [Agents]\n", list(Text.appAgents, AgentKey.ofApps.map(\.rawValue)),
                    section("Fleet", Text.appFleet), items(FleetKey.ofApps),
                    section("Sandbox", Text.sandbox), items(SandboxKey.allCases),
                    section("Intent NAME", Text.intent),
                    list(
                        Text.intentKeys,
                        names(AccessKey.self) + names(LimitKey.self) + names(ConcurrencyKey.self) + names(RetryKey.self)
                            + [AppKey.secret.rawValue] + names(NotifyKey.self)
                            + SandboxKey.allCases.filter(\.isForIntents).map(\.rawValue)
                            + AgentKey.ofApps.map(\.rawValue) + FleetKey.ofApps.map(\.rawValue)
                    ),
                    items([.effect, .idempotent] as [AgentKey]),
                    Text.appEnd,
                ]
            case .command:
                [
                    Self.head("intentd.command", "programs that intentd runs as intents"), Text.commandStart,
                    section("App", Text.commandApp), items(CommandAppKey.allCases),
                    section("Intent NAME", Text.commandIntent), items(CommandIntentKey.allCases),
                    section("Intent NAME.Parameter NAME", Text.commandParameter), items(CommandParameterKey.allCases),
                    Text.commandEnd,
                ]
            case .shortcut:
                [
                    Self.head("intentd.shortcut", "intents that intentd performs one after the other"),
                    Text.shortcutStart, section("Shortcut NAME", Text.shortcutSection), items(ShortcutKey.allCases),
                    ".Sh [Shortcut NAME.Parameter NAME]\n", Text.shortcutParameter,
                    section("Step NAME", Text.shortcutStep), items(ShortcutStepKey.allCases), Text.shortcutEnd,
                ]
            case .fleet:
                [
                    Self.head("intentd.fleet", "settings of intentd-fleet"), Text.fleetStart,
                    section("Fleet", Text.fleetService), items(FleetServiceKey.allCases),
                    Text.fleetEnd,
                ]
            }
        return parts.joined()
    }

    // MARK: mdoc

    private static func head(_ name: String, _ summary: String) -> String {
        """
        .Dd \(date)
        .Dt \(name.uppercased()) 5
        .Os intentd \(Hello.softwareVersion)
        .Sh NAME
        .Nm \(name)
        .Nd \(summary)

        """
    }

    private func section(_ name: String, _ text: String) -> String { ".Sh [\(name)]\n\(text)\n" }

    /// Returns a list of keys with their descriptions.
    private func items<Key: SettingKey>(_ keys: [Key]) -> String {
        let items = keys.map { key in
            let manual = key.manual
            let isolation = manual.isolation.map { ".It Isolation :\n\(Self.sentences($0))\n" } ?? ""
            return """
                .It Cm \(key.rawValue) Ns = Ns Ar \(manual.form.argument.replacing(utf8: "|", with: "\\*(Ba"))
                \(manual.text)
                .Pp
                .Bl -tag -width "Isolation:" -compact
                .It Value :
                \(manual.form.words)
                .It Default :
                \(manual.standard)
                .It Example :
                .Li \(key.rawValue)=\(manual.example)
                \(isolation).El

                """
        }
        return ".Bl -tag -width Ds\n" + items.joined() + ".El\n"
    }

    /// Returns an introduction, followed by a list of keys that are described elsewhere.
    private func list(_ text: String, _ names: [String]) -> String {
        text + "\n.Bl -item -compact -offset indent\n" + names.map { ".It\n.Cm \($0)=\n" }.joined() + ".El\n"
    }

    private func names<Key: SettingKey>(_: Key.Type) -> [String] { Key.allCases.map(\.rawValue) }

    /// Starts each sentence on a new line, as mandoc(1) requires.
    private static func sentences(_ text: String) -> String { text.replacing(utf8: ". ", with: ".\n") }
}
