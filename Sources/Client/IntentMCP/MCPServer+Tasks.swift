import FoundationEssentials
import IntentCommandLine
import IntentLinux
import IntentProtocol

// Handles the extension io.modelcontextprotocol/tasks in revision 2026-07-28, and the resources of runs.
extension MCPServer {
    mutating func dispatchTask(_ request: RPCRequest, _ context: RequestContext) throws(RPCError) {
        guard context.capabilities.canPollTasks else {
            throw RPCError(
                .missingCapability,
                "the request did not declare the extension \(ClientCapabilities.tasksExtension)",
                data: ["requiredCapabilities": ["extensions": [ClientCapabilities.tasksExtension: [:]]]]
            )
        }
        guard let text = request.params["taskId"]?.text, let run = RunID(text) else {
            throw RPCError(.invalidParams, "unknown task")
        }
        switch request.method {
        case "tasks/cancel":
            act(.cancel(run))
            answer(request.id, era: .perRequest, [:])
        case "tasks/update":
            let responses = request.params["inputResponses"]?.object ?? [:]
            follow(run, for: request.id, context, .update, responses: responses)
        default:
            follow(run, for: request.id, context, .task)
            if runs[run]?.isTask == false { runs[run]?.isTask = true }
        }
    }

    /// Answers a task's open question. Ignores late responses to earlier questions.
    mutating func update(_ run: RunID, _ responses: [String: JSONValue]) {
        guard let open = runs[run]?.question, let response = responses[Self.questionKey(open.question.number)]?.object
        else { return }
        reply(response, to: open.question, of: run)
    }

    /// Returns the state of a run as a task, including the result if the run has ended.
    ///
    /// - Parameter isNew: True if this response to a call creates the task.
    mutating func task(_ id: RunID, _ run: ObservedRun, isNew: Bool = false) -> [String: JSONValue] {
        var task: [String: JSONValue] = [
            "taskId": .string(id.text), "ttlMs": .null, "pollIntervalMs": 1000,
            "createdAt": .string(clockText(run.began)), "lastUpdatedAt": .string(clockText(run.changed)),
        ]
        if isNew { task["resultType"] = "task" }
        if let ended = run.ended {
            if case .cancelled(.userCancelled) = ended.end.outcome {
                task["status"] = "cancelled"
            } else {
                task["status"] = "completed"
                task["result"] = .object(
                    result(of: ended, run).merging(["resultType": JSONValue.string("complete")]) { $1 }
                )
            }
        } else if let question = run.question, question.question.number != run.answeredQuestion {
            task["status"] = "input_required"
            task["statusMessage"] = .string(SafeText.line(question.question.text))
            if question.needsOther != true, let form = Elicitation(question.question) {
                let shown = form.request(about: run.about, refusal: run.refusal)
                task["inputRequests"] = [Self.questionKey(question.question.number): shown]
            }
        } else {
            task["status"] = "working"
            if let progress = run.progress { task["statusMessage"] = .string(progress.line) }
        }
        return task
    }

    /// Converts a time on the events' clock to wall-clock time in RFC 3339 form.
    private func clockText(_ time: Duration) -> String {
        let seconds = Double(start.millisecondsSince1970) / 1000 + time / .seconds(1)
        return Date(timeIntervalSince1970: seconds).formatted(.iso8601)
    }

    // MARK: Resources

    static let runTemplates: [JSONValue] = [
        [
            "uriTemplate": "intent-run://{run}/value", "name": "value", "title": "Value of a run",
            "mimeType": "application/json",
        ],
        ["uriTemplate": "intent-run://{run}/{index}/{name}", "name": "file", "title": "File in a run's result"],
    ]

    mutating func readResource(_ request: RPCRequest, _ context: RequestContext) throws(RPCError) {
        let uri = request.params["uri"]?.text ?? ""
        if uri == SnippetView.uri {
            return answer(request.id, era: context.era, ["contents": [SnippetView.contents]], isList: true)
        }
        if EntityResource(uri: uri) != nil || uri.hasPrefix(utf8: Skill.scheme) {
            return dispatchWithApps(request, context)
        }
        guard let resource = RunResource(uri: uri) else { throw Self.unknownResource(context) }
        begin(request.id, context, .resource)
        act(.readResource(request.id, resource))
    }

    mutating func readEntity(_ request: RPCRequest, _ context: RequestContext, _ table: ToolTable) {
        guard let uri = request.params["uri"]?.text, let resource = EntityResource(uri: uri),
            let message = table.request(for: resource)
        else { return send(Self.unknownResource(context), to: request.id) }
        begin(request.id, context, .entity(uri: uri))
        act(.perform(request.id, message, inputs: [:]))
    }

    private static func unknownResource(_ context: RequestContext) -> RPCError {
        RPCError(
            context.era == .perRequest ? .invalidParams : .resourceNotFound,
            "unknown resource: expected intent-run://RUN/value, intent-run://RUN/INDEX/NAME or intent-entity://APP/TYPE/ID"
        )
    }

    /// Answers a request for an entity after the run that queries it has ended.
    mutating func decideEntity(_ id: RPCID, _ run: ObservedRun, uri: String) {
        guard let ended = run.ended else { return }
        if case .done(let value?, _) = ended.end.outcome {
            return answer(id, ["contents": [EntityResource.contents(uri, value)]])
        }
        close(id)
        send(RPCError(.resourceNotFound, ToolTable.line(ended.reason ?? "the app returned no entity")), to: id)
    }
}
