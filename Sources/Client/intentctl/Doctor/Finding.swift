/// A finding of `intentctl doctor` about one part of the host.
package struct Finding: Hashable, Sendable, Encodable {
    package enum State: String, Hashable, Sendable, Encodable {
        case fine
        case lacking
    }

    /// The part of the host to which the finding applies, such as `disk`.
    package var subject: String
    package var state: State
    /// A description of the finding for users, in one line.
    package var message: String
    /// The commands and other steps that fix the problem, in order. Each step is one line or a here-document.
    package var cures: [String]

    package init(_ subject: String, _ message: String) {
        self.init(subject: subject, state: .fine, message: message, cures: [])
    }

    package init(_ subject: String, lacks message: String, _ cures: [String]) {
        self.init(subject: subject, state: .lacking, message: message, cures: cures)
    }

    private init(subject: String, state: State, message: String, cures: [String]) {
        self.subject = subject
        self.state = state
        self.message = message
        self.cures = cures
    }
}
