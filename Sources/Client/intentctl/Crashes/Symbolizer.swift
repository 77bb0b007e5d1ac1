import IntentLinux

/// Finds the names of the calls in a crash report by reading the app's executable and libraries (``NamedCalls``).
struct Symbolizer {
    /// The path of the app's executable.
    let executable: String

    /// Finds the names of the calls in a run's crash, or of its threads at a limit of time, if this host has the app's
    /// executable. Returns nil for a run without such a report.
    static func crash(in end: RunEnd?, of app: String, over connection: IntentConnection) async -> SymbolizedCrash? {
        guard let end, let details = end.account.details, details.crash != nil || details.stacks != nil else {
            return nil
        }
        // The path is unknown if the app is no longer installed, or if the user is no longer permitted to run it.
        let executable = try? await connection.app(named: app).executable
        guard var crash = SymbolizedCrash(details, executable: executable ?? app), let executable else {
            return SymbolizedCrash(details, executable: app)
        }
        guard RemoteHost.current == nil else {
            crash.named.problems.append("to print function names, run 'intentctl why \(end.run)' on the app's host")
            return crash
        }
        Symbolizer(executable: executable).symbolize(&crash)
        return crash
    }

    /// Prints the location of a run's crash, or of its threads at a limit of time, to standard error. Prints nothing for a
    /// run without such a report.
    static func show(_ end: RunEnd, of app: String, over connection: IntentConnection) async {
        guard let crash = await crash(in: end, of: app, over: connection) else { return }
        Console.note(SafeText.printed(StoryText.rows(crash.rows).joined(separator: "\n")))
    }

    /// Adds the calls of each frame.
    private func symbolize(_ crash: inout SymbolizedCrash) {
        crash.named = NamedCalls(
            of: crash.report.frames,
            in: crash.report.images,
            executable: executable,
            readableNames: ConfinedTool.readableNames
        )
    }
}
