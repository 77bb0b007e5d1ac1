import IntentCommandLine
import IntentCommands
import IntentConfiguration
import IntentProtocol
import IntentSharedTypes

@testable import IntentMCP

// JSON of any shape, and the messages of MCP clients.
extension FuzzTarget {
    static let agents = [
        FuzzTarget("json", .json, 1 << 18) { bytes in
            guard let value = JSONValue(parsing: bytes) else { return }
            var written = value.text()
            // A whole number with an exponent is an integer for its reader, and is then written with all digits.
            if written.contains(utf8: "e+") { written = JSONValue(parsing: Array(written.utf8))?.text() ?? "" }
            try require(JSONValue(parsing: Array(written.utf8))?.text(), equals: written, "JSON")
            _ = value.prettyText()
            for type in valueTypes {
                let parameter = ParameterDeclaration(name: "p", title: "P", type: type)
                if let input = try? ParameterInput(json: value, for: parameter) { _ = input.plainValue }
            }
        },
        FuzzTarget("plan", .json, 1 << 16) { bytes in
            guard let members = JSONValue(parsing: bytes)?.members, !members.isEmpty else { return }
            // An input without steps becomes the step of a plan.
            let plan: [String: JSONValue] =
                members["steps"] == nil ? ["steps": [.object(members)], "values": .object(members)] : members
            guard let document = try? PlanDocument(plan, intentNamed: { $0 }) else { return }
            guard case .array(let steps)? = plan["steps"], steps.count == document.steps.count else {
                throw Finding("a plan has other steps than its JSON", document.text)
            }
            for section in UnitFile(Array(document.text.utf8), file: "plan").sections
            where ShortcutSection(section.name) == nil {
                throw Finding("a plan has settings", document.text)
            }
        },
        FuzzTarget("mcp", .mcp, 1 << 18) { bytes in
            var server = MCPServer(version: "1", start: Timestamp(millisecondsSince1970: 1_700_000_000_000))
            var time = Duration.zero
            var runNumber: UInt64 = 1
            var events = bytes.split(separator: UInt8(ascii: "\n")).map { MCPServer.Event.line(Array($0)) }
            events.reverse()
            // The results of a line's actions are events again, in bounded number.
            var remaining = events.count * 8
            while let event = events.popLast(), remaining > 0 {
                remaining -= 1
                time += .milliseconds(1)
                for action in server.handle(event, at: time) {
                    switch action {
                    case .send(let message):
                        guard JSONValue(parsing: Array(message.text().utf8)) != nil else {
                            throw Finding("an answer is not JSON", message.text())
                        }
                    case .loadApps: events.append(.apps(apps))
                    case .perform(let id, _, _):
                        runNumber += 1
                        events.append(.accepted(id, RunID(randomBits: runNumber)))
                    case .watch(let run):
                        events.append(.unknownRun(run, ErrorReport(.unknownRun, "no run \(run.text)")))
                    case .undo(let id, _), .press(let id, _, _), .redeem(let id, _, _), .readResource(let id, _),
                        .listRuns(let id, _, _), .readFile(let id, _, _):
                        events.append(.refused(id, ErrorReport(.unknownRun, "no run")))
                    case .cancel, .answer, .issueTicket, .wake, .end: break
                    }
                }
            }
        },
    ]

    private static let apps: [AppDescription] = {
        let types: [(String, ValueType)] = [("text", .string), ("n", .int), ("d", .date), ("f", .file)]
        let parameters = types.map { ParameterDeclaration(name: $0, title: $0, type: $1, isOptional: $0 != "text") }
        let intent = IntentDeclaration(name: "Echo", title: "Echo", parameters: parameters)
        let catalog = IntentCatalog(intents: [intent])
        return [AppDescription(name: "A", executable: "/a", catalog: catalog, limits: RunLimits())]
    }()
}
