import Glibc

/// The hosts on which a command acts.
enum HostSelection {
    case local
    case one(HostName)
    case several([HostName])

    /// - Throws: ``CommandFailure`` for an invalid list, and for a command that cannot act on other hosts.
    init(_ invocation: Invocation) throws(CommandFailure) {
        self = try Self.selected(by: invocation)
        if case .local = self { return }
        if invocation.has("detach"), invocation.lists["writable"] != nil {
            throw .usage(
                "--detach disconnects, so the run's changes to the files of --writable would remain on the other host",
                hint: "remove one of them"
            )
        }
    }

    private static func selected(by invocation: Invocation) throws(CommandFailure) -> HostSelection {
        let reach = invocation.command.reach
        guard let list = invocation["host"] ?? environmentText("INTENTD_HOST") else {
            try refuseFanOutOptions(of: invocation)
            return .local
        }
        let isExplicit = invocation.has("host")
        if !reach.contains(.oneHost) {
            // Commands that cannot act on another host ignore INTENTD_HOST.
            guard !isExplicit else {
                throw .usage(
                    "'\(invocation.command.name)' acts only on this host",
                    hint: "run it on the other host:  ssh HOST intentctl \(invocation.command.name)"
                )
            }
            return .local
        }
        if invocation.has("local") {
            guard !isExplicit else {
                throw .usage("--local and --host cannot be combined", hint: "remove one of them")
            }
            return .local
        }
        if let name = environmentText(FanOutCommand.hostVariable) {
            return .one(try HostName(name))
        }
        let hosts = try list.contains(utf8: "@") ? HostGroups.read().hosts(of: list) : HostGroups().hosts(of: list)
        guard hosts.count != 1 || list.contains(utf8: ",") || list.hasPrefix(utf8: "@") else {
            try refuseFanOutOptions(of: invocation)
            return .one(hosts[0])
        }
        guard !hosts.isEmpty else {
            throw .usage("'\(list)' contains no hosts", hint: "see ~/.config/intentd/hosts and /etc/intentd/hosts")
        }
        guard reach.contains(.severalHosts) else {
            throw .usage(
                "'\(invocation.command.name)' acts on one host at a time, but '\(list)' names \(hosts.count) hosts",
                hint: "name one host"
            )
        }
        if invocation.has("prompt") {
            throw .usage("--prompt reads the answer for only one host", hint: "name one host")
        }
        return .several(hosts)
    }

    private static func refuseFanOutOptions(of invocation: Invocation) throws(CommandFailure) {
        for option in CommandSpec.fanOutOptions where invocation.has(option.name) {
            throw .usage(
                "--\(option.name) requires several hosts",
                hint: "name them with --host web1,web2 or --host @GROUP"
            )
        }
    }
}

/// Returns the value of an environment variable, or nil if the variable is not set or empty.
func environmentText(_ name: String) -> String? {
    getenv(name).map { String(foreign: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}
