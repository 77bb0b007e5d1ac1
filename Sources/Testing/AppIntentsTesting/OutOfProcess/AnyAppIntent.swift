public import AppIntents
internal import FoundationEssentials
internal import IntentClient
internal import IntentLauncherMessages
internal import IntentLinux

/// An intent with the values of its parameters, to be performed in a worker process.
///
/// Source: Apple's AnyAppIntent page.
@dynamicMemberLookup
public struct AnyAppIntent: Sendable {
    /// The intent's name.
    public let identifier: String
    private var values: [String: any Sendable]
    private let host: TestDaemon

    init(identifier: String, values: [String: any Sendable], host: TestDaemon) {
        self.identifier = identifier
        self.values = values
        self.host = host
    }

    /// The value of the parameter with this name; nil when the parameter has no value.
    ///
    /// The type of the value is a type that a parameter can have, ``AnyAppEntity``, ``AnyAppEnum``, or a list of one of
    /// these.
    public subscript(dynamicMember name: String) -> (any Sendable)? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// The value of the parameter with this name.
    ///
    /// - Throws: ``IntentTestError`` when the parameter has no value or a value of another type.
    public subscript<Value: _IntentValue>(dynamicMember name: String) -> Value {
        get throws {
            guard let value = values[name] as? Value else {
                throw IntentTestError("the parameter '\(name)' of '\(identifier)' has no value of type \(Value.self)")
            }
            return value
        }
    }

    /// Performs the intent in a worker process, and waits until the run has ended.
    ///
    /// Cancelling the task cancels the run. The call then returns once all of the run's processes have exited.
    ///
    /// - Parameter answers: The source of answers. ``IntentAnswers/fromTest`` is treated as
    ///   ``IntentAnswers/unavailable``.
    /// - Throws: ``IntentTestError`` when the run does not succeed. ``result(answers:progress:)`` returns every end
    ///   instead.
    @discardableResult
    public func run(answers: IntentAnswers = .unavailable) async throws -> ResolvedIntentResult {
        let result = try await result(answers: answers)
        guard result.end.isDone else {
            let output = result.output.isEmpty ? "" : "; its output:\n\(result.output)"
            throw IntentTestError("'\(identifier)' did not succeed: \(result.end)\(output)")
        }
        return result
    }

    /// Performs the intent in a worker process, and returns the end of the run.
    ///
    /// Cancelling the task cancels the run. The call then returns once all of the run's processes have exited.
    ///
    /// - Parameters:
    ///   - answers: The source of answers. ``IntentAnswers/fromTest`` is treated as ``IntentAnswers/unavailable``.
    ///   - progress: Called each time the run reports progress.
    /// - Throws: ``IntentTestError`` when the run cannot be requested, a value cannot be sent, or `answers` lacks an
    ///   answer to a question.
    public func result(
        answers: IntentAnswers = .unavailable,
        progress: @Sendable (IntentTestProgress) -> Void = { _ in }
    ) async throws -> ResolvedIntentResult {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        let (connection, app) = try await host.connection()
        var request = PerformRequest(app: app, intent: identifier)
        let files = try sentValues(folder.run, &request.values)
        let answer: (@Sendable (IntentTestQuestion) throws -> IntentAnswer?)?
        switch answers.source {
        case .test, .unavailable:
            answer = nil
            request.answers = AnswersInAdvance(others: .refuse)
        case .closure(let closure): answer = closure
        }
        do {
            let run = try await connection.perform(request, files: files)
            return try await RemoteRun(
                run: run,
                directory: folder.run,
                executable: host.executable,
                answer: answer
            ).result(progress)
        } catch let error as IntentClientError {
            throw IntentTestError("cannot run '\(identifier)': \(error.message)\(error.hint.map { "; \($0)" } ?? "")")
        }
    }

    /// Encodes the values, and returns their files.
    private func sentValues(_ directory: String, _ sent: inout [String: IntentLauncherMessages.IntentValue]) throws
        -> [RunFile]
    {
        var files: [RunFile] = []
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            let encoded = try Self.encode(value, directory, "the parameter '\(name)' of '\(identifier)'")
            sent[name] = encoded.value.movingFiles(by: files.count)
            files += encoded.value.runFiles(encoded.files)
        }
        return files
    }

    static func encode(
        _ value: any Sendable,
        _ directory: String,
        _ what: String
    ) throws -> (value: IntentLauncherMessages.IntentValue, files: [SharedFileDescriptor]) {
        switch value {
        case let value as any _IntentValue: return try value.encodedForSending(in: directory)
        case let entity as AnyAppEntity: return (.string(entity.identifier), [])
        case let value as AnyAppEnum: return (.string(value.rawValue), [])
        case let entities as [AnyAppEntity]: return (.array(entities.map { .string($0.identifier) }), [])
        case let entity as AnyTransientAppEntity: return (try encode(entity, directory, what), [])
        case let entities as [AnyTransientAppEntity]:
            return (.array(try entities.map { try encode($0, directory, what) }), [])
        case let recorded as ResolvedValue where recorded.wire != nil: return (recorded.wire ?? .null, [])
        case let values as [AnyAppEnum]: return (.array(values.map { .string($0.rawValue) }), [])
        case _:
            throw IntentTestError("cannot send \(what): \(type(of: value)) cannot be the type of a parameter")
        }
    }
}

extension AnyAppIntent {
    private static func encode(
        _ entity: AnyTransientAppEntity,
        _ directory: String,
        _ what: String
    ) throws -> IntentLauncherMessages.IntentValue {
        var members: [String: IntentLauncherMessages.IntentValue] = [:]
        for (name, value) in entity.properties {
            let encoded = try encode(value, directory, "'\(name)' of \(what)")
            guard encoded.files.isEmpty else { throw IntentTestError("cannot send a file in '\(name)' of \(what)") }
            members[name] = encoded.value
        }
        return .object(members)
    }

    /// Returns a value as text, for a test's error messages.
    static func text(of value: (any Sendable)?) -> String {
        switch ComparedValue(value) {
        case .absent: "nil"
        case .value(let wire): WireValues.text(of: wire)
        case .foreign: value.map { "\($0)" } ?? "nil"
        }
    }
}

extension IntentLauncherMessages.IntentValue {
    /// Returns the value with a number added to the index of each file.
    fileprivate func movingFiles(by count: Int) -> IntentLauncherMessages.IntentValue {
        switch self {
        case .file(var reference):
            reference.index += count
            return .file(reference)
        case .array(let values): return .array(values.map { $0.movingFiles(by: count) })
        case .object(let members): return .object(members.mapValues { $0.movingFiles(by: count) })
        case .null, .bool, .int, .double, .string: return self
        }
    }
}
