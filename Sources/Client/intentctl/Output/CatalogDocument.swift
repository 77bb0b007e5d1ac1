/// Formats catalogues as JSON: the types of the protocol, plus a JSON Schema and a command line for each intent.
package enum CatalogDocument {
    package static func of(_ apps: [AppDescription]) -> JSONValue {
        .object(["apps": .array(apps.map(of))])
    }

    package static func of(_ app: AppDescription) -> JSONValue {
        var members = JSONValue(app).members
        // Move the members of the catalogue into the app's object.
        if let catalog = members.removeValue(forKey: "catalog") { members.merge(catalog.members) { own, _ in own } }
        members["intents"] = app.intents.map { .array($0.map { of($0, app: app.name) }) }
        return .object(members)
    }

    package static func of(_ intent: IntentDeclaration, app: String) -> JSONValue {
        JSONValue(intent).adding([
            "app": .string(app),
            "schema": JSONSchema.parameters(of: intent, file: .path),
            "commandLine": .string(CatalogText.readyLine(intent, target: ["\(app)/\(intent.name)"])),
        ])
    }
}
