import IntentCommandLine
import IntentProtocol

/// A tool of the server: its description for the model, and the action that a call performs.
struct Tool {
    enum Action {
        /// Performs an intent.
        case perform(app: AppDescription, IntentDeclaration)
        /// Finds entities or other options for a parameter.
        case find(app: AppDescription, IntentDeclaration, ParameterDeclaration)
        case runTool(RunTool)
        /// Searches, describes or calls tools of apps.
        case indexTool(IndexTool)
    }

    var name: String
    var title: String
    var description: String
    var inputSchema: JSONValue
    /// The schema of `structuredContent` in the tool's results.
    var outputSchema: JSONValue
    var hints: ToolHints
    var action: Action

    /// True if the client opens the snippet view for the tool's results. Results of other tools can contain snippets
    /// too: an open view calls `intent_press` and `intent_refresh`, and draws their snippets itself.
    private var showsSnippets: Bool {
        switch action {
        case .perform: true
        case .runTool(let tool): tool == .result
        case .find, .indexTool: false
        }
    }

    /// True for the tool of an app.
    var isOfApp: Bool {
        switch action {
        case .perform, .find: true
        case .runTool, .indexTool: false
        }
    }

    /// The maximum length of a description, in Unicode scalars. Longer descriptions from apps are truncated.
    static let descriptionLimit = 1024

    /// Returns the tool's entry in `tools/list`.
    ///
    /// - Parameter showsViews: True if the client shows views of results. Without a snippet, a result's view is empty.
    func json(showsViews: Bool = false) -> JSONValue {
        var meta = showsViews && showsSnippets ? SnippetView.toolMeta : [:]
        if case .perform(let app, let intent) = action {
            meta["dev.intentd/intent"] = "\(app.name)/\(intent.name)"
        }
        return .members([
            "name": .string(name), "title": .string(title), "description": .string(description),
            "inputSchema": inputSchema, "outputSchema": outputSchema, "annotations": hints.json,
            "_meta": meta.isEmpty ? nil : .object(meta),
        ])
    }
}

/// The hints of a tool (ToolAnnotations). All four hints are always set, because their defaults describe the most
/// dangerous kind of tool.
struct ToolHints: Hashable {
    var isReadOnly = false
    var isDestructive = true
    var isIdempotent = false
    var isOpenWorld = true

    var json: JSONValue {
        [
            "readOnlyHint": .bool(isReadOnly), "destructiveHint": .bool(isDestructive),
            "idempotentHint": .bool(isIdempotent), "openWorldHint": .bool(isOpenWorld),
        ]
    }

    static let reading = ToolHints(isReadOnly: true, isDestructive: false, isIdempotent: true, isOpenWorld: false)
}

/// The built-in tools for managing runs. They do not belong to an app.
enum RunTool: String, CaseIterable {
    case status = "intent_run_status"
    case result = "intent_run_result"
    case cancel = "intent_run_cancel"
    case undo = "intent_undo"
    case plan = "intent_plan"
    case press = "intent_press"
    case refresh = "intent_refresh"
    case readFile = "intent_read_file"
    case runs = "intent_runs"

    var tool: Tool {
        switch self {
        case .status:
            make("Status of a run", "Returns the state and progress of a run, and its open question.", .reading)
        case .result:
            make(
                "Result of a run",
                "Waits for a run to end, at most wait_s seconds, and returns its result.",
                .reading,
                ["wait_s": ["type": "integer", "minimum": 0, "maximum": 50, "description": "default: 50"]]
            )
        case .cancel:
            make(
                "Cancel a run",
                "Cancels a run and returns after all its processes have exited.",
                ToolHints(isReadOnly: false, isDestructive: true, isIdempotent: true, isOpenWorld: false)
            )
        case .undo:
            make(
                "Undo a run",
                "Undoes a run, which is possible only once and only if the result of the run mentions an undo.",
                ToolHints(isReadOnly: false, isDestructive: true, isIdempotent: true, isOpenWorld: false)
            )
        case .plan: Plan.tool
        case .press:
            make(
                "Press a control",
                "Presses a button or a toggle in the snippet of a run, which performs its intent as a new run.",
                ToolHints(isReadOnly: false, isDestructive: true, isIdempotent: false, isOpenWorld: true),
                [
                    "control": [
                        "type": "integer", "minimum": 1,
                        "description": "the number of the control, as the result shows it",
                    ]
                ]
            )
        case .refresh:
            make(
                "Refresh a snippet",
                "Refreshes the snippet of a run, which is possible if the result of the run mentions intent_refresh.",
                ToolHints(isReadOnly: false, isDestructive: false, isIdempotent: true, isOpenWorld: true)
            )
        case .runs:
            make(
                "Your runs",
                "Lists runs that agents of this user requested, newest first: find the identifier of a run that was lost.",
                .reading,
                [
                    "limit": ["type": "integer", "minimum": 1, "maximum": 100, "description": "default: 20"],
                    "unfinished": ["type": "boolean", "description": "true to list only runs that have not ended"],
                ],
                required: nil
            )
        case .readFile:
            make(
                "Read a file of a result",
                "Reads a part of a file that one of your runs returned: text, an image, or base64.",
                .reading,
                [
                    "uri": ["type": "string", "description": "the URI of the file, from an earlier result"],
                    "offset": ["type": "integer", "minimum": 0, "description": "the first byte; default: 0"],
                    "length": [
                        "type": "integer", "minimum": 1, "maximum": .int(Int64(FileRange.lengthLimit)),
                        "description": "the number of bytes; default: \(FileRange.lengthLimit)",
                    ],
                ],
                required: "uri"
            )
        }
    }

    private func make(
        _ title: String,
        _ description: String,
        _ hints: ToolHints,
        _ more: [String: JSONValue] = [:],
        required: String? = "run"
    ) -> Tool {
        var properties = more
        if required == "run" {
            properties["run"] = ["type": "string", "description": "the identifier of the run, from an earlier result"]
        }
        return Tool(
            name: rawValue,
            title: title,
            description: description,
            inputSchema: JSONSchema.object(properties, required: [required].compactMap(\.self)),
            outputSchema: ToolResult.schema(ofValue: nil),
            hints: hints,
            action: .runTool(self)
        )
    }
}
