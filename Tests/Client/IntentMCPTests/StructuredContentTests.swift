import IntentCommandLine
import IntentProtocol
import Testing

@testable import IntentMCP

/// Tests that a client that passes only `structuredContent` on to its model passes everything on.
@Suite struct StructuredContentTests {
    private static let order: [String: JSONValue] = ["soup": .string("a")]

    /// The only result, after checks that hold for every result: its structured content has only members of the tool's
    /// output schema, and contains each text block.
    private static func checked(_ actions: [MCPServer.Action]) throws -> [String: JSONValue] {
        let result = try #require(actions.result)
        let structured = try #require(result["structuredContent"]?.object)
        let schema = ToolResult.schema(of: .int).members
        #expect(Set(structured.keys).isSubset(of: try #require(schema["properties"]?.object).keys), "\(structured)")
        #expect(schema["required"] == ["state", "message"])
        let message = try #require(structured["message"]?.text)
        guard case .array(let blocks)? = result["content"] else { throw ExpectationFailure() }
        let value = structured["value"]?.text() ?? ""
        for case .string(let text)? in blocks.map({ $0.object?["text"] }) {
            let isSaid = message.contains(text) || structured["dialog"] == .string(text) || text == value
            #expect(isSaid, "\(text) is only in a text block")
        }
        return structured
    }

    private struct ExpectationFailure: Error {}

    private static func ended(_ outcome: RunOutcome, reason: String? = nil, _ details: RunDetails? = nil) throws
        -> [String: JSONValue]
    {
        var peer = MCPPeer()
        _ = peer.begin("Kitchen_OrderSoup", order)
        let end = RunEnd(
            run: MCPPeer.run,
            outcome: outcome,
            account: RunAccount(runtime: .seconds(3), details: details)
        )
        return try checked(peer.send(.ended(EndedRun(end, reason: reason, files: []))))
    }

    @Test func `a success has its dialog, its value, and what to call for the next step and the undo`() throws {
        var details = RunDetails(
            opens: IntentReference(intent: "Clean", values: ["deep": .bool(true)]),
            undo: UndoOffer(name: "Order", intent: IntentReference(intent: "Clean", values: [:]))
        )
        details.supportingDialog = "It is hot."
        let structured = try Self.ended(.done(value: .int(7), dialog: "Here."), details)
        #expect(structured["state"] == "done" && structured["value"] == .int(7) && structured["dialog"] == "Here.")
        #expect(structured["next"] == ["tool": "Kitchen_Clean", "arguments": ["deep": true]])
        #expect(structured["undo"] == ["tool": "intent_undo", "arguments": ["run": .string(MCPPeer.run.text)]])
        let message = try #require(structured["message"]?.text)
        #expect(message.contains("It is hot.") && message.contains("to undo this run (Order)"))
    }

    @Test func `a success without a value says that it is done`() throws {
        #expect(try Self.ended(.done(value: nil, dialog: "Here."))["message"]?.text?.hasPrefix("took") == true)
        var peer = MCPPeer()
        _ = peer.begin("Kitchen_Clean")
        let structured = try Self.checked(peer.send(MCPPeer.end(.done(value: nil, dialog: nil))))
        #expect(structured["state"] == "done" && structured["message"] == "done" && structured["value"] == nil)
    }

    @Test(
        arguments: [
            (.failed(message: "sold out"), "failed"), (.cancelled(.timeout), "cancelled"),
            (.crashed(.signaled(signal: 11)), "crashed"), (.lost(message: "lost"), "lost"),
        ] as [(RunOutcome, String)]
    )
    func `a failure has its kind and its reason`(_ outcome: RunOutcome, _ code: String) throws {
        let structured = try Self.ended(outcome, reason: "the pot is empty")
        #expect(structured["state"] == "ended" && structured["run"] == .string(MCPPeer.run.text))
        #expect(structured["error"] == ["code": .string(code), "text": "the pot is empty"])
        #expect(structured["message"]?.text?.hasPrefix("the pot is empty\ntook 3 s") == true)
    }

    @Test func `a refused call has an error with the next step`() throws {
        var peer = MCPPeer()
        let structured = try Self.checked(peer.call("Kitchen_OrderSoup", ["soop": "a"]).actions)
        #expect(structured["state"] == "refused" && structured["run"] == nil)
        let error = try #require(structured["error"]?.object)
        #expect(error == ["code": "badParameter", "text": "unknown argument 'soop'", "hint": "did you mean 'soup'?"])
        let (id, _) = peer.call("Kitchen_Clean")
        let refusal = ErrorReport(.notPermitted, "agents may not clean", hint: "ask a person")
        let refused = try Self.checked(peer.send(.refused(id, refusal)))
        #expect(refused["error"] == ["code": "notPermitted", "text": "agents may not clean", "hint": "ask a person"])
    }

    @Test func `a run that waits or continues has its question, and the call that waits for its result`() throws {
        var peer = MCPPeer()
        _ = peer.begin("Kitchen_OrderSoup", Self.order)
        let next: JSONValue = ["tool": "intent_run_result", "arguments": ["run": .string(MCPPeer.run.text)]]
        var waiting = try Self.checked(peer.send(MCPPeer.question(0, text: "Allow it?")))
        #expect(waiting["state"] == "waiting" && waiting["next"] == next)
        let question = try #require(waiting["question"]?.object)
        #expect(question["text"] == "Allow it?" && question["asks"] == "approval")
        #expect(question["command"] == .string("intentctl answer \(MCPPeer.run)"))
        var patient = MCPPeer()
        _ = patient.begin("Kitchen_OrderSoup", Self.order)
        patient.now = MCPServer.callTimeout
        waiting = try Self.checked(patient.send(.time))
        #expect(waiting["state"] == "running" && waiting["next"] == next && waiting["question"] == nil)
    }

    @Test func `a value that is too long is named by the resource that contains it`() throws {
        let long = String(repeating: "x", count: ToolResult.textByteLimit + 1)
        var peer = MCPPeer()
        _ = peer.begin("Kitchen_OrderSoup", Self.order)
        let structured = peer.send(MCPPeer.end(.done(value: .string(long), dialog: nil))).result?["structuredContent"]
        let message = structured?.object?["message"]?.text
        #expect(message == "the value is too long: intent-run://\(MCPPeer.run)/value")
    }
}
