package import IntentLauncherMessages

/// The checks that a caller's values fit an intent's parameters, before any process starts.
package enum ParameterCheck {
    /// The maximum length of a file name, in bytes (NAME_MAX).
    private static let fileNameLimit = 255

    /// Returns the values as the worker receives them. For example, an integer becomes a floating-point number if the
    /// parameter has the type `double`.
    ///
    /// - Throws: An ``ErrorReport`` that names the parameter and the values that it accepts.
    package static func accept(
        _ given: RunValues,
        fileCount: Int,
        for intent: IntentDeclaration,
        of app: AppName,
        asking query: OptionsQuery? = nil
    ) throws(ErrorReport) -> RunValues {
        let values = given.byName
        let qualifiedName = "\(app)/\(intent.name)"
        let names = intent.parameters.map(\.name)
        let wanted = values.keys.sorted() + (query.map { [$0.parameter] } ?? [])
        if let unknown = wanted.first(where: { !names.contains($0) }) {
            throw ErrorReport(
                .unknownParameter,
                "\(qualifiedName) has no parameter '\(WireCoding.excerpt(unknown))'",
                hint: NearestName.hint(for: unknown, among: names)
                    ?? (names.isEmpty ? "it has no parameters" : "its parameters are \(names.joined(separator: ", "))")
            )
        }
        if let query, let asked = intent.parameters.first(where: { $0.name == query.parameter }) {
            try check(query, about: asked, in: intent, of: qualifiedName)
        }
        var accepted: [String: IntentValue] = [:]
        for parameter in intent.parameters {
            let value = values[parameter.name] ?? .null
            if value == .null {
                // A query for options does not perform the intent, so it needs no required values.
                if parameter.isRequired, query == nil { throw missing(parameter, of: qualifiedName) }
                // Pass no value for an explicit null, so that the worker uses the default.
                continue
            }
            accepted[parameter.name] = try fit(value, to: parameter, fileCount: fileCount, of: qualifiedName)
        }
        return accepted == values ? given : RunValues(encoding: accepted)
    }

    /// Checks that every answer given in advance is valid for a parameter of the intent.
    ///
    /// - Throws: An ``ErrorReport`` that names the parameter and the values that it accepts.
    package static func check(
        _ answers: AnswersInAdvance?,
        for intent: IntentDeclaration,
        of app: AppName
    ) throws(ErrorReport) {
        guard let values = answers?.values else { return }
        let qualifiedName = "\(app)/\(intent.name)"
        for (name, value) in values.sorted(by: { $0.key < $1.key }) where name != AnswersInAdvance.choiceName {
            guard let parameter = intent.parameters.first(where: { $0.name == name }) else {
                let names = intent.parameters.map(\.name)
                throw ErrorReport(
                    .unknownParameter,
                    "\(qualifiedName) has no parameter '\(WireCoding.excerpt(name))' to answer in advance",
                    hint: NearestName.hint(for: name, among: names)
                )
            }
            // Also accept one element of a list, because the intent may ask for its elements one at a time.
            if case .array(let element) = parameter.type, (try? element.accept(value, in: parameter.range)) != nil {
                continue
            }
            _ = try fit(value, to: parameter, fileCount: 0, of: qualifiedName)
        }
    }

    private static func check(
        _ query: OptionsQuery,
        about parameter: ParameterDeclaration,
        in intent: IntentDeclaration,
        of qualifiedName: String
    ) throws(ErrorReport) {
        guard parameter.hasOptions == true else {
            let choosable = intent.parameters.filter { $0.hasOptions == true }.map(\.name)
            throw ErrorReport(
                .badParameter,
                "'\(query.parameter)' of \(qualifiedName) has no options to choose from",
                hint: choosable.isEmpty ? nil : "parameters with options: \(choosable.joined(separator: ", "))"
            )
        }
        guard [query.text != nil, query.search != nil, query.identifier != nil].count(where: \.self) <= 1 else {
            throw ErrorReport(
                .badRequest,
                "the query for options of '\(parameter.name)' has more than one of text, search and identifier",
                hint: "keep one of them"
            )
        }
        if query.identifier != nil {
            guard case .entity = parameter.type.element else {
                throw ErrorReport(
                    .badParameter,
                    "'\(parameter.name)' of \(qualifiedName) is not an entity, and only entities have identifiers"
                )
            }
        }
        guard let search = query.search else { return }
        try PropertySearchCheck(parameter, of: qualifiedName).check(search)
    }

    private static func missing(_ parameter: ParameterDeclaration, of qualifiedName: String) -> ErrorReport {
        ErrorReport(
            .missingParameter,
            "\(qualifiedName) needs a value for '\(parameter.name)' (\(parameter.type.phrase))",
            hint: "with intentctl, add --\(parameter.name) \(parameter.type.placeholder)"
        )
    }

    private static func fit(
        _ value: IntentValue,
        to parameter: ParameterDeclaration,
        fileCount: Int,
        of qualifiedName: String
    ) throws(ErrorReport) -> IntentValue {
        let accepted: IntentValue
        do {
            accepted = try parameter.type.accept(value, in: parameter.range)
        } catch {
            throw ErrorReport(
                .badParameter,
                "'\(parameter.name)' of \(qualifiedName): \(error.message)",
                hint: error.hint
            )
        }
        if let size = parameter.size, case .array(let elements) = accepted, !size.contains(elements.count) {
            throw ErrorReport(
                .badParameter,
                "'\(parameter.name)' of \(qualifiedName): expected \(size.phrase), got \(elements.count)"
            )
        }
        for file in accepted.files { try check(file, fileCount: fileCount, name: parameter.name, of: qualifiedName) }
        return accepted
    }

    private static func check(
        _ file: FileReference,
        fileCount: Int,
        name: String,
        of qualifiedName: String
    ) throws(ErrorReport) {
        guard (0..<fileCount).contains(file.index) else {
            throw ErrorReport(
                .badParameter,
                "'\(name)' of \(qualifiedName): expected the index of one of the request's \(fileCount) files, "
                    + "got \(file.index)"
            )
        }
        guard FileName.isPlain(file.name), file.name.utf8.count <= fileNameLimit else {
            throw ErrorReport(
                .badParameter,
                "the file name for '\(name)' of \(qualifiedName) is invalid",
                hint: "use one path component of at most \(fileNameLimit) bytes, without control characters"
            )
        }
    }
}

extension ValueType {
    fileprivate var placeholder: String {
        switch self {
        case .string: "TEXT"
        case .int, .double, .decimal: "NUMBER"
        case .bool: "true|false"
        case .file: "PATH"
        case .date: "DATE"
        case .url: "URL"
        case .duration: "DURATION"
        case .enumeration(let cases): cases.first?.value ?? "VALUE"
        case .array(let element): element.placeholder
        case .entity: "ID"
        case .object: "JSON"
        case .measurement(let units): "'5 \(units.first ?? "UNIT")'"
        case .currencyAmount(let codes): "'12.50 \(codes.first ?? "EUR")'"
        case .dateComponents: "DATE"
        case .unknown: "UNKNOWN"
        }
    }
}
