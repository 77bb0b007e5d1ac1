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
    let traits: ParameterTraits
    let defaultValue: Value?
    private let state: Mutex<State>

    private struct State: Sendable {
        var value: Value?
        /// Somebody gave it, be it nil.
        var isGiven = false
        /// The property's name, once the intent was looked at.
        var name: String?
    }

    init(_ traits: ParameterTraits, default defaultValue: Value.UnwrappedType?) {
        let coding = Value._intentValueCoding
        self.traits = traits
        self.defaultValue = defaultValue.map(coding.wrap)
        state = Mutex(State(value: self.defaultValue ?? coding.absent))
    }

    // In the body of the class: only here does Swift find it for `@Parameter var x: T` without parentheses.
    /// A parameter whose title is made from the property's name.
    public convenience init() {
        self.init(ParameterTraits(), default: nil)
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
        set {
            state.withLock {
                $0.value = newValue
                $0.isGiven = true
            }
        }
    }

    /// Whether a parameter has a value that somebody gave it.
    public enum ValueState: Hashable, Sendable {
        /// By its default, by who asks, or by the app; nil counts, for an optional.
        case set
        case unset
    }

    /// Whether it was given a value.
    ///
    /// Source: Apple's IntentParameter.valueState page; the names of the cases are on none.
    public var valueState: ValueState {
        defaultValue != nil || state.withLock { $0.isGiven } ? .set : .unset
    }

    /// The parameter itself: `$level`.
    public var projectedValue: IntentParameter<Value> { self }

    /// What the parameter is called.
    public var title: LocalizedStringResource {
        traits.title ?? LocalizedStringResource(stringLiteral: name?.asTitle ?? "")
    }

    private var subject: String {
        name.map { "'\($0)'" } ?? traits.title.map { "'\($0.text)'" } ?? "of type \(Value.self)"
    }
}

extension IntentParameter: AnyIntentParameter {
    var name: String? { state.withLock { $0.name } }

    func setName(_ name: String) {
        state.withLock { $0.name = name }
    }

    func set(_ value: IntentWire.IntentValue, files: IncomingFiles) async throws {
        let coding = Value._intentValueCoding
        guard let type = traits.type ?? coding.type, value != .null || !coding.isOptional else {
            wrappedValue = try coding.decode(value, files)
            return
        }
        do {
            let accepted = try type.accept(value, in: traits.range)
            try traits.check(accepted, files)
            let fitting = traits.completed(accepted)
            wrappedValue =
                if let resolve = coding.resolve { try await resolve(fitting, files) } else {
                    try coding.decode(fitting, files)
                }
        } catch let mismatch as ValueMismatch {
            guard try await resolveOtherwise(value, files: files) else { throw UnfitValue(mismatch) }
        }
    }

    /// Tries the app's resolvers on a value of another kind.
    private func resolveOtherwise(_ value: IntentWire.IntentValue, files: IncomingFiles) async throws -> Bool {
        guard let resolvers = traits.resolvers?.make() else { return false }
        // Of an optional parameter a resolver makes the value, or nothing.
        let contexts: [any Sendable] = [
            IntentParameterContext<Value>(self), IntentParameterContext<Value.UnwrappedType>(self),
        ]
        for resolver in resolvers {
            let resolved: any Sendable = try await resolver._resolve(value, files: files, contexts: contexts)
            if let unwrapped = resolved as? Value.UnwrappedType {
                wrappedValue = Value._intentValueCoding.wrap(unwrapped)
                return true
            }
        }
        return false
    }

    func choose(_ result: any _IntentValue) {
        let first = (result as? [Any])?.first ?? result
        let list = (result as? Value.ValueType).map { [$0] }
        guard
            let chosen = result as? Value.UnwrappedType ?? first as? Value.UnwrappedType
                ?? list as? Value.UnwrappedType
        else { return }
        wrappedValue = Value._intentValueCoding.wrap(chosen)
    }

    var isSet: Bool { state.withLock { $0.value != nil } }

    var hasGivenValue: Bool {
        let coding = Value._intentValueCoding
        guard coding.isOptional else { return isSet }
        guard let value = state.withLock({ $0.value }) else { return false }
        var files = OutgoingFiles(directory: nil)
        // A value that cannot be written down, such as a file, still is one.
        return (try? coding.encode(value, &files)) != .null
    }

    func wireValue(files: inout OutgoingFiles) throws -> IntentWire.IntentValue? {
        guard let value = state.withLock({ $0.value }) else { return nil }
        return try Value._intentValueCoding.encode(value, &files)
    }

    var valueOptions: (any _ValueOptions.Type)? { Value.ValueType.self as? any _ValueOptions.Type }

    func declaration(named name: String) -> ParameterDeclaration? {
        let coding = Value._intentValueCoding
        guard let valueType = traits.type ?? coding.type else { return nil }
        return ParameterDeclaration(
            name: name,
            title: traits.title?.text ?? name.asTitle,
            summary: traits.summary?.text,
            type: valueType,
            isOptional: coding.isOptional,
            defaultValue: initialValue,
            range: traits.range,
            question: traits.question?.full.text,
            size: traits.size.map { ElementCount(minimum: $0.minimum, maximum: $0.maximum) },
            hasOptions: traits.options != nil || valueOptions != nil ? true : nil,
            search: propertyQuery.flatMap { type(of: $0)._searchDeclaration }
        )
    }

    /// What the parameter of a new intent has: its default, or what the intent's `init()` gave it instead.
    private var initialValue: IntentWire.IntentValue? {
        guard let value = state.withLock({ $0.value }) else { return nil }
        let coding = Value._intentValueCoding
        var files = OutgoingFiles(directory: nil)
        // A value that cannot be shown, such as a file, still is one; it then shows as nothing.
        guard let shown = try? coding.encode(value, &files) else { return .null }
        return coding.isOptional && shown == .null ? nil : shown
    }
}

/// Any parameter of an intent, as `Mirror` finds it.
protocol AnyIntentParameter: AnyObject, Sendable {
    var name: String? { get }
    var traits: ParameterTraits { get }
    func setName(_ name: String)
    /// - Throws: ``UnfitValue`` when the value is not of the type, or not allowed; what a query of the app throws.
    func set(_ value: IntentWire.IntentValue, files: IncomingFiles) async throws
    /// Takes what a provider gives as a default: of a list the first where one is wanted, of one a list where a list is. What
    /// is of neither type is not taken.
    func choose(_ result: any _IntentValue)
    var isSet: Bool { get }
    /// False for an optional that is nil, too.
    var hasGivenValue: Bool { get }
    /// Nil when nothing is set.
    func wireValue(files: inout OutgoingFiles) throws -> IntentWire.IntentValue?
    /// The type itself when it can list its values: an entity.
    var valueOptions: (any _ValueOptions.Type)? { get }
    /// Nil for a type that has no values.
    func declaration(named name: String) -> ParameterDeclaration?
}
