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
    /// What a person is asked when the value is missing.
    let question: IntentDialog?
    private let range: NumberRange?
    /// The type in the catalogue; nil for one without values.
    private let type: IntentWire.ValueType?
    private let state: Mutex<State>

    private struct State: Sendable {
        var value: Value?
        /// The property's name, once the intent was looked at.
        var name: String?
    }

    /// - Parameters:
    ///   - range: Bounds of the number, or of each number of a list.
    ///   - type: The catalogue's type where it is narrower than that of the values.
    init(
        title: LocalizedStringResource?,
        summary: LocalizedStringResource?,
        default defaultValue: Value.UnwrappedType?,
        question: IntentDialog?,
        range: NumberRange? = nil,
        type: IntentWire.ValueType? = nil
    ) {
        let coding = Value._intentValueCoding
        self.title = title
        self.summary = summary
        self.defaultValue = defaultValue.map(coding.wrap)
        self.question = question
        self.range = range
        self.type = type ?? coding.type
        state = Mutex(State(value: self.defaultValue ?? coding.absent))
    }

    // In the body of the class: only here does Swift find it for `@Parameter var x: T` without parentheses.
    /// A parameter whose title is made from the property's name.
    public convenience init() {
        self.init(title: nil, summary: nil, default: nil, question: nil)
    }

    /// The value. Reading one that nobody set, of a type that is not optional, ends the process.
    public var wrappedValue: Value {
        get {
            guard let value = state.withLock({ $0.value }) else {
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

    private var subject: String {
        name.map { "'\($0)'" } ?? title.map { "'\($0.text)'" } ?? "of type \(Value.self)"
    }
}

extension IntentParameter: AnyIntentParameter {
    var name: String? { state.withLock { $0.name } }

    func setName(_ name: String) {
        state.withLock { $0.name = name }
    }

    func set(_ value: IntentWire.IntentValue, files: IncomingFiles) throws {
        let coding = Value._intentValueCoding
        guard let type, value != .null || !coding.isOptional else {
            wrappedValue = try coding.decode(value, files)
            return
        }
        do {
            wrappedValue = try coding.decode(try type.accept(value, in: range), files)
        } catch let mismatch as ValueMismatch {
            throw UnfitValue(mismatch)
        }
    }

    var isSet: Bool { state.withLock { $0.value != nil } }

    func declaration(named name: String) -> ParameterDeclaration? {
        guard let type else { return nil }
        let coding = Value._intentValueCoding
        var files = OutgoingFiles(directory: nil)
        return ParameterDeclaration(
            name: name,
            title: title?.text ?? name.asTitle,
            summary: summary?.text,
            type: type,
            isOptional: coding.isOptional,
            // A default that cannot be shown, such as a file, still is one; it then shows as nothing.
            defaultValue: defaultValue.map { (try? coding.encode($0, &files)) ?? .null },
            range: range,
            question: question?.full.text
        )
    }
}

/// Any parameter of an intent, as `Mirror` finds it.
protocol AnyIntentParameter: AnyObject, Sendable {
    var name: String? { get }
    func setName(_ name: String)
    /// - Throws: ``UnfitValue`` when the value is not of the type, or not allowed.
    func set(_ value: IntentWire.IntentValue, files: IncomingFiles) throws
    var isSet: Bool { get }
    /// Nil for a type that has no values.
    func declaration(named name: String) -> ParameterDeclaration?
}
