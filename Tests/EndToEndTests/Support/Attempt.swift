import Testing

/// One way out, and what must come of it.
struct Attempt: Sendable, CustomTestStringConvertible {
    enum Outcome: Sendable {
        /// With one of these names of errno.
        case refused([String])
        /// It is nothing bad, and this comes of it.
        case done(String)
        /// The run ends, and that is said.
        case ends(String)
    }

    var app: AttackScene.App
    var name: String
    var detail: String
    var outcome: Outcome

    /// The version of Landlock that refuses it. Before that the app's grade is `reduced`, and says so.
    var landlockVersion: Int {
        switch app {
        // Ports.
        case .ports: 4
        // The scope of abstract sockets, for an app with the host's network; and that of signals.
        case .socket, .network: detail.contains("{abstract}") ? 6 : 0
        case .subprocesses: name == "kill" || name == "tgkill" ? 6 : 0
        case .closed, .small, .writer, .unlimited, .fewest, .stateful: 0
        }
    }

    var testDescription: String { "\(app.rawValue): \(name) \(detail)" }

    /// Refused with each of the details; names of errno with a bar between them.
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
