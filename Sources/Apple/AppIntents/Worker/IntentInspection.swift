import IntentSharedTypes

/// Derives an intent's declaration from its type and its stored properties.
enum IntentInspection {
    /// Returns the parameters of an intent, in declaration order, and sets the name of each parameter.
    ///
    /// - Throws: ``CatalogError`` when the app was compiled without the reflection metadata that `Mirror` needs.
    static func parameters(
        of intent: some AppIntent
    ) throws(CatalogError) -> [(name: String, parameter: any AnyIntentParameter)] {
        try parts(of: intent).parameters
    }

    /// Returns the parameters and dependencies of an intent, and sets the name of each parameter.
    static func parts(
        of intent: some AppIntent
    ) throws(CatalogError) -> (
        parameters: [(name: String, parameter: any AnyIntentParameter)], dependencies: [any AnyAppDependency]
    ) {
        let children = storedProperties(of: intent)
        if children.isEmpty, Mirror(reflecting: intent).displayStyle == .struct, !hasNoStorage(intent) {
            throw .reflectionOff(intent: String(describing: type(of: intent)), flag: "-disable-reflection-metadata")
        }
        var found: [(name: String, parameter: any AnyIntentParameter)] = []
        var dependencies: [any AnyAppDependency] = []
        for child in children {
            guard let parameter = child.value as? any AnyIntentParameter else {
                if let dependency = child.value as? any AnyAppDependency { dependencies.append(dependency) }
                continue
            }
            guard let label = child.label, label.hasPrefix(utf8: "_") else {
                throw .reflectionOff(intent: String(describing: type(of: intent)), flag: "-disable-reflection-names")
            }
            let name = String(label.dropFirst(scalars: 1))
            parameter.setName(name)
            found.append((name, parameter))
        }
        return (found, dependencies)
    }

    /// Returns the name of the parameter to which a key path refers. Compares the identity of the parameter objects.
    static func name<Intent: AppIntent, Value>(of parameter: KeyPath<Intent, IntentParameter<Value>>) -> String {
        let intent = Intent()
        let wanted = intent[keyPath: parameter]
        // An app without reflection metadata fails earlier, when its catalogue is created.
        return (try? parameters(of: intent))?.first { $0.parameter === wanted }?.name ?? "?"
    }

    /// Loads the metadata that is needed to inspect the type.
    static func warmUp<Intent: AppIntent>(_: Intent.Type) {
        let intent = Intent()
        // Ignore an error, because intentd does not start a fork server for an app with intents that cannot
        // be inspected.
        _ = try? parts(of: intent)
        _ = Intent.PerformResult.resultContainer
    }

    /// Returns the stored properties, starting with the properties of superclasses.
    private static func storedProperties(of intent: some AppIntent) -> [Mirror.Child] {
        var mirrors = [Mirror(reflecting: intent)]
        while let parent = mirrors.last?.superclassMirror { mirrors.append(parent) }
        return mirrors.reversed().flatMap(\.children)
    }

    private static func hasNoStorage<Intent: AppIntent>(_: Intent) -> Bool { MemoryLayout<Intent>.size == 0 }

    static func declaration<Intent: AppIntent>(of type: Intent.Type) throws(CatalogError) -> IntentDeclaration {
        let parameters = try parameters(of: Intent())
        let secrets = type.secretParameters
        for name in secrets.sorted() where !parameters.contains(where: { $0.name == name }) {
            throw .unknownSecret(intent: type.persistentIdentifier, parameter: name)
        }
        return IntentDeclaration(
            name: type.persistentIdentifier,
            title: type.title.text,
            summary: type.description._intentDescription?.descriptionText.text,
            parameters: parameters.compactMap { name, parameter in
                guard var declaration = parameter.declaration(named: name), secrets.contains(name) else {
                    return parameter.declaration(named: name)
                }
                declaration.isSecret = true
                // Every user can read the catalogue. It therefore shows that a secret parameter has a default, but not
                // the value.
                if declaration.defaultValue != nil { declaration.defaultValue = .null }
                return declaration
            },
            sentence: type.parameterSummary._content.sentence,
            result: Intent.PerformResult.Value._intentValueCoding.type,
            traits: MarkerProtocols.ofProgram.traits(of: type),
            isDiscoverable: type.isDiscoverable,
            details: details(of: type)
        )
    }

