/// The explanation of an end that a setting caused: one text for terminals, notifications and the journal.
extension SandboxDenial {
    /// The refused access or the limit, then the setting, its value, and its place.
    package var explanation: String {
        let assumption =
            isCertain == true
            ? ""
            : host == nil
                ? "; the kernel does not name the cause, so this follows from the error"
                : "; several runs shared the sandbox, so this may concern another one"
        return "\(refusal)\(setting.map { "; \($0)" } ?? "")\(assumption)"
    }

    /// The next step of the operator; nil if no setting permits the access.
    package var advice: String? {
        guard !key.isEmpty else { return nil }
        let place = "in [\(section ?? "Sandbox")] of \(file ?? "the app's .conf file")"
        switch subject {
        case .memory, .fileSize, .state, .tasks, .openFiles, .time: return "If it needs more, set \(key)= \(place)."
        case .call where key.contains(utf8: "AllowHosts="):
            let program = key.contains(utf8: "Subprocesses=") ? "to start a program or " : ""
            return "If it tried \(program)to connect to a host, set \(key) \(place)."
        case .reading, .writing, .network, .program, .call, .unknown: return "To permit it, set \(key) \(place)."
        }
    }

    /// The setting that applied, such as `MemoryMax=512M is set in FILE:4`.
    private var setting: String? {
        guard let value, let name = key.split(scalar: "=").first else { return nil }
        return "\(name)=\(value) \(source.map { "is set in \($0)" } ?? "is the default")"
    }

    private var refusal: String {
        let name = errorNumber.map { " (\(Self.names[$0] ?? "error \($0)"))" } ?? ""
        let path = path ?? "a file"
        return switch subject {
        case .reading: "the run tried to read \(path), which its sandbox does not contain\(name)"
        case .writing: "the run tried to write to \(path), which its sandbox does not permit\(name)"
        case .program: "the run tried to start \(path), which its sandbox does not permit\(name)"
        case .network where host != nil:
            "the run could not connect to \(host ?? "")\(reason.map { ": \($0)" } ?? "")"
        case .network: "the run tried to use the network, which its sandbox does not permit\(name)"
        case .call where key.isEmpty: "a system call failed\(name), which no setting of the sandbox permits"
        case .call: "a system call failed\(name), possibly because the sandbox does not permit it"
        case .memory: "the run needed more memory than its limit\(name)"
        case .fileSize: "the run wrote more to its files than its limit\(name)"
        case .state: "the app's state folder grew larger than its limit\(name)"
        case .tasks: "the run could not start another process or thread\(name)"
        case .openFiles: "a process of the run had as many open files as its limit\(name)"
        case .time: "the run reached a time limit"
        case .unknown(let word): "the sandbox refused '\(word)'\(name)"
        }
    }

    /// The texts of the error numbers that a sandbox causes (errno(3)).
    private static let names: [Int32: String] = [
        1: "Operation not permitted", 2: "No such file or directory", 11: "Resource temporarily unavailable",
        12: "Cannot allocate memory", 13: "Permission denied", 24: "Too many open files", 27: "File too large",
        30: "Read-only file system", 97: "Address family not supported by protocol", 100: "Network is down",
        101: "Network is unreachable", 113: "No route to host",
    ]
}
