import IntentAPI
package import IntentCommandLine
package import IntentProtocol

/// The OpenAPI 3.1 document of the API: its routes, the schemas of messages, and an operation for each intent that the
/// caller may perform.
package enum OpenAPI {
    package static func document(for apps: [AppDescription]) -> JSONValue {
        var paths: [String: JSONValue] = [:]
        for route in APIRoute.all where route.isDescribed {
            paths[route.path] = (paths[route.path] ?? .object([:])).adding([route.method.lowercased(): operation(route)]
            )
        }
        for app in apps {
            for intent in app.catalog?.intents ?? [] {
                let path = "/\(APIRoute.version)/apps/\(app.name)/intents/\(pathPart(intent.name))/runs"
                paths[path] = .members(["post": operation(app, intent)])
            }
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "intentd", "version": .string(Hello.softwareVersion),
                "description": "Performs the intents of apps. The objects are those of the protocol of clients.",
            ],
            "paths": .object(paths),
            "components": [
                "schemas": .object(schemas),
                "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
                "responses": ["Problem": problem],
            ],
            "security": [["token": []]],
        ]
    }

    // MARK: Operations

    private static func operation(_ route: APIRoute) -> JSONValue {
        var parameters = route.pathParameters.map { name -> JSONValue in
            let schema: JSONValue = name == "index" ? ["type": "integer", "minimum": 0] : ["type": "string"]
            return ["name": .string(name), "in": "path", "required": true, "schema": schema]
        }
        parameters += route.query.map { parameter in
            ["name": .string(parameter.name), "in": "query", "schema": ["type": .string(parameter.kind.rawValue)]]
        }
        parameters += route.action.headers.map { name, type, about in
            [
                "name": .string(name), "in": "header", "description": .string(about),
                "schema": ["type": .string(type)],
            ]
        }
        return .members([
            "operationId": .string(route.operationID), "summary": .string(route.summary),
            "parameters": parameters.isEmpty ? nil : .array(parameters),
            "requestBody": route.action.body.map { content($0) },
            "responses": .object(responses(of: route.action).merging(["default": reference(to: "Problem")]) { $1 }),
        ])
    }

    private static func responses(of action: APIRoute.Action) -> [String: JSONValue] {
        let bytes: JSONValue = ["type": "string", "format": "binary"]
        switch action {
        case .request("metrics"):
            return ["200": response("Metrics.", "application/openmetrics-text", ["type": "string"])]
        case .request: return ["200": response("The answer of intentd.", "application/json", schema("ClientAnswer"))]
        case .perform, .undo:
            let events: JSONValue = ["text/event-stream": ["schema": ["type": "string"]]]
            let json: JSONValue = ["application/json": ["schema": schema("ClientAnswer")]]
            return [
                "200": [
                    "description": "The end of the run (Prefer: wait), or its events (Accept: text/event-stream).",
                    "content": json.adding(["text/event-stream": events.members["text/event-stream"]]),
                ],
                "202": ["description": "The run was accepted.", "content": json],
            ]
        case .events:
            return [
                "200": response(
                    "Events of the run: data of each event is a message, and its id the value for Last-Event-ID.",
                    "text/event-stream",
                    ["type": "string"]
                )
            ]
        case .resultFile, .readFile:
            return [
                "200": response("The file.", "application/octet-stream", bytes),
                "206": response("The selected part of the file.", "application/octet-stream", bytes),
            ]
        case .storeFile: return ["201": response("The file is stored.", "application/json", schema("StoredFile"))]
        case .extendFile, .removeFile, .leave: return ["204": ["description": "Done."]]
        case .describeAPI: return ["200": response("This document.", "application/json", ["type": "object"])]
        case .mcp, .hook, .answerLink, .resourceMetadata: return [:]
        }
    }

    /// The operation that performs an intent of the catalogue.
    private static func operation(_ app: AppDescription, _ intent: IntentDeclaration) -> JSONValue {
        let values = JSONSchema.parameters(of: intent, file: .uri)
        let files = Set(intent.parameters.filter { $0.type.element == .file }.map(\.name))
        var properties = values.members["properties"]?.members ?? [:]
        for name in files {
            let isList = intent.parameters.first { $0.name == name }?.type != .file
            properties[name] = isList ? ["type": "array", "items": schema("FileValue")] : schema("FileValue")
        }
        let body: JSONValue = [
            "allOf": [
                schema("Performance"),
                .members([
                    "type": "object",
                    "properties": ["values": values.adding(["properties": .object(properties)])],
                    "required": values.members["required"] == nil ? nil : ["values"],
                ]),
            ]
        ]
        return .members([
            "operationId": .string("perform_\(app.name)_\(intent.name)"), "summary": .string(intent.title),
            "description": intent.summary.map { .string($0) },
            "requestBody": content(body),
            "responses": .object(responses(of: .perform).merging(["default": reference(to: "Problem")]) { $1 }),
        ])
    }

    // MARK: Schemas

    /// The schemas of messages (Tests/schemas), and those of the API's own bodies.
    private static var schemas: [String: JSONValue] {
        var all = JSONValue(parsing: Array(messageSchemas.utf8))?.members ?? [:]
        all["StoredFile"] = JSONSchema.object(
            ["file": stored, "byteCount": ["type": "integer"]],
            required: ["file", "byteCount"]
        )
        all["FileValue"] = [
            "type": "object", "required": ["file"],
            "properties": ["file": ["$ref": "#/components/schemas/FileReference"]],
        ]
        // What the path, the header and the server add is not in the body.
        var performance = all["PerformRequest"]?.members["properties"]?.members ?? [:]
        for name in ["app", "intent", "undoOf"] { performance[name] = nil }
        performance["files"] = files
        all["Performance"] = ["type": "object", "properties": .object(performance)]
        all["Problem"] = JSONSchema.object(
            [
                "type": ["type": "string"], "title": ["type": "string"], "status": ["type": "integer"],
                "detail": ["type": "string", "description": "What failed, and why."],
                "code": [
                    "type": "string", "description": "A keyword; later releases may add others.",
                    "examples": .array(APIProblem.statuses.keys.map(\.rawValue).sorted().map { .string($0) }),
                ],
                "hint": ["type": "string", "description": "The next step."],
                "retryAfterMilliseconds": ["type": "integer"],
            ],
            required: ["type", "title", "status", "detail", "code"]
        )
        return all
    }

    private static let stored: JSONValue = [
        "type": "string", "description": "The name that POST /v1/files has returned.",
    ]
    static let files: JSONValue = [
        "type": "array", "items": stored, "description": "The files, in the order of their index.",
    ]

    private static var problem: JSONValue {
        response("The request failed, and nothing changed.", APIProblem.contentType, schema("Problem"))
    }

    static func schema(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    private static func reference(to response: String) -> JSONValue {
        ["$ref": .string("#/components/responses/\(response)")]
    }

    private static func response(_ description: String, _ type: String, _ schema: JSONValue) -> JSONValue {
        ["description": .string(description), "content": .object([type: ["schema": schema]])]
    }

    private static func content(_ schema: JSONValue) -> JSONValue {
        let isBinary = schema.members["format"] == "binary"
        let type = isBinary ? "application/octet-stream" : "application/json"
        return ["content": .object([type: ["schema": schema]])]
    }

    /// Escapes a name for a path (RFC 3986).
    private static func pathPart(_ name: String) -> String {
        name.utf8.map { byte in
            byte.isASCIILetterOrDigit || "-._~".utf8.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}

extension APIRoute {
    /// The name of the operation, such as `get_runs_run_events`.
    fileprivate var operationID: String {
        let words = path.split(scalar: "/").dropFirst().map { part in
            String(String.UnicodeScalarView(part.unicodeScalars.filter { !"{}.-".unicodeScalars.contains($0) }))
        }
        return ([method.lowercased()] + words).joined(separator: "_")
    }
}

extension APIRoute.Action {
    /// The schema of the body; nil for a request without one.
    fileprivate var body: JSONValue? {
        switch self {
        case .perform, .undo: OpenAPI.schema("Performance")
        case .storeFile, .extendFile: ["type": "string", "format": "binary"]
        case .request("answer"): OpenAPI.schema("AnswerRequest").withoutRun
        case .request("prune"): OpenAPI.schema("PruneRequest")
        case .request("addShortcut"): OpenAPI.schema("OwnShortcutText")
        case .request("startFailed"): OpenAPI.schema("StartFailure")
        case .request("ticket"): OpenAPI.schema("TicketRequest")
        case .request("redeem"): OpenAPI.schema("RedeemRequest")
        case .request("import"):
            ["type": "object", "properties": ["stories": ["type": "array", "items": OpenAPI.schema("RunStory")]]]
        case .request, .events, .leave, .resultFile, .readFile, .removeFile, .describeAPI, .mcp, .hook, .answerLink,
            .resourceMetadata:
            nil
        }
    }

    /// The header fields that have a meaning: name, type and description.
    fileprivate var headers: [(String, String, String)] {
        switch self {
        case .perform:
            [
                ("Idempotency-Key", "string", "Requests with equal app, intent and key refer to one run."),
                ("Prefer", "string", "wait=SECONDS waits for the end of the run."),
            ]
        case .undo: [("Prefer", "string", "wait=SECONDS waits for the end of the run.")]
        case .events: [("Last-Event-ID", "string", "The last event that the client has received.")]
        case .resultFile, .readFile: [("Range", "string", "bytes=FIRST-LAST selects a part of the file.")]
        case .extendFile: [("Upload-Offset", "integer", "The number of bytes that are stored.")]
        case .request, .leave, .storeFile, .removeFile, .describeAPI, .mcp, .hook, .answerLink, .resourceMetadata: []
        }
    }
}

extension JSONValue {
    /// The schema of a message without its run, which is in the path.
    fileprivate var withoutRun: JSONValue {
        [
            "type": "object", "description": "An AnswerRequest without its run.",
            "properties": ["files": OpenAPI.files], "required": ["value"],
        ]
    }
}