    /// Returns a warning for each property query with properties that no caller can use, because their names are
    /// unknown.
    static func queryWarnings<Intent: AppIntent>(of type: Intent.Type) throws(CatalogError) -> [String] {
        try parameters(of: Intent()).compactMap { _, parameter in
            guard let query = parameter.propertyQuery, Swift.type(of: query)._hasUnnamedProperties else { return nil }
            return """
                cannot search all properties of '\(Swift.type(of: query))': a key path leads through another entity, or \
                the entity contains an enumeration with a payload in each case, or a type from C++. Move that field into a \
                class, or add a case without a payload to the enumeration
                """
        }
    }

    /// Returns a warning for each parameter that has no valid value or that no client can set.
    static func parameterWarnings<Intent: AppIntent>(of type: Intent.Type) throws(CatalogError) -> [String] {
        try parameters(of: Intent()).compactMap { name, parameter in
            guard let declaration = parameter.declaration(named: name) else {
                return """
                    no client can set the parameter '\(name)' of '\(type)', because values of its type cannot be sent. \
                    Use a type that parameters can have, or a stored property without @Parameter
                    """
            }
            guard let reason = declaration.emptiness else { return nil }
            let outcome =
                declaration.isRequired ? "so the intent cannot be performed" : "so it always keeps its default"
            return
                "no value is valid for the parameter '\(name)' of '\(type)': \(reason), \(outcome). Correct its declaration"
        }
    }

    /// Returns a warning if an intent declares no title; otherwise nil.
    static func titleWarning<Intent: AppIntent>(of type: Intent.Type) -> String? {
        guard type.title.isNameOfType else { return nil }
        return """
            the intent '\(type)' has no title, so its type's name '\(type.title.text)' is used. \
            Add 'static let title: LocalizedStringResource = "…"'
            """
    }

    /// Returns a warning if an enumeration has cases without a display representation; otherwise nil.
    static func caseWarning<Enumeration: AppEnum>(of type: Enumeration.Type) -> String? {
        let represented = type.caseDisplayRepresentations
        let missing = type.allCases.filter { represented[$0] == nil }
        guard !missing.isEmpty else { return nil }
        let names = missing.prefix(8).map { "'\($0)'" }.joined(separator: ", ") + (missing.count > 8 ? ", …" : "")
        return """
            the enumeration '\(type)' has no display representation for \(names), so clients show the raw value. \
            Complete its caseDisplayRepresentations
            """
    }

    /// Returns the details of an intent, which only the catalogue needs; nil if the intent has no details.
    private static func details<Intent: AppIntent>(of type: Intent.Type) -> IntentDetails? {
        var details = IntentDetails()
        if let description = type.description._intentDescription {
            details.category = description.categoryName?.text
            details.keywords = description.searchKeywords.isEmpty ? nil : description.searchKeywords.map(\.text)
            details.resultTitle = description.resultValueName?.text
        }
        let sentences = type.parameterSummary._content.sentences()
        if sentences.contains(where: { !$0.conditions.isEmpty || !$0.others.isEmpty }) { details.sentences = sentences }
        let protocols = MarkerProtocols.ofProgram.names(of: type)
        if !protocols.isEmpty { details.protocols = protocols }
        if let deprecated = type as? any DeprecatedAppIntent.Type {
            let (message, replacement) = deprecated._deprecation
            details.deprecation = IntentDetails.Deprecation(message: message, replacement: replacement)
        }
        details.authentication = type.authenticationPolicy.word
        if type.effect != .changes { details.effect = IntentDetails.Effect(rawValue: type.effect.rawValue) }
        if type.isIdempotent { details.isIdempotent = true }
        return details.isEmpty ? nil : details
    }
}

extension ParameterDeclaration {
    /// The reason why every value is invalid; nil if a value can be valid.
    fileprivate var emptiness: String? {
        if case .enumeration(let cases) = type.element, cases.isEmpty, (size?.minimum ?? 1) > 0 {
            return "its enumeration has no cases"
        }
        if let range, let lower = range.lowerBound, let upper = range.upperBound, lower > upper {
            return "the range from \(lower) to \(upper) is empty"
        }
        if let size, let minimum = size.minimum, let maximum = size.maximum, minimum > maximum {
            return "a list cannot have at least \(minimum) and at most \(maximum) elements"
        }
        return nil
    }
}
