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
