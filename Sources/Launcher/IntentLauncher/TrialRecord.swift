import Glibc
import IntentDaemon
import IntentLinux
import IntentSandbox

/// The file in which a private launcher records that its trial succeeded. While the record applies, later launchers of
/// the user skip the trial.
///
/// The file contains only the conditions of the trial, and never a problem that a trial has found. A launcher that
/// skips the trial uses every protection, and a sandbox in which a protection fails does not start. A forged record can
/// therefore not weaken a sandbox.
struct TrialRecord {
    private let file: UserRecord
    private let conditions: [UInt8]

    /// - Parameters:
    ///   - path: The absolute path of the file.
    ///   - conditions: The conditions of a trial in this process, with at least one byte.
    init(at path: String, under conditions: String) {
        file = UserRecord(at: path)
        self.conditions = Array(conditions.utf8)
    }

    /// True if the user recorded a trial that succeeded under equal conditions. A record that cannot be read costs
    /// only the time of a trial.
    var applies: Bool { file.read(limit: conditions.count) == conditions }

    /// Records that the trial succeeded. Replaces an earlier record in one step.
    ///
    /// - Throws: ``SystemError``.
    func write() throws(SystemError) { try file.write(conditions) }

    /// Removes the record.
    ///
    /// - Throws: ``SystemError``.
    func remove() throws(SystemError) { try file.remove() }
}

extension TrialRecord {
    /// Settings of the kernel, and attributes of this process, that determine whether a sandbox can be created. A file
    /// that does not exist on the host counts as an empty file.
    private static let settings = [
        "/proc/self/uid_map", "/proc/self/gid_map", "/proc/self/attr/current", "/proc/sys/user/max_user_namespaces",
        "/proc/sys/kernel/unprivileged_userns_clone", "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
        "/proc/sys/kernel/yama/ptrace_scope",
    ]
    /// The fields of /proc/self/status with the process's identity, capabilities and filters (proc_pid_status(5)).
    private static let fields = ["Uid", "Gid", "Groups", "Cap", "NoNewPrivs", "Seccomp"]

    /// Returns the conditions of a trial in this process: the boot, the launcher's program, and the kernel settings and
    /// process attributes that determine whether a sandbox can be created. Returns nil if they cannot be determined.
    ///
    /// The user namespace is identified by its id maps, not by its inode, because intentd-starter creates a new
    /// namespace for each launcher.
    static func conditions(of host: SandboxHost, _ identities: SandboxIdentities) -> String? {
        guard let boot = try? File.text(at: "/proc/sys/kernel/random/boot_id"),
            let program = UserRecord.FileVersion(of: "/proc/self/exe"),
            let status = try? File.lines(at: "/proc/self/status")
        else { return nil }
        var lines = [
            boot,
            "\(program)",
            "ids: \(identities.trial?.app.description ?? identities.problem ?? "")",
            "Landlock: \(host.landlock.version)",
            "cgroups: \(host.cgroups?.controllers.joined(separator: " ") ?? "none")",
        ]
        lines += status.filter { line in fields.contains { line.hasPrefix(utf8: $0) } }.map(String.init)
        lines += ["pid", "net", "cgroup"].map { File.target(ofLink: "/proc/self/ns/\($0)") ?? "" }
        lines += settings.map { path in
            // A missing file is a condition as well.
            "\(path): \((try? File.text(at: path)) ?? "")"
        }
        return lines.joined(separator: "\n")
    }
}
