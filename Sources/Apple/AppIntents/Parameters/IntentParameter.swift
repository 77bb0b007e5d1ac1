import IntentSharedTypes
import Synchronization

/// A property wrapper for an intent's parameter. The caller provides the value.
///
/// ```swift
/// @Parameter(title: "Level", default: 6) var level: Int
/// ```
/// Copies of an intent share their parameters, as on Apple's systems, because the property wrapper is a class.
///
/// Source: Apple's IntentParameter page.
@propertyWrapper
public final class IntentParameter<Value>: Sendable where Value: _IntentValue, Value: Sendable {
    let traits: ParameterTraits
    let defaultValue: Value?
    private let state: Mutex<State>

    private struct State: Sendable {
        var value: Value?
        /// True if the caller or the app has set the value, even to nil.
        var isGiven = false
        /// The name of the Swift property; nil until the intent has been inspected.
        var name: String?
    }

    init(_ traits: ParameterTraits, default defaultValue: Value.UnwrappedType?) {
        let coding = Value._intentValueCoding
        self.traits = traits
        self.defaultValue = defaultValue.map(coding.wrap)
        state = Mutex(State(value: self.defaultValue ?? coding.absent))
    }

    // This initializer is declared in the class itself, because Swift ignores initializers in extensions for
    // `@Parameter var x: T` without parentheses.
    /// Creates a parameter. Its title is derived from the property's name.
    public convenience init() {
        self.init(ParameterTraits(), default: nil)
    }

    /// The parameter's value.
    ///
    /// - Precondition: The parameter has a value, or its type is optional.
    public var wrappedValue: Value {
        get {
            guard let value = state.withLock({ $0.value }) else {
                preconditionFailure(
                    "cannot read the parameter \(subject): it has no value. Set it, or give it a default or an optional type."
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

    /// Whether a parameter is set.
    public enum ValueState: Hashable, Sendable {
        /// The parameter has a default, or the caller or the app has set it. An optional parameter can be set to nil.
        case set
        /// The parameter has no default, and neither the caller nor the app has set it.
        case unset
    }

    /// Whether this parameter is set.
    ///
    /// Source: Apple's IntentParameter.valueState page, which does not list the cases.
    public var valueState: ValueState {
        defaultValue != nil || state.withLock { $0.isGiven } ? .set : .unset
    }

    /// The property wrapper itself: `$level`.
    public var projectedValue: IntentParameter<Value> { self }

    /// The display name: the declared title, or a title derived from the property's name.
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

    func set(_ value: IntentValue, files: IncomingFiles) async throws {
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
            guard try await convertWithResolvers(value, files: files) else { throw InvalidValue(mismatch) }
        }
    }

    /// Converts a value of another type with the app's resolvers. Returns false if no resolver accepts the value.
    private func convertWithResolvers(_ value: IntentValue, files: IncomingFiles) async throws -> Bool {
        guard let resolvers = traits.resolvers?.make() else { return false }
        // Offer both contexts, because a resolver of an optional parameter may convert to the wrapped type.
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
        // A value that cannot be encoded, such as a file, counts as given: nil can always be encoded.
        return (try? coding.encode(value, &files)) != .null
    }

    var anyValue: Any? { state.withLock { $0.value } }

    func wireValue(files: inout OutgoingFiles) throws -> IntentValue? {
        guard let value = state.withLock({ $0.value }) else { return nil }
        return try Value._intentValueCoding.encode(value, &files)
    }

    var valueOptions: (any _ValueOptions.Type)? { Value.ValueType.self as? any _ValueOptions.Type }

    func declaration(named name: String) -> ParameterDeclaration? {
        let coding = Value._intentValueCoding
        guard let valueType = traits.type ?? coding.type else { return nil }
        var declaration = ParameterDeclaration(
            name: name,
            title: traits.title?.text ?? name.asTitle,
            summary: traits.summary?.text,
            type: valueType,
            isOptional: coding.isOptional,
            defaultValue: initialValue,
            range: traits.range,
            question: traits.question?.full.text,
            size: traits.size.map { ElementCount(minimum: $0.minimum, maximum: $0.maximum) },
            // No query finds a transient entity.
            hasOptions: (traits.options != nil || valueOptions.map { !($0 is any TransientAppEntity.Type) } == true)
                .trueOrNil,
            search: propertyQuery.flatMap { type(of: $0)._searchDeclaration }
        )
        declaration.dateKind = traits.dateKind
        declaration.boolNames = traits.boolNames
        return declaration
    }

    /// The parameter's value in a new intent: the default, or the value that the intent's `init()` assigns.
    private var initialValue: IntentValue? {
        guard let value = state.withLock({ $0.value }) else { return nil }
        let coding = Value._intentValueCoding
        var files = OutgoingFiles(directory: nil)
        // A value that cannot be encoded, such as a file, is represented by null.
        guard let shown = try? coding.encode(value, &files) else { return .null }
        return coding.isOptional && shown == .null ? nil : shown
    }
}

/// A type-erased parameter. Values found with `Mirror` are cast to this protocol.
protocol AnyIntentParameter: AnyObject, Sendable {
    var name: String? { get }
    var traits: ParameterTraits { get }
    func setName(_ name: String)
    /// Sets the value that the caller provided.
    ///
    /// - Throws: ``InvalidValue`` when the value has the wrong type or is not permitted; the error that the app's query
    ///   throws.
    func set(_ value: IntentValue, files: IncomingFiles) async throws
    /// Sets the default that a provider returned. A parameter for one value receives the first value of a list, and a
    /// list parameter receives a list that contains the single value. A value of another type is ignored.
    func choose(_ result: any _IntentValue)
    var isSet: Bool { get }
    /// True if the parameter has a value other than nil.
    var hasGivenValue: Bool { get }
    /// The value; nil if no value has been set.
    var anyValue: Any? { get }
    /// Returns the encoded value; nil if no value has been set.
    func wireValue(files: inout OutgoingFiles) throws -> IntentValue?
    /// The value type, if it can list its values; otherwise nil.
    var valueOptions: (any _ValueOptions.Type)? { get }
    /// Returns the parameter's declaration; nil if values of its type cannot be sent.
    func declaration(named name: String) -> ParameterDeclaration?
}
