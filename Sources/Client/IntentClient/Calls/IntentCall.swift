/// A call to an intent, declared as a Swift type. The compiler therefore checks the types of its parameters and result.
///
/// The `IntentStubs` plugin generates conforming types from an app's catalogue. See <doc:CallingIntents>.
public protocol IntentCall: Sendable {
    /// The type of the value that the intent returns; `Void` when it returns no value.
    associatedtype Value: Sendable = Void

    /// The name of the app and the intent.
    static var intentName: IntentName { get }
    /// The values by parameter name. Parameters that keep their default value are omitted.
    var arguments: [String: IntentArgument] { get }

    /// Returns the value of a run, converted to ``Value``.
    ///
    /// - Throws: ``IntentRunError`` when the run was not successful, or its value cannot be converted.
    static func value(of result: RunResult) throws -> Value
}

extension IntentCall where Value: Decodable {
    /// Decodes the value of a run. Throws an error if the run was not successful.
    public static func value(of result: RunResult) throws -> Value { try result.value(as: Value.self) }
}

extension IntentCall where Value == Void {
    /// Throws an error if the run was not successful.
    public static func value(of result: RunResult) throws { try result.requireSuccess() }
}

/// A handle for a run of an ``IntentCall``.
public struct IntentCallRun<Call: IntentCall>: Sendable {
    /// The run, with its events and questions, and methods to cancel it.
    public let run: IntentRun

    init(_ run: IntentRun) {
        self.run = run
    }

    /// The run's identifier.
    public var id: RunID { run.id }

    /// The run's progress, until its end. Only one task can read the sequence. See ``IntentRun/events``.
    public var progress: some AsyncSequence<ProgressReport, any Error> & Sendable {
        run.events.compactMap { event in if case .progress(let progress) = event { progress } else { nil } }
    }

    /// Cancels the run and waits until all its processes have exited.
    @discardableResult
    public func cancel() async throws -> RunResult { try await run.cancel() }

    /// The value that the intent returned. Waits until the run has ended.
    ///
    /// If the waiting task is cancelled, the run is cancelled, and the task waits until all of the run's processes have
    /// exited.
    ///
    /// - Throws: ``IntentRunError`` when the run was not successful; ``IntentClientError`` when the connection is lost.
    public var value: Call.Value {
        get async throws { try Call.value(of: try await run.result) }
    }

    /// Waits for the value that the intent returned, and passes each question to a closure. See
    /// ``IntentRun/result(answering:)``.
    public func value(
        answering answer: @escaping @Sendable (OpenQuestion) async throws -> IntentValue?
    ) async throws -> Call.Value {
        try Call.value(of: try await run.result(answering: answer))
    }
}
