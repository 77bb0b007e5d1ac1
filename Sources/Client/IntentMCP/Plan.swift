import IntentCommandLine
import IntentCommands
import IntentProtocol

/// The tool `intent_plan`, which performs several intents in one call. A person approves the whole once.
enum Plan {
    static var tool: Tool {
        let text: JSONValue = ["type": "string"]
        let step: JSONValue = [
            "type": "object",
            "properties": .object(
                Dictionary(uniqueKeysWithValues: [("name", text)] + StepMember.all.map { ($0.name, $0.schema) })
            ),
        ]
        return Tool(
            name: RunTool.plan.rawValue,
            title: "Perform a plan",
            description: """
                Performs several intents as one run, without their intermediate values passing through you. Strings are templates: \
                "%{step}" is the result of an earlier step as what it is (a number, a file, a list), "%{step.part}" a part of \
                it, "%{list.count}" a count, "%%" a percent sign. A person approves the whole once.
                """,
            inputSchema: JSONSchema.object(
                [
                    "title": text,
                    "steps": ["type": "array", "items": step],
                    "values": ["type": "object", "description": "values that steps use as %{name}"],
                    "files": ["type": "object", "description": "URIs of files that steps use as %{name}"],
                    "result": ["type": "string", "description": "the value to return, such as %{step}"],
                    "onFailure": [
                        "type": "string", "enum": ["keep", "undo"], "description": "undo: take back what was done",
                    ],
                    "dryRun": ["type": "boolean", "description": "true to only check the plan"],
                ],
                required: ["steps"]
            ),
            outputSchema: ToolResult.schema(ofValue: [:]),
            hints: ToolHints(),
            action: .runTool(.plan)
        )
    }

    /// The members of a step, as a model reads them.
    private struct StepMember {
        var name: String
        var schema: JSONValue

        init(_ name: String, _ type: String, _ description: String) {
            self.name = name
            schema = ["type": .string(type), "description": .string(description)]
        }

        static let all = [
            StepMember("intent", "string", "the tool to call, or APP/INTENT"),
            StepMember("values", "object", "its arguments"),
            StepMember("if", "string", "such as %{list.count} > 0"),
            StepMember("else", "string", "the step with an if that did not hold"),
            StepMember("forEach", "string", "a list; %{item} and %{index} in values"),
            StepMember("parallel", "integer", "how many at a time"),
            StepMember("repeat", "integer", "how often"),
            StepMember("until", "string", "ends repeat"),
            StepMember("retry", "integer", "after a failure"),
            StepMember("onError", "string", "continue: the step may fail"),
            StepMember("ask", "string", "a question to a person"),
            StepMember("wait", "string", "a pause, such as 10s"),
        ]
    }

    /// Checks a plan against the tools that the server offers.
    static func read(_ arguments: [String: JSONValue], _ table: ToolTable) throws(ToolFailure) -> (
        document: PlanDocument, inputs: [String: ParameterInput], warnings: [String]
    ) {
        let document: PlanDocument
        do throws(PlanDocument.Mistake) {
            document = try PlanDocument(arguments.filter { $0.key != "dryRun" }) { table.intent(ofTool: $0) ?? $0 }
        } catch {
            throw ToolFailure(error.message, hint: "nothing was performed")
        }
        let checked = document.check(against: table.catalogs)
        var problems = checked.problems
        for step in document.steps {
            guard let (app, intent) = step.performed, problems.isEmpty else { continue }
            let name = intent.isEmpty ? table.catalogs[app]?.intents.first?.name ?? "" : intent
            guard case .perform(_, let declaration)? = table.tool(for: name, in: app)?.action else {
                problems.append("[Step \(step.name)]: this server does not offer \(app)/\(name)")
                continue
            }
            for parameter in declaration.parameters
            where parameter.isSecret == true && step.parameters.contains(parameter.name) {
                problems.append(
                    "[Step \(step.name)]: the value of '\(parameter.name)' is secret; only a person may give it"
                )
            }
        }
        guard problems.isEmpty else {
            throw ToolFailure(problems.joined(separator: "\n"), hint: "nothing was performed")
        }
        guard let intent = document.shortcut.catalog.intents.first else { throw ToolFailure("the plan has no name") }
        return (document, try ToolArguments.read(document.inputs, for: intent), checked.warnings)
    }
}

extension MCPServer {
    mutating func performPlan(
        _ arguments: [String: JSONValue],
        _ request: RPCRequest,
        _ context: RequestContext,
        _ digest: String
    ) throws(ToolFailure) {
        guard let table else { return }
        let name = RunTool.plan.rawValue
        if try redeem(request, context, name, digest, isLong: true) { return }
        let plan = try Plan.read(arguments, table)
        if arguments["dryRun"] == .bool(true) {
            let steps = plan.document.steps.map { JSONValue.string("\($0.name): \($0.text)") }
            return answer(
                request.id,
                era: context.era,
                ToolResult.value(
                    ["steps": .array(steps), "warnings": .array(plan.warnings.map { .string($0) })],
                    message: "nothing was done; the plan is valid"
                )
            )
        }
        begin(request.id, context, .call(tool: name, digest: digest, isLong: true))
        var message = PerformRequest(app: "", intent: "", onDisconnect: .continue, plan: plan.document.text)
        message.entryPoint = .mcp
        start(request.id, .perform(request.id, message, inputs: plan.inputs))
    }
}
