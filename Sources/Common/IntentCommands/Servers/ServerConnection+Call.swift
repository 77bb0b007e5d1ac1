package import IntentCommandLine
import IntentProtocol

/// The call of a tool, and what the server asks during the call.
extension ServerConnection {
    private static let formLimit = 16
    /// The maximum number of rounds in which a call of revision 2026-07-28 asks for input.
    private static let roundLimit = 16
    private static let linkLimit = 16

    /// Calls a tool, as soon as the tools of the server are known.
    package mutating func call(_ call: ToolCall) -> [Action] {
        switch state {
        case .opening:
            pendingCall = call
            return []
        case .ready(isStale: true):
            pendingCall = call
            state = .opening
            return listTools()
        case .ready(isStale: false): break
        case .calling, .ended: return []
        }
        guard let tool = tools.tools.first(where: { $0.declaration.name == call.intent }) else {
            return fail("the server no longer has the tool '\(call.intent)'", code: .changed)
        }
        guard call.version == nil || call.version == tool.version else {
            return fail(
                "the tool '\(call.intent)' of the server has changed since its description was read: try again after "
                    + "'intentctl describe --changes' shows the change",
                code: .changed
            )
        }
        do throws(ArgumentError) {
            let arguments = try tool.arguments(call.values)
            state = .calling(call, tool)
            return sendCall(["name": .string(tool.serverName), "arguments": .object(arguments)])
        } catch {
            return fail(error.message, code: .values)
        }
    }

    /// Performs a call of the first tool with a result of its own, which the server does not receive, so that a later call
    /// finds its code and memory ready.
    package func rehearsal() -> [Action] {
        guard case .ready = state, let tool = tools.tools.first else { return [] }
        var connection = self
        _ = try? tool.arguments([:])
        connection.state = .calling(ToolCall(intent: tool.declaration.name, version: tool.version, values: [:]), tool)
        let sent = connection.sendCall(["name": .string(tool.serverName), "arguments": ["text": "x"]])
        let result: [String: JSONValue] = ["content": [["type": "text", "text": "x"]]]
        return sent + connection.received(ClientLine.result(.int(connection.requestCount), result))
    }

    private mutating func sendCall(_ params: [String: JSONValue]) -> [Action] {
        guard case .calling(let call, _) = state else { return [] }
        callID = requestCount + 1
        progress = -.infinity
        var meta: [String: JSONValue] = ["progressToken": .int(requestCount + 1)]
        if let traceparent = call.traceparent { meta["traceparent"] = .string(traceparent) }
        return request("tools/call", params, meta: meta, for: .call)
    }

    mutating func returned(_ result: [String: JSONValue]) throws(ArgumentError) -> [Action] {
        guard case .calling(let call, let tool) = state else { return [] }
        if result["resultType"]?.text == "input_required" { return try needsInput(result, call, tool) }
        guard result["resultType"]?.text ?? "complete" == "complete" else {
            throw ArgumentError("the call has an unknown kind of result")
        }
        let withdrawal: [Action] = forms.isEmpty ? [] : [.withdraw]
        forms = FormQueue()
        return withdrawal + (try readNext(ToolOutcome(result, of: tool), from: 0))
    }

    /// Reads the resources to which the result has links, because they end with the server.
    private mutating func readNext(_ outcome: ToolOutcome, from start: Int) throws(ArgumentError) -> [Action] {
        let links = outcome.links.filter { $0.index >= start }
        guard let link = links.first, outcome.links.count <= Self.linkLimit, !outcome.isError else {
            state = .ended
            return [.returned(outcome)]
        }
        return request("resources/read", ["uri": .string(link.uri)], for: .resource(outcome, at: link.index))
    }

    mutating func read(_ response: ServerResponse, of outcome: ToolOutcome, at index: Int) -> [Action] {
        var outcome = outcome
        // If the server does not return the resource, the result has its address.
        if case .success(let result) = response { outcome.replaceLink(at: index, with: result["contents"]?.list ?? []) }
        do throws(ArgumentError) {
            return try readNext(outcome, from: index + 1)
        } catch {
            return fail(error.message)
        }
    }

    /// Cancels the call. The server may still clean up until its standard input is closed.
    package mutating func cancel(_ reason: String) -> [Action] {
        defer {
            state = .ended
            awaited = [:]
        }
        guard case .calling = state, let callID else { return [] }
        let params: [String: JSONValue] = ["requestId": .int(callID), "reason": .string(reason)]
        return [.send(ClientLine.notification("notifications/cancelled", params))]
    }

