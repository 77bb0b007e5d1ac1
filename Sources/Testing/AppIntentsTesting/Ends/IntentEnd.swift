public import AppIntents
internal import IntentLauncherMessages

/// The end of a run in a test, as `intentd` would report it to the caller.
///
/// Two ends are equal if their outcomes and values are equal. An expectation can therefore name the expected end:
///
/// ```swift
/// #expect(try await run.perform(intent) == .done(50))
/// #expect(end == .cancelled(.timeout))
/// ```
public struct IntentEnd<Value: _IntentValue>: Sendable {
    /// The outcome that `intentd` would report to the caller.
    let outcome: RunOutcome
    let facts: RunFacts?
    private let kept: Value?

    init(_ outcome: RunOutcome, facts: RunFacts?, value: Value?) {
        self.outcome = outcome
        self.facts = facts
        kept = value
    }

    /// The value that `perform()` returned; nil when the run failed or was cancelled, or when its intent returns no
    /// value.
    public var value: Value? {
        if case .done = outcome { kept } else { nil }
    }

    /// The dialog of the result; nil when it has none.
    public var dialog: String? {
        if case .done(_, let dialog) = outcome { dialog } else { nil }
    }

    /// True if `perform()` returned in time.
    public var isDone: Bool {
        if case .done = outcome { true } else { false }
    }

    /// The reason for the cancellation; nil when the run was not cancelled.
    public var reason: IntentCancellationReason? {
        if case .cancelled(let reason) = outcome { IntentCancellationReason(name: reason.name) } else { nil }
    }

    /// The message of a run that failed or violated the worker protocol, or the text of the unanswered question; nil
    /// for any other end.
    public var message: String? {
        switch outcome {
        case .failed(let message), .violated(let message): message
        case .unanswered(_, let question): question
        case .done, .cancelled, .crashed, .exceeded, .notStarted, .busy, .lost, .hostLost, .unknown: nil
        }
    }

    /// The error that `perform()` or the run's preparation threw; nil when neither threw.
    public var error: (any Error)? { facts?.error }

    /// The latest progress of the run.
    public var progress: IntentTestProgress { IntentTestProgress(facts?.progress) }

    /// The time from the beginning of `perform()` to the end, on the virtual clock.
    public var duration: Duration { facts?.duration ?? .zero }

    /// True if `intentd` would have ended the run's process with a signal, because the run exceeded its grace period.
    public var isKilled: Bool { facts?.isKilled ?? false }

    /// The intents that the run donated, in order.
    public var donations: [RecordedIntent] { facts?.details?.donations?.map(RecordedIntent.init) ?? [] }

    /// The intent that undoes the run; nil when the run registered none. ``IntentTestRun/undo()`` performs it.
    public var undo: RecordedIntent? { facts?.details?.undo?.intent.map(RecordedIntent.init) }

    /// The name of the action that can be undone; nil when the run set none.
    public var undoName: String? { facts?.details?.undo?.name }

    /// The intent to perform next, as the result names it; nil when it names none.
    public var opens: RecordedIntent? { facts?.details?.opens.map(RecordedIntent.init) }

    /// The snippet that the result shows (`view:` or `snippetIntent:`); nil when it shows none.
    public var snippet: IntentTestSnippet? {
        if case .done = outcome { facts?.details?.snippet.map(IntentTestSnippet.init) } else { nil }
    }

    /// Returns the value of a run that succeeded.
    ///
    /// - Throws: ``IntentTestError`` with the end of the run when the run did not succeed or returned no value.
    public func get() throws -> Value {
        if let value { return value }
        throw IntentTestError("the run returned no value: \(self)")
    }
}

extension IntentEnd {
    /// The end of a run that succeeded without a value.
    public static var done: IntentEnd { IntentEnd(.done(value: nil, dialog: nil), facts: nil, value: nil) }

    /// Returns the end of a run that succeeded with the given value. Values are equal if their encoded forms are equal.
    public static func done(_ value: Value) -> IntentEnd {
        IntentEnd(.done(value: sent(value), dialog: nil), facts: nil, value: value)
    }

    /// Returns the end of a run that was cancelled for the given reason.
    public static func cancelled(_ reason: IntentCancellationReason) -> IntentEnd {
        IntentEnd(.cancelled(CancellationReason(name: "\(reason)")), facts: nil, value: nil)
    }

    /// Returns the end of a run that failed with the given message for the caller.
    public static func failed(_ message: String) -> IntentEnd {
        IntentEnd(.failed(message: message), facts: nil, value: nil)
    }

    /// Returns the end of a run that ended because no client answered the given question.
    public static func unanswered(_ question: String, parameter: String? = nil) -> IntentEnd {
        IntentEnd(.unanswered(parameter: parameter, question: question), facts: nil, value: nil)
    }

    private static func sent(_ value: Value) -> IntentLauncherMessages.IntentValue? {
        // A value with files has no encoded form here, because the folder does not exist. Tests compare the bytes of
        // the files instead.
        (try? value.encodedForSending(in: "/nonexistent"))?.0
    }
}

extension IntentEnd: Equatable {
    /// Returns true if both ends have the same outcome and value. Dialogs of successful runs are not compared: compare
    /// ``dialog`` separately.
    public static func == (left: IntentEnd, right: IntentEnd) -> Bool {
        if case .done(let leftValue, _) = left.outcome, case .done(let rightValue, _) = right.outcome {
            return leftValue == rightValue
        }
        return left.outcome == right.outcome
    }
}
