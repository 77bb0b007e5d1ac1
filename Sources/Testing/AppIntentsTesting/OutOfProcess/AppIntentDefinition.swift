internal import IntentLauncherMessages

/// An intent in an app that runs in worker processes.
///
/// Source: Apple's AppIntentDefinition page.
public struct AppIntentDefinition: Sendable {
    /// The intent's name.
    public let identifier: String
    let host: TestDaemon

    /// A callable that creates an intent. Its labelled arguments are the values of parameters:
    /// `makeIntent(size: "large")`.
    public var makeIntent: IntentValuePropertiesCallable<AnyAppIntent> {
        IntentValuePropertiesCallable { [identifier, host] in
            AnyAppIntent(identifier: identifier, values: $0, host: host)
        }
    }
}

/// A callable with labelled arguments. Each label is the name of a parameter.
///
/// Source: Apple's IntentValuePropertiesCallable page.
@dynamicCallable
public struct IntentValuePropertiesCallable<Made>: Sendable {
    private let make: @Sendable ([String: any Sendable]) -> Made

    init(_ make: @escaping @Sendable ([String: any Sendable]) -> Made) {
        self.make = make
    }

    /// Returns what the callable creates from labelled arguments. If a label is repeated, its last argument is used.
    public func dynamicallyCall(withKeywordArguments arguments: KeyValuePairs<String, any Sendable>) -> Made {
        make(Dictionary(arguments.map { ($0.key, $0.value) }) { _, last in last })
    }
}

/// An entity type in an app that runs in worker processes.
///
/// Source: Apple's AppEntityDefinition page.
public struct AppEntityDefinition: Sendable {
    /// The name of the type.
    public let identifier: String

    /// Returns a reference to the entity with this identifier, for use as a parameter's value. Only a run checks that
    /// the entity exists.
    public func makeReference(identifier: String) -> AnyAppEntity { AnyAppEntity(identifier: identifier) }
}

/// A reference, by identifier, to an entity in an app.
///
/// Source: Apple's AnyAppEntity page.
public struct AnyAppEntity: Hashable, Sendable {
    /// The entity's identifier.
    public let identifier: String
    /// The entity as an app has sent it; nil for a reference that a test has made.
    var recorded: IntentLauncherMessages.IntentValue?
}

/// An enumeration in an app that runs in worker processes.
///
/// Source: Apple's AppEnumDefinition page.
public struct AppEnumDefinition: Sendable {
    /// The name of the type.
    public let identifier: String

    /// Returns a reference to the case with this raw value, for use as a parameter's value. Whether the case exists
    /// is not checked before the run.
    public func makeCase(_ rawValue: String) -> AnyAppEnum { AnyAppEnum(rawValue: rawValue) }
}

/// A reference, by raw value, to a case of an app's enumeration.
///
/// Source: Apple's AnyAppEnum page.
public struct AnyAppEnum: Hashable, Sendable {
    /// The raw value of the case.
    public let rawValue: String
}
