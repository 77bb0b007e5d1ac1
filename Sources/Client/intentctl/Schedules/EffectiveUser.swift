import Glibc
import IntentLinux

/// Lets root act as another user to check that user's permissions.
enum EffectiveUser {
    /// Performs a closure with a user's effective ids and groups, like a schedule's service. The real uid remains 0, so that the process can change back.
    static func perform<Value>(as name: String?, _ work: () async throws -> Value) async throws -> Value {
        guard let name, let account = getpwnam(name)?.pointee, account.pw_uid != 0 else { return try await work() }
        let (user, group) = (account.pw_uid, account.pw_gid)
        let own = try currentGroups()
        let groups = Array(Accounts.groups(of: name))
        guard groups.contains(group) else { throw failure(SystemError("getgrouplist", code: Errno(rawValue: EINVAL))) }
        // These calls affect the whole process, because glibc changes the ids of all threads.
        try change("setgroups") { setgroups(groups.count, groups) }
        defer {
            // Ignore the results. These calls cannot fail, because the real uid is 0.
            _ = seteuid(0)
            _ = setegid(0)
            _ = setgroups(own.count, own)
        }
        try change("setegid") { setegid(group) }
        try change("seteuid") { seteuid(user) }
        return try await work()
    }

    private static func currentGroups() throws(CommandFailure) -> [gid_t] {
        var groups = [gid_t](repeating: 0, count: Int(NGROUPS_MAX))
        let count = getgroups(Int32(groups.count), &groups)
        guard count >= 0 else { throw failure(SystemError("getgroups", code: Errno(rawValue: errno))) }
        return Array(groups.prefix(Int(count)))
    }

    private static func change(_ name: String, _ call: () -> Int32) throws(CommandFailure) {
        do throws(SystemError) {
            try syscall(name, call)
        } catch {
            throw failure(error)
        }
    }

    private static func failure(_ error: SystemError) -> CommandFailure {
        CommandFailure(
            .notPermitted,
            code: "system",
            "cannot act as another user: \(error)",
            hint: "run this as root, with the capabilities CAP_SETUID and CAP_SETGID"
        )
    }
}
