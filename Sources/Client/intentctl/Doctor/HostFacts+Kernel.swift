import Glibc
import IntentLinux

extension HostFacts {
    /// Reads the facts about this host. If a file cannot be read, the corresponding fact remains unknown.
    static func read(service: Daemon, own: Daemon) -> HostFacts {
        var facts = HostFacts(service: service, own: own)
        facts.family = family(of: text("/etc/os-release"))
        facts.isRoot = geteuid() == 0
        facts.userName = Users.name(geteuid())
        facts.membership = membership(of: facts.userName)
        facts.hasUnits = ["/etc", "/usr/lib", "/lib"].contains { exists("\($0)/systemd/system/intentd.socket") }

        facts.userNamespaceLimit = number("/proc/sys/user/max_user_namespaces")
        facts.permitsUserNamespaces = number("/proc/sys/kernel/unprivileged_userns_clone").map { $0 != 0 }
        facts.restrictsUserNamespaces = number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1
        facts.hasProfile = exists("/etc/apparmor.d/intentd")
        if let folder = OwnProgram.folder, exists("\(folder)/intentd") { facts.programFolder = folder }
        facts.isFiltered = lines("/proc/self/status").contains {
            $0.hasPrefix(utf8: "Seccomp:") && !$0.hasSuffix(utf8: "\t0")
        }

        let mounts = lines("/proc/self/mountinfo").map { $0.split(scalar: " ").map(String.init) }
        facts.coveredFiles = mounts.filter { $0.count > 4 && $0[4].hasPrefix(utf8: "/proc/") }.map { $0[4] }
            .filter { !["/proc/sys/fs/binfmt_misc", "/proc/fs/nfsd"].contains($0) }
        facts.controllers = mounts.first { mount in
            mount.firstIndex(of: "-").map { mount.count > $0 + 1 && mount[$0 + 1] == "cgroup2" } ?? false
        }.map { mount in words("\(mount[4])/cgroup.controllers") }
        facts.commandLine = text("/proc/cmdline") ?? ""
        facts.securityModules = text("/sys/kernel/security/lsm").map { modules in
            modules.split(whereScalar: { $0 == "," || $0.isLineBreak }).map(String.init)
        }

        facts.hasMapper = ["/usr/bin", "/bin", "/usr/local/bin"].contains { exists("\($0)/newuidmap") }
        let ranges = ["/etc/subuid", "/etc/subgid"].map { path in
            lines(path).map { $0.split(scalar: ":", omittingEmptySubsequences: false).map(String.init) }
                .filter { $0.count == 3 }
        }
        facts.hasSubordinateIDs = ranges.allSatisfy { ranges in
            ranges.contains { $0[0] == facts.userName || $0[0] == "\(geteuid())" }
        }
        for range in ranges.joined() {
            guard let first = UInt32(range[1]), let count = UInt32(range[2]) else { continue }
            facts.firstFreeSubordinateID = max(facts.firstFreeSubordinateID, first &+ count)
        }
        facts.disks = ["/var/lib/intentd", "/run/intentd"].compactMap(disk)
        facts.isClockSynchronized = ClockReading.isRealtimeSynchronized
        return facts
    }

    package static func family(of release: String?) -> Family {
        let names = File.lines(of: release ?? "").filter { $0.hasPrefix(utf8: "ID=") || $0.hasPrefix(utf8: "ID_LIKE=") }
            .flatMap { $0.split(whereScalar: { $0 == "=" || $0 == " " || $0 == "\"" }).dropFirst() }
        if names.contains("debian") || names.contains("ubuntu") { return .debian }
        return names.contains("fedora") || names.contains("rhel") ? .fedora : .other
    }

    private static func membership(of user: String) -> Membership {
        guard let group = getgrnam("intentd")?.pointee else { return .noGroup }
        var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        _ = getgroups(Int32(groups.count), &groups)
        if geteuid() == 0 || getegid() == group.gr_gid || groups.contains(group.gr_gid) { return .yes }
        var member = group.gr_mem
        while let name = member?.pointee {
            if String(foreign: name) == user { return .sinceLogin }
            member = member?.advanced(by: 1)
        }
        return .no
    }

    private static func disk(_ path: String) -> Disk? {
        var figures = statvfs()
        guard statvfs(path, &figures) == 0 else { return nil }
        return Disk(path: path, freeByteCount: UInt64(figures.f_bavail) &* UInt64(figures.f_frsize))
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
    private static func text(_ path: String) -> String? { try? File.text(at: path) }
    private static func lines(_ path: String) -> [Substring] { (try? File.lines(at: path)) ?? [] }
    private static func words(_ path: String) -> [String] {
        (text(path) ?? "").split(whereScalar: \.properties.isWhitespace).map(String.init)
    }
    private static func number(_ path: String) -> Int? { words(path).first.flatMap { Int($0) } }
}
