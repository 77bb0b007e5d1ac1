import IntentSharedTypes

/// A search for dependencies that an app declares but does not register.
enum DependencyInspection {
    /// Returns a warning for each unregistered dependency of an intent or a query, with the next step.
    ///
    /// - Precondition: The app has been created, and has registered its dependencies.
    static func warnings(intents: [any AppIntent.Type]) -> [String] {
        let ofIntents = intents.flatMap { type in unregistered(in: type.init()).map { warning("intent", type, $0) } }
        let ofQueries = queries().flatMap { query in
            unregistered(in: query).map { warning("query", type(of: query), $0) }
        }
        return ofIntents + Set(ofQueries).sorted()
    }

    /// Returns the default queries of the app's entities.
    private static func queries() -> [any Sendable] {
        ConformingTypes.of((any AppEntity).self).compactMap { type in
            guard !_typeName(type, qualified: true).hasPrefix(utf8: "AppIntents.") else { return nil }
            return (type as? any AppEntity.Type).map { defaultQuery(of: $0) }
        }
    }

    private static func defaultQuery<Entity: AppEntity>(of type: Entity.Type) -> any Sendable { type.defaultQuery }

    private static func unregistered(in declaration: Any) -> [String] {
        var mirror: Mirror? = Mirror(reflecting: declaration)
        var names: [String] = []
        while let current = mirror {
            names += current.children.compactMap { ($0.value as? any AnyAppDependency)?.unregisteredType }
            mirror = current.superclassMirror
        }
        return names
    }

    private static func warning(_ kind: String, _ type: any Any.Type, _ dependency: String) -> String {
        """
        the \(kind) '\(type)' depends on a value of type '\(dependency)', which the app does not register, so its runs fail. \
        Register it in the app's init() with AppDependencyManager.shared.add(dependency: …)
        """
    }
}
