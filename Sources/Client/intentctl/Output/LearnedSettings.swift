/// The lines for the app's file that permit what the sandbox refused to a run (`intentctl learn`).
enum LearnedSettings {
    /// Returns the lines for review. Nothing was permitted that was not granted, so the next run may need more.
    static func lines(_ details: RunDetails?) -> [String] {
        var settings = (details?.hosts ?? []).compactMap(\.grant).map { "AllowHosts=\($0)" }
        // Without an assignment, the setting is a limit. Keys with a placeholder are in the message about the end.
        if let denial = details?.denial, denial.key.contains(utf8: "="), denial.subject != .network {
            settings += [denial.key].filter { !$0.contains(utf8: " or ") }
        }
        guard !settings.isEmpty else { return ["the sandbox refused nothing that a line could permit"] }
        let file = details?.denial?.file.map { " of \($0)" } ?? ""
        let section = details?.denial?.section ?? "Sandbox"
        return ["review these lines before you add them to [\(section)]\(file):"] + settings
            + ["then try again: a program stops at the first thing that it misses"]
    }
}