    // MARK: Requests and notifications of the server

    mutating func notified(_ method: String, _ params: [String: JSONValue]) -> [Action] {
        switch method {
        case "notifications/progress":
            guard case .calling = state, let callID, params["progressToken"] == .int(callID),
                let done = params["progress"]?.number, done > progress
            else { return [] }
            progress = done
            return [.progress(ServerProgress(done, of: params["total"]?.number, params["message"]?.text))]
        case "notifications/message":
            let words = [params["level"]?.text, params["logger"]?.text].compactMap(\.self).joined(separator: " ")
            let data = params["data"].map { $0.text ?? $0.text() } ?? ""
            return [.log(words.isEmpty ? data : "\(words): \(data)")]
        case "notifications/tools/list_changed":
            if case .ready = state { state = .ready(isStale: true) }
            return []
        case "notifications/cancelled":
            guard let id = params["requestId"], forms.remove(id) else { return [] }
            return [.withdraw] + askNext()
        default: return []
        }
    }

    mutating func requested(
        _ id: JSONValue,
        _ method: String,
        _ params: [String: JSONValue]
    ) throws(ArgumentError) -> [Action] {
        switch method {
        case "ping": return [.send(ClientLine.result(id, [:]))]
        case "roots/list": return [.send(ClientLine.result(id, rootList))]
        case "elicitation/create":
            guard case .calling = state else {
                return [.send(ClientLine.error(id, ServerFailure.invalidParams, "no call is open"))]
            }
            do throws(ArgumentError) {
                let isFirst = forms.isEmpty
                try forms.add(try ServerForm(params), for: .request(id), limit: Self.formLimit)
                return isFirst ? askNext() : []
            } catch {
                return [.send(ClientLine.error(id, ServerFailure.invalidParams, error.message))]
            }
        default:
            // Sampling, too: a server may not use a model of the caller.
            let message = "'\(WireCoding.excerpt(method))' is refused"
            return [.send(ClientLine.error(id, ServerFailure.methodNotFound, message))]
        }
    }

    private var rootList: [String: JSONValue] {
        ["roots": .array(roots.map { ["uri": .string(FileURI.of($0)), "name": .string($0)] })]
    }

    /// Asks for the input that a call of revision 2026-07-28 needs, then repeats the call.
    private mutating func needsInput(
        _ result: [String: JSONValue],
        _ call: ToolCall,
        _ tool: ServerTool
    ) throws(ArgumentError) -> [Action] {
        roundCount += 1
        guard roundCount <= Self.roundLimit else {
            throw ArgumentError("the call asked for input in more than \(Self.roundLimit) rounds")
        }
        var responses: [String: JSONValue] = [:]
        forms = FormQueue()
        for (key, request) in (result["inputRequests"]?.members ?? [:]).sorted(by: { $0.key < $1.key }) {
            switch request.members["method"]?.text {
            case "elicitation/create":
                let form = try ServerForm(request.members["params"]?.members ?? [:])
                try forms.add(form, for: .key(key), limit: Self.formLimit)
            case "roots/list": responses[key] = .object(rootList)
            case let method:
                throw ArgumentError("the call asks for '\(WireCoding.excerpt(method ?? ""))', which is refused")
            }
        }
        forms.round = FormQueue.Round(state: result["requestState"], responses: responses)
        return forms.isEmpty ? try repeatCall() : askNext()
    }

    private mutating func repeatCall() throws(ArgumentError) -> [Action] {
        guard case .calling(let call, let tool) = state, let round = forms.round else { return [] }
        forms = FormQueue()
        var params: [String: JSONValue] = [
            "name": .string(tool.serverName), "arguments": .object(try tool.arguments(call.values)),
            "inputResponses": .object(round.responses),
        ]
        params["requestState"] = round.state
        return sendCall(params)
    }

    private func askNext() -> [Action] { forms.first.map { [.ask($0)] } ?? [] }

    /// Handles the reply to the form that ``Action/ask(_:)`` has passed on.
    package mutating func answered(_ reply: [String: JSONValue]) -> [Action] {
        guard case .calling = state, let asker = forms.removeFirst() else { return [] }
        switch asker {
        case .request(let id): return [.send(ClientLine.result(id, reply))] + askNext()
        case .key(let key):
            forms.round?.responses[key] = .object(reply)
            guard forms.isEmpty else { return askNext() }
            do throws(ArgumentError) {
                return try repeatCall()
            } catch {
                return fail(error.message)
            }
        }
    }
}
