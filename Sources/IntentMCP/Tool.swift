import IntentCommandLine
import IntentProtocol

/// One tool of the server: what a model sees of it, and what a call of it does.
struct Tool {
    enum Action {
        /// Performs an intent.
        case perform(app: AppDescription, IntentDeclaration)
        /// Finds entities, or other options of a parameter.
        case find(app: AppDescription, IntentDeclaration, ParameterDeclaration)
        case runTool(RunTool)
    }

    var name: String
    var title: String
    var description: String
    var inputSchema: JSONValue
    /// The schema of a result's `structuredContent`.
    var outputSchema: JSONValue
    var hints: ToolHints
    var action: Action

    /// The longest description that a model is shown, in characters. It comes from the app.
    static let descriptionLimit = 1024

    /// The tool as `tools/list` has it.
    ///
    /// - Parameter allowsTasks: The client's revision knows `execution.taskSupport`.
    func json() -> JSONValue {
        let meta: JSONValue? =
            switch action {
            case .perform(let app, let intent): .object(["dev.intentd/intent": .string("\(app.name)/\(intent.name)")])
            case .find, .runTool: nil
            }
        return .members([
            "name": .string(name), "title": .string(title), "description": .string(description),
            "inputSchema": inputSchema, "outputSchema": outputSchema, "annotations": hints.json(title: title),
            "_meta": meta,
        ])
    }
}

/// The hints of a tool (ToolAnnotations). All four are set, because their defaults describe the most dangerous tool.
struct ToolHints: Hashable {
    var readsOnly = false
    var destroys = true
    var isIdempotent = false
    var reachesOut = true

    func json(title: String) -> JSONValue {
        .object([
            "title": .string(title), "readOnlyHint": .bool(readsOnly), "destructiveHint": .bool(destroys),
            "idempotentHint": .bool(isIdempotent), "openWorldHint": .bool(reachesOut),
        ])
    }

    static let reading = ToolHints(readsOnly: true, destroys: false, isIdempotent: true, reachesOut: false)
}

/// The tools about runs, which need no app.
enum RunTool: String, CaseIterable {
    case status = "intent_run_status"
    case result = "intent_run_result"
    case cancel = "intent_run_cancel"
    case undo = "intent_undo"

    private static let run = (
        "run", JSONValue.object(["type": .string("string"), "description": .string("the run, as an answer named it")])
    )

    var tool: Tool {
        switch self {
        case .status:
            make("Status of a run", "Says whether a run continues, its progress, and what it waits for.", .reading)
        case .result:
            make(
                "Result of a run",
                "Waits until a run has ended, at most wait_s seconds, and returns its result.",
                .reading,
                (
                    "wait_s",
                    .object([
                        "type": .string("integer"), "minimum": .int(0), "maximum": .int(50), "default": .int(50),
                    ])
                )
            )
        case .cancel:
            make(
                "Cancel a run",
                "Cancels a run, and returns when all its processes have exited.",
                ToolHints(readsOnly: false, destroys: true, isIdempotent: true, reachesOut: false)
            )
        case .undo:
            make(
                "Undo a run",
                "Takes back what a run did, once. Only for runs with a result that says so.",
                ToolHints(readsOnly: false, destroys: true, isIdempotent: true, reachesOut: false)
            )
        }
    }

    private func make(
        _ title: String,
        _ description: String,
        _ hints: ToolHints,
        _ more: (String, JSONValue)...
    ) -> Tool {
        Tool(
            name: rawValue,
            title: title,
            description: description,
            inputSchema: .object([
                "type": .string("object"),
                "properties": .object(Dictionary(uniqueKeysWithValues: [Self.run] + more)),
                "required": .array([.string("run")]), "additionalProperties": .bool(false),
            ]),
            outputSchema: ToolResult.schema(ofValue: .object([:])),
            hints: hints,
            action: .runTool(self)
        )
    }
}
