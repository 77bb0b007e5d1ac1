public import AppIntents
internal import IntentClient
internal import IntentLinux
internal import IntentWire

/// How a run in a worker process ended.
///
/// The value has the type that the test expects: `let price: Decimal = try result.value`, and an object's properties are
/// members: `let name: String = try result.value.customerName`.
///
/// Source: Apple's ResolvedIntentResult page.
public struct ResolvedIntentResult: Sendable, CustomStringConvertible, CustomReflectable {
    /// The end of the run, without its value.
    public let end: IntentEnd<Never>
    /// What the run printed on standard output and standard error, at most one mebibyte.
    public let output: String
    private let resolved: ResolvedValue

    init(_ result: RunResult, progress: ProgressReport?, output: String) {
        let account = result.end.account
        let facts = RunFacts(
            progress: progress,
            duration: account.runtime,
            isKilled: !account.signals.isEmpty,
            expiredClock: nil,
            details: account.details,
            error: nil
        )
        var outcome = result.outcome
        if case .done(_, let dialog) = outcome { outcome = .done(value: nil, dialog: dialog) }
        end = IntentEnd(outcome, facts: facts, value: nil)
        resolved = ResolvedValue(value: result.value, files: result.files.map(\.shared), what: "the result")
        self.output = output
    }

    /// The dialog of the result; nil when it has none.
    public var dialog: String? { end.dialog }

    /// The value that `perform()` returned, of the type that the caller expects.
    ///
    /// - Throws: ``IntentTestError`` when the run returned no value or a value of another type.
    public func value<Value: _IntentValue>(as type: Value.Type = Value.self) throws -> Value {
        try resolved.value(as: type)
    }

    /// The value that `perform()` returned.
    public var value: ResolvedValue { resolved }

    /// The end of the run as text.
    public var description: String { "\(end)" }

    /// Empty, so that a failed expectation shows the text alone.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A value that a run in a worker process returned, or a part of it.
@dynamicMemberLookup
public struct ResolvedValue: Sendable, CustomStringConvertible, CustomReflectable {
    let wire: IntentWire.IntentValue?
    private let files: [SharedFileDescriptor]
    private let what: String

    init(value: IntentWire.IntentValue?, files: [SharedFileDescriptor], what: String) {
        wire = value
        self.files = files
        self.what = what
    }

    /// The value, of the type that the caller expects. For an entity, the type of its identifier.
    ///
    /// - Throws: ``IntentTestError`` when there is no value, or it has another type.
    public func value<Value: _IntentValue>(as type: Value.Type = Value.self) throws -> Value {
        guard var value = wire else { throw IntentTestError("\(what) has no value") }
        // A value that is a string in messages, such as the identifier of an entity, is also inside an object.
        if case .object(let members) = value, let id = members["id"], Value.self == String.self { value = id }
        return try WireValues.decode(value, files: files, as: type, what: what)
    }

    /// A part of the value, by its name.
    ///
    /// - Throws: ``IntentTestError`` when the value has no part of this name.
    public subscript(dynamicMember name: String) -> ResolvedValue {
        get throws {
            guard case .object(let members)? = wire, let member = members[name] else {
                throw IntentTestError("\(what) has no part '\(name)': it is \(self)")
            }
            return ResolvedValue(value: member, files: files, what: "'\(name)' of \(what)")
        }
    }

    /// A part of the value, of the type that the caller expects.
    ///
    /// - Throws: ``IntentTestError`` when the value has no part of this name, or it has another type.
    public subscript<Value: _IntentValue>(dynamicMember name: String) -> Value {
        get throws {
            let part: ResolvedValue = try self[dynamicMember: name]
            return try part.value()
        }
    }

    /// The elements of a list.
    ///
    /// - Throws: ``IntentTestError`` when the value is no list.
    public var items: [ResolvedValue] {
        get throws {
            guard case .array(let values)? = wire else { throw IntentTestError("\(what) is no list: it is \(self)") }
            return values.enumerated().map { index, value in
                ResolvedValue(value: value, files: files, what: "element \(index) of \(what)")
            }
        }
    }

    /// Whether the value is this one, as it is sent.
    public static func == (left: ResolvedValue, right: some _IntentValue) -> Bool {
        // A value that cannot be sent equals none that was received.
        left.wire == (try? right.encodedForSending(in: "/nonexistent"))?.0
    }

    /// The value as text.
    public var description: String { wire.map(WireValues.text(of:)) ?? "nothing" }

    /// Empty, so that a failed expectation shows the text alone.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
