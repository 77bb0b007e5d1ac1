internal import IntentLauncherMessages

/// A skill of an app, by its name: the folder of a `SKILL.md` file in `Skills.skillsbundle`. Part of a beta of Apple's SDK
/// 27.3.
///
/// Source: Apple's SkillDefinition page.
public struct SkillDefinition: Hashable, Sendable {
    /// The app: on Linux, the path of its executable.
    public let bundleIdentifier: String
    /// The name of the skill.
    public let skillName: String
}

extension IntentDefinitions {
    /// The app's skills by name.
    ///
    /// Source: Apple's IntentDefinitions.skills page.
    public var skills: DefinitionCollection<SkillDefinition> {
        DefinitionCollection { [executable] in SkillDefinition(bundleIdentifier: executable, skillName: $0) }
    }

    /// The names of the app's skills.
    ///
    /// - Throws: ``IntentTestError`` when the daemon or the app cannot be started.
    public var skillNames: [String] {
        get async throws { try await catalog.skills?.map(\.name) ?? [] }
    }

    /// The app's transient entity types by name.
    ///
    /// Source: Apple's IntentDefinitions.transientEntities page.
    public var transientEntities: DefinitionCollection<TransientAppEntityDefinition> {
        DefinitionCollection { TransientAppEntityDefinition(identifier: $0) }
    }
}

/// A transient entity type in an app that runs in worker processes.
///
/// Source: Apple's TransientAppEntityDefinition page.
public struct TransientAppEntityDefinition: Sendable {
    /// The name of the type.
    public let identifier: String

    /// A callable that creates an entity. Its labelled arguments are the values of properties.
    public var makeEntity: IntentValuePropertiesCallable<AnyTransientAppEntity> {
        IntentValuePropertiesCallable { AnyTransientAppEntity(properties: $0) }
    }
}

/// A transient entity with the values of its properties, for use as a parameter's value.
///
/// Source: Apple's AnyTransientAppEntity page.
@dynamicMemberLookup
public struct AnyTransientAppEntity: Sendable {
    var properties: [String: any Sendable]

    /// The value of the property with this name; nil when the property has no value.
    public subscript(dynamicMember name: String) -> (any Sendable)? {
        get { properties[name] }
        set { properties[name] = newValue }
    }
}
