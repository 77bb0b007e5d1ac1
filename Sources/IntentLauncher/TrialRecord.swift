import Glibc
import IntentLinux
import IntentSandbox

/// The file in which a private launcher records that its trial succeeded. While the record applies, later launchers of
/// the user skip the trial.
///
/// The file contains only the conditions of the trial, and never a problem that a trial has found. A launcher that
/// skips the trial uses every protection, and a sandbox in which a protection fails does not start. A forged record can
/// therefore not weaken a sandbox.
struct TrialRecord {
    private let folder: String
    private let name: String
    private let conditions: [UInt8]

    /// - Parameters:
    ///   - path: The absolute path of the file.
    ///   - conditions: The conditions of a trial in this process, with at least one byte.
    init(at path: String, under conditions: String) {
        let parts = path.split(scalar: "/")
        folder = "/" + parts.dropLast().joined(separator: "/")
        name = parts.last.map { String($0) } ?? ""
        self.conditions = Array(conditions.utf8)
    }

    /// True if the user recorded a trial that succeeded under the same conditions.
    ///
    /// False for a file that another user owns, can write or can replace, and for a symbolic link. A record that cannot
    /// be read costs only the time of a trial.
    var applies: Bool {
        do throws(SystemError) {
            let folder = try openFolder()
            let file = try File.open(name, in: folder.rawValue)
            let status = try File.status(of: file.rawValue)
            guard status.kind == .regular, status.linkCount == 1, Self.isOwn(status) else { return false }
            return try File.read(file.rawValue, upTo: conditions.count + 1, at: 0) == conditions
        } catch {
            return false
        }
    }

    /// Records that the trial succeeded. Replaces an earlier record in one step.
    ///
    /// - Throws: ``SystemError``.
    func write() throws(SystemError) {
        try File.makeFolders(folder, permissions: 0o700)
        let opened = try openFolder()
        let temporary = ".\(name)-\(UInt64.random(in: 0 ... .max))"
        let file = try File.create(temporary, in: opened.rawValue, permissions: 0o600)
        do throws(SystemError) {
            try File.write(file.rawValue, conditions[...])
            try File.rename(temporary, to: name, in: opened.rawValue)
        } catch {
            _ = unlinkat(opened.rawValue, temporary, 0)
            throw error
        }
    }

    /// Removes the record.
    ///
    /// - Throws: ``SystemError``.
    func remove() throws(SystemError) {
        let opened = try openFolder()
        try File.remove(name, in: opened.rawValue)
    }

    /// Opens the folder, which only this user may be able to write.
    private func openFolder() throws(SystemError) -> FileDescriptor {
        let file = try File.open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        guard Self.isOwn(try File.status(of: file.rawValue)) else {
            throw SystemError("open", on: folder, code: Errno(rawValue: EPERM))
        }
        return file
    }

    /// True if this user owns a file or folder and no other user can write it. The permissions of an access control
    /// list are within those of the group (acl(5)).
    private static func isOwn(_ status: File.Status) -> Bool {
        status.owner == geteuid() && status.permissions & 0o022 == 0
    }
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
            let program = try? File.status(at: "/proc/self/exe"),
            let status = try? File.lines(at: "/proc/self/status")
        else { return nil }
        var lines = [
            boot,
            "\(program.device) \(program.inode) \(program.byteCount) \(program.modifiedNanoseconds)",
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
