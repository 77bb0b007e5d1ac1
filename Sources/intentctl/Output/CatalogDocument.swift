package import IntentClient

/// What can be run as JSON, parameters as a JSON Schema. The keys are a promise.
package enum CatalogDocument {
    package static func of(_ apps: [InstalledApp]) -> JSONValue {
        .object(["apps": .array(apps.map(of))])
    }

    package static func of(_ app: InstalledApp) -> JSONValue {
        .members([
            "name": .string(app.name),
            "executable": .string(app.executable),
            "problem": app.problem.map(JSONValue.string),
            "limits": .object([
                "runtimeMilliseconds": .milliseconds(app.limits.runtime),
                "runtimeMaxMilliseconds": .milliseconds(app.limits.runtimeMax),
                "ceilingMilliseconds": .milliseconds(app.limits.ceiling),
                "longCeilingMilliseconds": .milliseconds(app.limits.longCeiling),
                "graceMilliseconds": .milliseconds(app.limits.grace),
                "graceCancellableMilliseconds": .milliseconds(app.limits.graceCancellable),
            ]),
            "isolation": app.isolation?.document,
            "shortcuts": app.shortcuts.isEmpty ? nil : .array(app.shortcuts.map(document)),
            "intents": app.intents.map { .array($0.map { of($0, app: app.name) }) },
        ])
    }

    package static func of(_ intent: InstalledIntent, app: String) -> JSONValue {
        .members([
            "app": .string(app),
            "name": .string(intent.name),
            "title": .string(intent.title),
            "description": intent.summary.map(JSONValue.string),
            "sentence": intent.sentence.map(JSONValue.string),
            "parameters": schema(of: intent),
            "result": intent.result.map(schema),
            "reportsProgress": .bool(intent.reportsProgress),
            "isLongRunning": .bool(intent.isLongRunning),
            "isCancellable": .bool(intent.isCancellable),
            "isDiscoverable": .bool(intent.isDiscoverable),
            "category": intent.category.map(JSONValue.string),
            "keywords": intent.keywords.isEmpty ? nil : .array(intent.keywords.map(JSONValue.string)),
            "resultTitle": intent.resultTitle.map(JSONValue.string),
            "sentences": intent.sentences.isEmpty ? nil : .array(intent.sentences.map(document)),
            "protocols": intent.protocols.isEmpty ? nil : .array(intent.protocols.map(JSONValue.string)),
            "deprecation": intent.deprecation.map {
                .members([
                    "message": $0.message.map(JSONValue.string), "replacement": $0.replacement.map(JSONValue.string),
                ])
            },
            "choosable": .array(intent.parameters.filter(\.hasOptions).map { .string($0.name) }),
            "searchable": searchable(of: intent),
            "secret": .array(intent.parameters.filter(\.isSecret).map { .string($0.name) }),
            "commandLine": .string(CatalogText.readyLine(intent, target: ["\(app)/\(intent.name)"])),
        ])
    }

    private static func document(_ shortcut: InstalledApp.Shortcut) -> JSONValue {
        .members([
            "intent": .string(shortcut.intent),
            "title": shortcut.title.map(JSONValue.string),
            "phrases": .array(shortcut.phrases.map(JSONValue.string)),
            "values": .object(shortcut.values.mapValues(ValueText.document)),
        ])
    }

    private static func document(_ sentence: InstalledIntent.Sentence) -> JSONValue {
        .members([
            "when": .array(sentence.conditions.map(JSONValue.string)),
            "text": sentence.text.map(JSONValue.string),
            "others": .array(sentence.others.map(JSONValue.string)),
        ])
    }

    /// By parameter, what its options can be looked for by; nil where no parameter has such.
    private static func searchable(of intent: InstalledIntent) -> JSONValue? {
        let found = intent.parameters.compactMap { parameter in
            parameter.search.map { (parameter.name, document($0)) }
        }
        return found.isEmpty ? nil : .object(Dictionary(found) { first, _ in first })
    }

    private static func document(_ search: ParameterSearch) -> JSONValue {
        .object([
            "properties": .array(
                search.properties.map { property in
                    .object([
                        "name": .string(property.name),
                        "comparators": .array(
                            property.comparators.map { comparator in
                                .object([
                                    "name": .string(comparator.name),
                                    "valueCount": .int(Int64(comparator.valueCount)),
                                    "value": schema(comparator.type),
                                ])
                            }
                        ),
                    ])
                }
            ),
            "sortableBy": .array(search.sortableBy.map(JSONValue.string)),
        ])
    }

    /// The JSON Schema of what `run --json` takes.
    package static func schema(of intent: InstalledIntent) -> JSONValue {
        let properties = intent.parameters.map { parameter -> (String, JSONValue) in
            var members = members(of: parameter.type, in: parameter.range)
            members["minItems"] = parameter.minimumCount.map { .int(Int64($0)) }
            members["maxItems"] = parameter.maximumCount.map { .int(Int64($0)) }
            members["title"] = .string(parameter.title)
            if let text = parameter.summary ?? parameter.question { members["description"] = .string(text) }
            if let value = parameter.defaultValue { members["default"] = ValueText.document(value) }
            return (parameter.name, .object(members))
        }
        return .object([
            "$schema": .string("https://json-schema.org/draft/2020-12/schema"),
            "type": .string("object"),
            // A catalogue may be wrong: of two parameters of one name the first counts.
            "properties": .object(Dictionary(properties) { first, _ in first }),
            "required": .array(intent.parameters.filter(\.isRequired).map { .string($0.name) }),
            "additionalProperties": .bool(false),
        ])
    }

    private static func schema(_ type: ParameterType) -> JSONValue { .object(members(of: type, in: nil)) }

    private static func members(of type: ParameterType, in range: ParameterRange?) -> [String: JSONValue] {
        switch type {
        case .string: ["type": .string("string")]
        case .int: ["type": .string("integer")].merging(bounds(range)) { $1 }
        case .double: ["type": .string("number")].merging(bounds(range)) { $1 }
        case .bool: ["type": .string("boolean")]
        case .file: ["type": .string("string"), "format": .string("path")]
        // Text first: a number of JSON has not all the digits that a decimal may have.
        case .decimal:
            [
                "type": .array([.string("string"), .string("number")]),
                "pattern": .string("^-?[0-9]+(\\.[0-9]+)?$"),
            ].merging(bounds(range)) { $1 }
        case .date: ["type": .string("string"), "format": .string("date-time")]
        case .url: ["type": .string("string"), "format": .string("uri")]
        case .duration:
            ["type": .string("number"), "description": .string("seconds")].merging(bounds(range)) { $1 }
        case .enumeration(let choices):
            ["type": .string("string"), "enum": .array(choices.map { .string($0.value) })]
        case .array(let element): ["type": .string("array"), "items": .object(members(of: element, in: range))]
        case .entity(let title):
            [
                "type": .array([.string("string"), .string("integer"), .string("object")]),
                "description": .string("the id of a \(title)"),
            ]
        case .object(let title, let parts):
            [
                "type": .string("object"), "description": .string(title),
                "properties": .object(
                    Dictionary(parts.map { ($0.name, .object(members(of: $0.type, in: nil))) }) { first, _ in first }
                ),
            ]
        case .measurement(let units):
            [
                "type": .array([.string("string"), .string("number")]),
                "description": .string("a number with a unit: \(units.joined(separator: ", "))"),
            ]
        case .currencyAmount(let codes):
            [
                "type": .string("string"),
                "description": .string(
                    "a number with a currency's code\(codes.isEmpty ? "" : ": " + codes.joined(separator: ", "))"
                ),
                "pattern": .string("^-?[0-9]+(\\.[0-9]+)? [A-Z]{3}$"),
            ]
        case .dateComponents:
            ["type": .string("string"), "description": .string("YYYY-MM-DD, HH:MM, or both with a space")]
        }
    }

    private static func bounds(_ range: ParameterRange?) -> [String: JSONValue] {
        func number(_ bound: Double) -> JSONValue { Int64(exactly: bound).map(JSONValue.int) ?? .double(bound) }
        var members: [String: JSONValue] = [:]
        members["minimum"] = range?.lowerBound.map(number)
        members["maximum"] = range?.upperBound.map(number)
        return members
    }
}
