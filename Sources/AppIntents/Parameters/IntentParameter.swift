import IntentWire
import Synchronization

/// A value that an intent needs, given by whoever asks for it.
///
/// ```swift
/// @Parameter(title: "Level", default: 6) var level: Int
/// ```
/// Copies of an intent share their parameters, as on Apple's systems: the wrapper is a class.
///
/// Source: Apple's IntentParameter page.
@propertyWrapper
public final class IntentParameter<Value>: Sendable where Value: _IntentValue, Value: Sendable {
    let title: LocalizedStringResource?
    let summary: LocalizedStringResource?
    let defaultValue: Value?
    /// What a value given by a caller breaks, or nil when it is allowed.
    private let objection: (@Sendable (Value.UnwrappedType) -> String?)?
    private let state: Mutex<State>

    private struct State: Sendable {
        var value: Value?
        /// The property's name, once the intent was looked at.
        var name: String?
    }

    init(
        title: LocalizedStringResource?,
        summary: LocalizedStringResource?,
        default defaultValue: Value.UnwrappedType?,
        objection: (@Sendable (Value.UnwrappedType) -> String?)? = nil
    ) {
        self.title = title
        self.summary = summary
        self.defaultValue = defaultValue.map(Value._intentValueCoding.wrap)
        self.objection = objection
        state = Mutex(State(value: self.defaultValue ?? Value._intentValueCoding.absent))
    }

    // In the body of the class: only here does Swift find it for `@Parameter var x: T` without parentheses.
    /// A parameter whose title is made from the property's name.
    public convenience init() {
        self.init(title: nil, summary: nil, default: nil)
    }

    /// The value. Reading one that nobody set, of a type that is not optional, ends the process.
    public var wrappedValue: Value {
        get {
            let (value, name) = state.withLock { ($0.value, $0.name) }
            guard let value else {
                let subject = name.map { "'\($0)'" } ?? title.map { "'\($0.text)'" } ?? "of type \(Value.self)"
                preconditionFailure(
                    "the parameter \(subject) was read and has no value. Give it one, a default, or an optional type."
                )
            }
            return value
        }
        set { state.withLock { $0.value = newValue } }
    }

    /// The parameter itself: `$level`.
    public var projectedValue: IntentParameter<Value> { self }
}

extension IntentParameter: AnyIntentParameter {
    func setName(_ name: String) {
        state.withLock { $0.name = name }
    }

    func set(_ value: IntentWire.IntentValue, files: IncomingFiles) throws {
        let coding = Value._intentValueCoding
        let value = try coding.decode(value, files)
        if let unwrapped = coding.unwrap(value), let text = objection?(unwrapped) { throw ValueMismatch(text) }
        wrappedValue = value
    }

    var isSet: Bool { state.withLock { $0.value != nil } }

    func declaration(named name: String) -> ParameterDeclaration? {
        let coding = Value._intentValueCoding
        guard let type = coding.type else { return nil }
        var files = OutgoingFiles(directory: nil)
        return ParameterDeclaration(
            name: name,
            title: title?.text ?? name.asTitle,
            summary: summary?.text,
            type: type,
            isOptional: coding.isOptional,
            // A default that cannot be shown, such as a file, still is one; it then shows as nothing.
            defaultValue: defaultValue.map { (try? coding.encode($0, &files)) ?? .null }
        )
    }
}

/// Any parameter of an intent, as `Mirror` finds it.
protocol AnyIntentParameter: AnyObject, Sendable {
    func setName(_ name: String)
    /// - Throws: ``ValueMismatch`` when the value is not of the type, or not allowed.
    func set(_ value: IntentWire.IntentValue, files: IncomingFiles) throws
    var isSet: Bool { get }
    /// Nil for a type that has no values.
    func declaration(named name: String) -> ParameterDeclaration?
}

extension String {
    /// A property's name as words: `numberOfDays` is "Number of days".
    package var asTitle: String {
        let characters = Array(self)
        var words = ""
        for (index, character) in characters.enumerated() {
            let followsCapital = index > 0 && characters[index - 1].isUppercase
            let leadsCapital = index + 1 < characters.count && characters[index + 1].isUppercase
            if character.isUppercase, index > 0, !followsCapital { words += " " }
            // A run of capitals is an abbreviation and stays as it is.
            words += followsCapital || leadsCapital ? String(character) : character.lowercased()
        }
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
