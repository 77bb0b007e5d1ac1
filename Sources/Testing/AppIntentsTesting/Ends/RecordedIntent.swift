public import AppIntents
internal import IntentLauncherMessages

/// An intent and its values, as recorded by a run: a donation, an undo action, or the intent to perform next.
public struct RecordedIntent: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The intent's name.
    public let intent: String
    let values: [String: IntentLauncherMessages.IntentValue]
    private let donated: IntentLauncherMessages.IntentValue?

    init(_ reference: IntentReference) {
        intent = reference.intent
        values = reference.values
        donated = reference.result
    }

    /// Returns the value of the result that was donated with the intent; nil when no result was donated.
    ///
    /// - Throws: An error when the value has another type.
    public func result<Value: _IntentValue>(as type: Value.Type = Value.self) throws -> Value? {
        guard let donated else { return nil }
        return try WireValues.decode(donated, as: type, what: "the donated result of '\(intent)'")
    }

    /// Returns the value of a parameter; nil when the parameter has no value.
    ///
    /// - Throws: An error when the value has another type.
    public func value<Value: _IntentValue>(of parameter: String, as type: Value.Type = Value.self) throws -> Value? {
        guard let value = values[parameter] else { return nil }
        return try WireValues.decode(value, as: type, what: "the parameter '\(parameter)' of '\(intent)'")
    }

    /// The intent and its values, such as `DeleteInvoice(number: "7")`.
    public var description: String {
        let list = values.sorted { $0.key < $1.key }.map { "\($0.key): \(WireValues.text(of: $0.value))" }
        return "\(intent)(\(list.joined(separator: ", ")))"
    }

    /// An empty mirror. A failed expectation therefore shows only the text.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
