import IntentConfiguration
import IntentLinux

/// The command line of `intentd-web`.
package struct WebArguments: Equatable {
    package enum Listener: Equatable {
        /// A port on 127.0.0.1. Port 0 selects any free port.
        case port(UInt16)
        case socket(String)
        /// A Unix socket in a private folder, for the program that has started the server.
        case privateSocket
        /// A private socket with a connection of the standard streams to it, as the server of a session.
        case standardStreams
        /// The socket of systemd, as a service for several users (`[Web]` of intentd.conf).
        case service
    }

    package static let usageLines = [
        "usage: intentd-web [--port N | --listen-socket PATH | --private | --stdio] [--socket PATH] [--header-file PATH] [--open] [--page FOLDER] [--end-with-input] -- COMMAND...",
        "       intentd-web --service [--socket PATH] [--configuration FOLDER]... [--tokens FOLDER] [--hooks FOLDER] [--authorities FILE] [-- COMMAND...]",
        "       intentd-web --traces URL --state FILE [--socket PATH]",
        "COMMAND is intentctl, or an ssh command that runs it on another host. The server appends arguments such as 'doctor'.",
    ]

    package private(set) var listener = Listener.port(0)
    package private(set) var opensBrowser = false
    /// True if the server exits when the program that has started it closes the server's standard input, or ends.
    package private(set) var endsWithInput = false
    /// The folder of the page; nil to serve only the API.
    package private(set) var page: String?
    /// The path of intentd's socket.
    package private(set) var socket = "/run/intentd/intentd.sock"
    /// The path of a new file for the header field with which programs use the API; nil for none.
    package private(set) var headerFile: String?
    package private(set) var command: [String] = []
    /// The folders with intentd.conf, and the folder of the tokens, for the service.
    package private(set) var configuration: [String] = []
    package private(set) var tokens = WebToken.folder
    package private(set) var hooks = HookFile.folder
    /// A file with the certificates of authorities, for connections to issuers; nil for the certificates of the system.
    package private(set) var authorities: String?
    /// The address of the collector for traces; nil for the servers of HTTP.
    package private(set) var collector: String?
    /// The file that says how far traces are exported.
    package private(set) var state = "/var/lib/intentd-traces/cursor"

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
                listener = .socket(try Self.path(rest.popFirst(), of: word))
            case "--private": (listener, endsWithInput) = (.privateSocket, true)
            case "--end-with-input": endsWithInput = true
            case "--stdio": listener = .standardStreams
            case "--service": listener = .service
            case "--configuration": configuration.append(try Self.path(rest.popFirst(), of: word))
            case "--hooks": hooks = try Self.path(rest.popFirst(), of: word)
            case "--authorities": authorities = try Self.path(rest.popFirst(), of: word)
            case "--state": state = try Self.path(rest.popFirst(), of: word)
            case "--traces":
                guard let url = rest.popFirst(), ["http://", "https://"].contains(where: { url.hasPrefix(utf8: $0) })
                else {
                    throw WebUsageError(
                        description: "--traces: expected an address that begins with http:// or https://"
                    )
                }
                collector = url
            case "--tokens": tokens = try Self.path(rest.popFirst(), of: word)
            case "--open": opensBrowser = true
            case "--socket": socket = try Self.path(rest.popFirst(), of: word)
            case "--header-file": headerFile = try Self.path(rest.popFirst(), of: word)
            case "--page":
                guard let path = rest.popFirst() else { throw WebUsageError(description: "--page: expected a folder") }
                page = path
            case "--":
                command = Array(rest)
                rest = []
            default: throw WebUsageError(description: "unknown argument '\(word)'")
            }
        }
        if command.isEmpty, listener == .service { command = ["/usr/bin/intentctl", "--socket", socket] }
        guard !command.isEmpty || collector != nil else {
            throw WebUsageError(description: "missing command after '--'")
        }
    }

    private static func path(_ word: String?, of option: String) throws(WebUsageError) -> String {
        guard let word, word.hasPrefix(utf8: "/") else {
            throw WebUsageError(description: "\(option): expected an absolute path")
        }
        return word
    }
}

/// An invalid command line of `intentd-web`.
package struct WebUsageError: Error, Equatable, CustomStringConvertible {
    package let description: String
}
