import IntentCommandLine
import IntentProtocol

/// A call that performs nothing, and says what the call without `dryRun` would need: an approval, answers, files.
enum DryRun {
    private static let argument = "dryRun"

    /// Returns true if calls of the intent's tool accept `dryRun`: the intent changes data, and has no such parameter.
    static func isOffered(by intent: IntentDeclaration) -> Bool {
        intent.effect != .reads && !intent.parameters.contains { $0.name == argument }
    }

    static func adding(to schema: JSONValue) -> JSONValue {
        let property: JSONValue = [
            "type": "boolean", "description": "true to only say what would be asked and approved",
        ]
        return schema.adding(["properties": schema.members["properties"]?.adding([argument: property])])
    }

    /// Removes the argument `dryRun`. Returns true if the call must not perform anything.
    static func remove(from arguments: inout [String: JSONValue], of intent: IntentDeclaration) throws(ToolFailure)
        -> Bool
    {
        guard isOffered(by: intent), let value = arguments.removeValue(forKey: argument) else { return false }
        guard case .bool(let isDryRun) = value else { throw ToolFailure("'\(argument)': expected true or false") }
        return isDryRun
    }

    /// Returns the result of a call with valid arguments.
    static func result(_ intent: IntentDeclaration, of app: String, _ inputs: [String: ParameterInput]) -> [String:
        JSONValue]
    {
        let asked = intent.parameters.filter { $0.question != nil && inputs[$0.name] == nil }.map(\.name)
        let needsApproval = intent.details?.needsApproval == true
        let files = inputs.filter { !$0.value.leaves.allSatisfy { if case .value = $0 { true } else { false } } }.keys
        let effect =
            switch intent.effect {
            case .reads: "reads"
            case .changes: "changes"
            case .destroys: "destroys"
            case .unknown(let word): word
            }
        let message =
            needsApproval
            ? "nothing was done; a person would have to approve the call" : "nothing was done; no approval is needed"
        return ToolResult.value(
            [
                "wouldPerform": .string("\(app)/\(intent.name)"), "effect": .string(effect),
                "needsApproval": .bool(needsApproval), "canBeUndone": .bool(intent.isUndoable),
                "mayAskFor": .array(asked.map { .string($0) }), "files": .array(files.sorted().map { .string($0) }),
            ],
            message: message
        )
    }
}
