package import IntentLauncherMessages

/// The operator's grants to an app. ``denial(of:)`` uses them to explain errors that the sandbox causes.
package struct SandboxGrants: Hashable, Sendable {
    /// `Network=`: true if the app may use the network.
    package var hasNetwork = false
    /// `AllowHosts=`: true if the app may connect to some hosts without `Network=`.
    package var hasHosts = false
    /// `AllowHosts=ask`: the word with its options, if a person is asked about other hosts.
    package var hostQuestions: String?
    package var asksForHosts: Bool { hostQuestions != nil }
    /// `Subprocesses=` or `Programs=`: true if the app may start programs.
    package var hasSubprocesses = false
    /// `GeneratedCode=`: true if the app may generate code at run time.
    package var generatesCode = false
    /// `Programs=`, `ReadPaths=`, `Devices=` and `Sockets=`: paths that the sandbox contains in addition to the app's own files.
    package var readPaths: [String] = []
    /// `WritePaths=`: paths in the sandbox to which the app may write.
    package var writePaths: [String] = []

    package init() {}

    /// Returns the denial that explains a failed call, or nil if the sandbox did not cause the failure.
    ///
    /// The result does not depend on whether the file exists outside the sandbox, because the caller may not be
    /// permitted to find out.
    package func denial(of call: FailedCall) -> SandboxDenial? {
        if call.isGeneratedCode == true {
            guard !generatesCode else { return nil }
            return SandboxDenial(subject: .call, errorNumber: call.errorNumber, key: "GeneratedCode=yes")
        }
        if let path = call.path { return denial(of: path, in: call) }
        let isUnreachable = call.errorNumber.map(Self.networkErrors.contains) == true
        if call.isNetwork == true || isUnreachable {
            guard !hasNetwork else { return nil }
            guard hasHosts else {
                return SandboxDenial(subject: .network, errorNumber: call.errorNumber, key: "AllowHosts=HOST:PORT")
            }
            // The sandbox has no other address than those of granted hosts, and Landlock refuses other ports. Any other
            // error has another cause, which intentd-egress reports.
            let errors = Self.networkErrors.union([ErrorNumber.accessDenied])
            guard let error = call.errorNumber, errors.contains(error) else { return nil }
            return SandboxDenial(subject: .network, errorNumber: error, key: "AllowHosts=HOST:PORT")
        }
        // No other resource of a run has a limit with this error number.
        if let limit = call.errorNumber.flatMap({ Self.limits[$0] }) {
            return SandboxDenial(subject: limit.subject, errorNumber: call.errorNumber, key: limit.key)
        }
        guard call.errorNumber == ErrorNumber.notPermitted else { return nil }
        // The filter returns EPERM for every call that it forbids, so name every key that could permit the call.
        let keys =
            (hasSubprocesses ? [] : ["Subprocesses=yes"]) + (hasNetwork || hasHosts ? [] : ["AllowHosts=HOST:PORT"])
        return SandboxDenial(
            subject: .call,
            errorNumber: call.errorNumber,
            key: keys.joined(separator: " or ")
        )
    }

    /// The limits that refuse a call with an error number of their own: RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_NPROC and
    /// `pids.max`, and RLIMIT_NOFILE (getrlimit(2)).
    private static let limits: [Int32: (subject: SandboxDenial.Subject, key: String)] = [
        12: (.memory, "MemoryMax"), 27: (.fileSize, "DiskMax"), 11: (.tasks, "TasksMax"), 24: (.openFiles, "OpenFiles"),
    ]

    private func denial(of path: String, in call: FailedCall) -> SandboxDenial? {
        guard let error = call.errorNumber, Self.pathErrors.contains(error), path.hasPrefix(utf8: "/") else {
            return nil
        }
        func denied(_ subject: SandboxDenial.Subject, _ key: String) -> SandboxDenial {
            SandboxDenial(subject: subject, path: path, errorNumber: error, key: key)
        }
        // Mounts and Landlock rules never return EPERM. The filter must therefore have refused to start a program.
        if error == ErrorNumber.notPermitted, !hasSubprocesses { return denied(.program, "Subprocesses=yes") }
        if Self.contains(writePaths, path) { return nil }
        if Self.isSocket(path), call.isWriting != true, !Self.contains(readPaths, path) {
            return denied(.reading, "Sockets=\(ListWords.quote(path))")
        }
        if Self.contains(readPaths, path) {
            // The permissions of the file on the host, and not the sandbox, can refuse to read a granted path.
            let isWriting = call.isWriting == true || error == ErrorNumber.readOnly
            return isWriting && error != ErrorNumber.absent
                ? denied(.writing, "WritePaths=\(ListWords.quote(path))") : nil
        }
        // No setting permits a call that needs a privilege, such as mount(2).
        if error == ErrorNumber.notPermitted { return SandboxDenial(subject: .call, errorNumber: error, key: "") }
        let folder = path.split(scalar: "/").dropLast().last
        if folder == "bin" || folder == "sbin", call.isWriting != true {
            return denied(.program, "Programs=\(ListWords.quote(path))")
        }
        if path.hasPrefix(utf8: "/dev/") { return denied(.reading, "Devices=\(path)") }
        return call.isWriting == true
            ? denied(.writing, "WritePaths=\(ListWords.quote(path))")
            : denied(.reading, "ReadPaths=\(ListWords.quote(path))")
    }

    /// Returns true for the path of a Unix socket, by its usual names. Without a look at the host, no more is known.
    private static func isSocket(_ path: String) -> Bool {
        path.hasSuffix(utf8: ".sock") || path.hasSuffix(utf8: ".socket") || path.contains(utf8: "/.s.PGSQL.")
    }

    private static func contains(_ folders: [String], _ path: String) -> Bool {
        folders.contains { path == $0 || path.hasPrefix(utf8: $0 == "/" ? $0 : $0 + "/") }
    }

    /// Linux's error numbers, which are the same on every supported machine (errno-base.h, errno.h).
    private enum ErrorNumber {
        static let notPermitted: Int32 = 1
        static let absent: Int32 = 2
        static let accessDenied: Int32 = 13
        static let readOnly: Int32 = 30
    }

    private static let pathErrors: Set = [
        ErrorNumber.notPermitted, ErrorNumber.absent, ErrorNumber.accessDenied, ErrorNumber.readOnly,
    ]
    /// The error numbers ENETDOWN, ENETUNREACH, EHOSTUNREACH and EAFNOSUPPORT.
    private static let networkErrors: Set<Int32> = [100, 101, 113, 97]
}
