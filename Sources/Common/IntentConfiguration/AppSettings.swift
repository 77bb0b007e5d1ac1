package import IntentLauncherMessages

/// An app's settings from its configuration files, and the status of its executable.
package struct AppSettings: Equatable, Sendable {
    package var name: AppName
    package var executable: String
    package var facts: FileFacts
    /// The settings in the app's files.
    package var unit: AppUnit
}

extension AppSettings {
    /// The executable's folder.
    package var folder: String { executable.split(scalar: "/").dropLast().map { "/\($0)" }.joined() }

    /// The settings for runs of an intent with hosts of its own (`AllowHosts=`); these settings for all other runs.
    ///
    /// - Parameter intent: The name in the intent's section.
    package func forRuns(of intent: String?) -> AppSettings {
        guard let intent else { return self }
        var settings = self
        settings.unit.sandbox = unit.sandbox(ofIntent: intent)
        return settings
    }

    /// The executable's arguments: the path of the intentd.command(5) file, if any.
    package var arguments: [String] { unit.command.map { [$0.path] } ?? [] }
}

extension AppUnit {
    /// The users listed in `AllowUsers=` for the app and its intents.
    package var namedUsers: Set<String> { Set(([access] + intents.values.compactMap(\.access)).flatMap(\.users)) }

    /// The groups listed in `AllowGroups=` and `ConfirmGroups=` for the app and its intents.
    package var namedGroups: Set<String> {
        Set(([access] + intents.values.compactMap(\.access)).flatMap(\.groups))
            .union(([confirm] + intents.values.compactMap(\.confirm)).flatMap { $0.groups ?? [] })
    }

    /// The intents named in the notification rules of the app and its intents.
    package var notifyTargets: Set<NotifyRule.Target> {
        Set(([notify] + intents.values.compactMap(\.notify)).flatMap(\.targets))
    }
}

/// The result of looking up an app.
package enum AppSearch: Equatable, Sendable {
    case found(AppSettings)
    /// No app has this name.
    case missing
    /// The app exists but cannot be used. The message contains the reason and the next step.
    case refused(String)
}
