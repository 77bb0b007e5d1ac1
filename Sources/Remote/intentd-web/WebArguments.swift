import IntentLinux

/// The command line of `intentd-web`.
package struct WebArguments: Equatable {
    package enum Listener: Equatable {
        /// A port on 127.0.0.1. Port 0 selects any free port.
        case port(UInt16)
        case socket(String)
    }

    package static let usageLines = [
        "usage: intentd-web [--port N | --listen-socket PATH] [--open] --page FOLDER -- COMMAND...",
        "COMMAND is intentctl, or an ssh command that runs it on another host. The server appends arguments such as 'relay'.",
    ]

    package private(set) var listener = Listener.port(0)
    package private(set) var opensBrowser = false
    package private(set) var page = ""
    package private(set) var command: [String] = []

    package init(_ arguments: [String]) throws(WebUsageError) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            switch word {
            case "--port":
                guard let text = rest.popFirst(), let port = UInt16(text) else {
                    throw WebUsageError(description: "--port: expected a number from 0 to 65535")
                }
                listener = .port(port)
            case "--listen-socket":
                guard let path = rest.popFirst(), path.hasPrefix(utf8: "/") else {
                    throw WebUsageError(description: "--listen-socket: expected an absolute path")
                }
                listener = .socket(path)
            case "--open": opensBrowser = true
            case "--page":
                guard let path = rest.popFirst() else { throw WebUsageError(description: "--page: expected a folder") }
                page = path
            case "--":
                command = Array(rest)
                rest = []
            default: throw WebUsageError(description: "unknown argument '\(word)'")
            }
        }
        guard !page.isEmpty else { throw WebUsageError(description: "missing option --page") }
        guard !command.isEmpty else { throw WebUsageError(description: "missing command after '--'") }
    }
}

/// An invalid command line of `intentd-web`.
package struct WebUsageError: Error, Equatable, CustomStringConvertible {
    package let description: String
}
