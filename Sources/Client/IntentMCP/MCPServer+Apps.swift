import IntentCommandLine
import IntentLinux
import IntentProtocol

// The open requests of a client, and prompts.
extension MCPServer {
    // MARK: Open requests

    mutating func begin(_ id: RPCID, _ context: RequestContext, _ purpose: OpenRequest.Purpose) {
        var request = OpenRequest(context: context, purpose: purpose, began: now)
        request.pace = context.progressToken.map { ProgressPace(token: $0, at: now) }
        open[id] = request
    }

    /// Opens a request that concerns a run, and subscribes to the run if necessary.
    mutating func follow(
        _ run: RunID,
        for id: RPCID,
        _ context: RequestContext,
        _ purpose: OpenRequest.Purpose,
        responses: [String: JSONValue] = [:]
    ) {
        begin(id, context, purpose)
        open[id]?.run = run
        open[id]?.responses = responses
        guard runs[run] == nil else { return decide(id) }
        runs[run] = ObservedRun(app: "", intent: "", at: now)
        act(.watch(run))
    }

    /// Handles the client's cancellation of a request. The server does not answer a cancelled request.
    mutating func cancel(_ id: RPCID) {
        waitingForApps.removeAll { $0.0.id == id }
        guard let request = open[id] else { return }
        guard request.purpose.startsRun else { return close(id) }
        guard let run = request.run else {
            if queue.remove(id) { return close(id) }
            open[id]?.isCancelled = true
            return
        }
        act(.cancel(run))
        close(id)
    }

    /// Removes a request, and also its run if the run has ended and no other request concerns it.
    mutating func close(_ id: RPCID) {
        guard let request = open.removeValue(forKey: id), let run = request.run else { return }
        if runs[run]?.ended != nil, !open.values.contains(where: { $0.run == run }) { runs[run] = nil }
    }

    mutating func getPrompt(_ request: RPCRequest, _ context: RequestContext, _ table: ToolTable) {
        let name = request.params["name"]?.text
        if let skill = table.skills.first(where: { $0.prompt == name }) {
            return answer(request.id, era: context.era, skill.message)
        }
        guard let prompt = table.prompts.first(where: { $0.name == name }) else {
            return send(RPCError(.invalidParams, "unknown prompt: call prompts/list"), to: request.id)
        }
        do throws(ToolFailure) {
            let message = try prompt.message(request.params["arguments"]?.object ?? [:])
            answer(request.id, era: context.era, message)
        } catch {
            send(RPCError(.invalidParams, error.text), to: request.id)
        }
    }
}
