public import AppIntents
internal import IntentClient
internal import IntentLauncherMessages
internal import IntentLinux

/// The end of a run in a worker process, with its value and its output.
///
/// The test chooses the type of the value: `let price: Decimal = try result.value()`. The properties of an object are
/// members: `let name: String = try result.value.customerName`.
///
/// Source: Apple's ResolvedIntentResult page.
public struct ResolvedIntentResult: Sendable, CustomStringConvertible, CustomReflectable {
    /// The end of the run, without its value.
    public let end: IntentEnd<Never>
    /// The run's output on standard output and standard error. Output after the first 1 MiB is discarded.
    public let output: String
    private let resolved: ResolvedValue

    init(_ result: RunResult, progress: ProgressReport?, output: String, executable: String) {
        let account = result.end.account
        let facts = RunFacts(
            progress: progress,
            duration: account.runtime,
            isKilled: !account.signals.isEmpty,
            expiredClock: nil,
            details: account.details,
            error: nil,
            places: RunPlaces(account.details, executable: executable)
        )
        var outcome = result.outcome
        if case .done(_, let dialog) = outcome { outcome = .done(value: nil, dialog: dialog) }
        end = IntentEnd(outcome, facts: facts, value: nil)
        resolved = ResolvedValue(value: result.value, files: result.files.map(\.shared), what: "the result")
        self.output = output
    }

    /// The dialog of the result; nil when it has none.
    public var dialog: String? { end.dialog }

    /// Returns the value that `perform()` returned, as the given type.
    ///
    /// - Throws: ``IntentTestError`` when the run returned no value or a value of another type.
    public func value<Value: _IntentValue>(as type: Value.Type = Value.self) throws -> Value {
        try resolved.value(as: type)
    }

    /// The value that `perform()` returned.
    public var value: ResolvedValue { resolved }

    /// The end of the run as text.
    public var description: String { "\(end)" }

    /// An empty mirror. A failed expectation therefore shows only the text.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A value that a run in a worker process returned, or a member or element of that value.
@dynamicMemberLookup
public struct ResolvedValue: Sendable, CustomStringConvertible, CustomReflectable {
    let wire: IntentLauncherMessages.IntentValue?
    private let files: [SharedFileDescriptor]
    private let what: String

    init(value: IntentLauncherMessages.IntentValue?, files: [SharedFileDescriptor], what: String) {
        wire = value
        self.files = files
        self.what = what
    }

    /// Returns the value as the given type. The value of an entity is its identifier.
    ///
    /// - Throws: ``IntentTestError`` when the value is missing or has another type.
    public func value<Value: _IntentValue>(as type: Value.Type = Value.self) throws -> Value {
        guard var value = wire else { throw IntentTestError("\(what) has no value") }
        // An entity can also be sent as an object. Its value is then the member `id`.
        if case .object(let members) = value, let id = members["id"], Value.self == String.self { value = id }
        return try WireValues.decode(value, files: files, as: type, what: what)
    }

    /// The object's member with this name.
    ///
    /// - Throws: ``IntentTestError`` when the value is not an object with such a member.
    public subscript(dynamicMember name: String) -> ResolvedValue {
        get throws {
            guard case .object(let members)? = wire, let member = members[name] else {
                throw IntentTestError("\(what) has no member '\(name)': the value is \(self)")
            }
            return ResolvedValue(value: member, files: files, what: "'\(name)' of \(what)")
        }
    }

    /// The object's member with this name, as the type that the context requires.
    ///
    /// - Throws: ``IntentTestError`` when the value is not an object with such a member, or the member has another
    ///   type.
    public subscript<Value: _IntentValue>(dynamicMember name: String) -> Value {
        get throws {
            let part: ResolvedValue = try self[dynamicMember: name]
            return try part.value()
        }
    }

    /// The elements of the value, which must be a list.
    ///
    /// - Throws: ``IntentTestError`` when the value is not a list.
    public var items: [ResolvedValue] {
        get throws {
            guard case .array(let values)? = wire else {
                throw IntentTestError("\(what) is not a list: the value is \(self)")
            }
            return values.enumerated().map { index, value in
                ResolvedValue(value: value, files: files, what: "element \(index) of \(what)")
            }
        }
    }

    /// Returns true if the received value equals one of the app's values, compared in encoded form.
    public static func == (left: ResolvedValue, right: some _IntentValue) -> Bool {
        // A value that cannot be encoded is not equal to any received value.
        left.wire == (try? right.encodedForSending(in: "/nonexistent"))?.0
    }

    /// The value as text.
    public var description: String { wire.map(WireValues.text(of:)) ?? "nothing" }

    /// An empty mirror. A failed expectation therefore shows only the text.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
