import Glibc

extension SupervisorArguments {
    /// The path of the database of runs; nil if no client can ask for a run after the supervisor's end, or if no folder
    /// is known.
    var historyPath: String? {
        // A private supervisor needs no database: it has its one client's runs in memory, and ends with this client.
        if case .connected = clients { return nil }
        return (stateFolder ?? installedStateFolder).map { "\($0)/history.sqlite" }
    }

    /// The state folder: from systemd, or the system's, or the user's (XDG Base Directory Specification).
    private var installedStateFolder: String? {
        // systemd before version 254 puts the state folder of a user's service below their configuration folder.
        if !isUsers, let folder = Self.folder("STATE_DIRECTORY") { return folder }
        if !isUsers, getuid() == 0 { return "/var/lib/intentd" }
        let base = Self.folder("XDG_STATE_HOME") ?? Self.folder("HOME").map { "\($0)/.local/state" }
        return base.map { "\($0)/intentd" }
    }

    private static func folder(_ variable: String) -> String? {
        getenv(variable).map { String(cString: $0) }.flatMap { text in
            // systemd may have created several folders: use the first.
            text.split(separator: ":").first.map(String.init)
        }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
