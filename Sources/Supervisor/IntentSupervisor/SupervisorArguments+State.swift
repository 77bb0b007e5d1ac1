import Glibc
import IntentConfiguration
import IntentLinux

extension SupervisorArguments {
    /// The state folder that this process alone uses; nil for a private supervisor, which has no history because no client
    /// can request a recorded run after its exit, or if no folder is known.
    var ownStateFolder: String? {
        if case .connected = clients { return nil }
        return stateFolder ?? installedStateFolder
    }

    /// The folder with the units of schedules: the system's or the user's. Empty for other installations.
    var scheduleFolder: String {
        if isUsers { return "\(Self.folder("XDG_CONFIG_HOME") ?? "\(Self.folder("HOME") ?? "")/.config")/systemd/user" }
        return installation.appFolders == Installation.system(user: nil).appFolders ? ScheduleFile.systemFolder : ""
    }

    /// The path of the history's database.
    var historyPath: String? { ownStateFolder.map { "\($0)/history.sqlite" } }

    /// The default state folder: the folder that systemd passes, the system's folder, or the user's folder (XDG Base
    /// Directory Specification).
    private var installedStateFolder: String? {
        // Do not use the folder that systemd passes to a user service: systemd before version 254 creates it below the
        // configuration folder.
        if !isUsers, let folder = Self.folder("STATE_DIRECTORY") { return folder }
        if !isUsers, getuid() == 0 { return ScheduleFile.stateFolder }
        let base = Self.folder("XDG_STATE_HOME") ?? Self.folder("HOME").map { "\($0)/.local/state" }
        return base.map { "\($0)/intentd" }
    }

    private static func folder(_ variable: String) -> String? {
        getenv(variable).map { String(foreign: $0) }.flatMap { text in
            // systemd may pass several folders. Use the first folder.
            text.split(scalar: ":").first.map { String($0) }
        }.flatMap { $0.hasPrefix(utf8: "/") ? $0 : nil }
    }
}
