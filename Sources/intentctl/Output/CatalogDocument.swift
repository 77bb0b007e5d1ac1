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
                "ceilingMilliseconds": .milliseconds(app.limits.ceiling),
                "longCeilingMilliseconds": .milliseconds(app.limits.longCeiling),
                "graceMilliseconds": .milliseconds(app.limits.grace),
                "graceCancellableMilliseconds": .milliseconds(app.limits.graceCancellable),
            ]),
            "intents": app.intents.map { .array($0.map { of($0, app: app.name) }) },
        ])
    }

    package static func of(_ intent: InstalledIntent, app: String) -> JSONValue {
        .members([
            "app": .string(app),
            "name": .string(intent.name),
            "title": .string(intent.title),
            "description": intent.summary.map(JSONValue.string),
            "parameters": schema(of: intent),
            "result": intent.result.map(schema),
            "reportsProgress": .bool(intent.reportsProgress),
            "isLongRunning": .bool(intent.isLongRunning),
            "isCancellable": .bool(intent.isCancellable),
            "isDiscoverable": .bool(intent.isDiscoverable),
            "commandLine": .string(CatalogText.readyLine(intent, target: ["\(app)/\(intent.name)"])),
        ])
    }

    /// The JSON Schema of what `run --json` takes.
    package static func schema(of intent: InstalledIntent) -> JSONValue {
        let properties = intent.parameters.map { parameter -> (String, JSONValue) in
            guard case .object(var members) = schema(parameter.type) else {
                preconditionFailure("a schema is an object")
            }
            members["title"] = .string(parameter.title)
            if let summary = parameter.summary { members["description"] = .string(summary) }
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

    private static func schema(_ type: ParameterType) -> JSONValue {
        switch type {
        case .string: .object(["type": .string("string")])
        case .int: .object(["type": .string("integer")])
        case .double: .object(["type": .string("number")])
        case .bool: .object(["type": .string("boolean")])
        case .file: .object(["type": .string("string"), "format": .string("path")])
        }
    }
}
