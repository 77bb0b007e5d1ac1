/// The options that select the daemon in printed commands, such as `intentctl --host web1 answer RUN`.
package struct DaemonOptions: Equatable, Sendable {
    /// The options, followed by a space; empty for intentctl's default.
    package let text: String

    package static let none = DaemonOptions(socket: nil)

    package init(socket: String?) {
        text = socket.map { "--socket \(ShellWord.quote($0)) " } ?? ""
    }

    package init(host: HostName) {
        text = "--host \(ShellWord.quote(host.text)) "
    }

    private init(text: String) {
        self.text = text
    }

    /// True when the command acts on a fleet's runs.
    @TaskLocal static var isFleet = false
}

extension DaemonOptions {
    /// The options for the host or fleet on which the current command acts.
    static var ofCommand: DaemonOptions {
        let host = RemoteHost.current.map { DaemonOptions(host: $0.name) } ?? .none
        return isFleet ? DaemonOptions(text: "\(host.text)--fleet ") : host
    }
}
