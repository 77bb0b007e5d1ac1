public import AppIntents
internal import IntentLauncherMessages
internal import IntentLinux

/// The answer to a run's question: a value, a choice or a decision.
///
/// A literal is an answer: `"tomato"`, `3` or `2.5`, and `true` or `false` for a confirmation.
public struct IntentAnswer: Sendable {
    private enum Content: Sendable {
        case sent(
            @Sendable (_ directory: String) throws -> (IntentLauncherMessages.IntentValue, [SharedFileDescriptor])
        )
        case choice(String)
    }

    private let content: Content

    private init(_ content: Content) {
        self.content = content
    }

    private init(_ value: IntentLauncherMessages.IntentValue) {
        self.init(.sent { _ in (value, []) })
    }

    /// An answer that accepts a confirmation.
    public static let accept = IntentAnswer(.bool(true))
    /// An answer that declines a confirmation.
    public static let decline = IntentAnswer(.bool(false))

    /// Returns an answer with a value of the parameter's type, such as an enumeration case, a date or a file. The
    /// answer for an entity is its identifier as text.
    public static func value(_ value: some _IntentValue) -> IntentAnswer {
        IntentAnswer(.sent { try value.encodedForSending(in: $0) })
    }

    /// Returns an answer that chooses the option with the given title.
    public static func choice(_ title: String) -> IntentAnswer { IntentAnswer(.choice(title)) }

    /// Checks the answer against the question, and returns it in the form that `intentd` would pass to the run.
    ///
    /// - Throws: ``IntentTestError`` when the answer is invalid for the question.
    func accepted(
        for question: Question,
        directory: String
    ) throws -> (value: IntentLauncherMessages.IntentValue, files: [SharedFileDescriptor]) {
        let (value, files) =
            switch content {
            case .sent(let send): try send(directory)
            case .choice(let title): (IntentLauncherMessages.IntentValue.string(title), [SharedFileDescriptor]())
            }
        return (try Self.checked(question.type.value(named: value), for: question, files.count), files)
    }
}

extension IntentAnswer: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral
{
    /// Creates an answer from text.
    public init(stringLiteral value: String) { self.init(.string(value)) }

    /// Creates an answer from a whole number.
    public init(integerLiteral value: Int64) { self.init(.int(value)) }

    /// Creates an answer from a number.
    public init(floatLiteral value: Double) { self.init(.double(value)) }

    /// Creates an answer that accepts or declines a confirmation.
    public init(booleanLiteral value: Bool) { self.init(.bool(value)) }
}
