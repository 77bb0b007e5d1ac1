import Testing

/// One attempt to escape the sandbox, and its expected outcome.
struct Attempt: Sendable, CustomTestStringConvertible {
    enum Outcome: Sendable {
        /// The call fails with one of these errno names.
        case refused([String])
        /// The attempt is harmless and prints this text.
        case done(String)
        /// The run ends, and intentctl reports this text.
        case ends(String)
    }

    var app: AttackScene.App
    var name: String
    var detail: String
    var outcome: Outcome

    /// The Landlock ABI version that refuses the attempt. On older kernels the app reports the isolation grade
    /// `reduced`.
    var landlockVersion: Int {
        switch app {
        // TCP ports.
        case .ports: 4
        // The scope of abstract sockets, for an app with the host's network.
        case .socket, .network: detail.contains("{abstract}") ? 6 : 0
        // The scope of signals.
        case .subprocesses: name == "kill" || name == "tgkill" ? 6 : 0
        case .closed, .small, .threaded, .stacked, .writer, .unlimited, .fewest, .stateful: 0
        }
    }

    var testDescription: String { "\(app.rawValue): \(name) \(detail)" }

    /// One refused attempt per detail. `errors` are errno names, separated by bars.
    static func refused(
        _ errors: String,
        in app: AttackScene.App = .closed,
        _ name: String,
        _ details: [String] = [""]
    ) -> [Attempt] {
        details.map {
            Attempt(app: app, name: name, detail: $0, outcome: .refused(errors.split(separator: "|").map(String.init)))
        }
    }

    static func done(
        _ words: String,
        in app: AttackScene.App = .closed,
        _ name: String,
        _ detail: String = ""
    ) -> [Attempt] {
        [Attempt(app: app, name: name, detail: detail, outcome: .done(words))]
    }

    static func ends(
        _ words: String,
        in app: AttackScene.App = .closed,
        _ name: String,
        _ detail: String = ""
    ) -> [Attempt] {
        [Attempt(app: app, name: name, detail: detail, outcome: .ends(words))]
    }
}
