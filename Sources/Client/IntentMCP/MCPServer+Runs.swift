import IntentCommandLine
import IntentLinux
import IntentProtocol

// Handles run events.
extension MCPServer {
    mutating func accept(_ id: RPCID, _ run: RunID) {
        guard let request = open[id] else { return }
        open[id]?.run = run
        if request.purpose.startsRun { open[id]?.pace?.announce(run) }
        queueAttempted(id)
        var observed = runs[run] ?? ObservedRun(app: "", intent: "", at: now)
        observed.isKnown = true
        if case .call(let name, _, _) = request.purpose, let tool = table?.tool(named: name) {
            switch tool.action {
            case .perform(let app, let intent), .find(let app, let intent, _):
                (observed.app, observed.intent) = (app.name, intent.name)
            case .runTool(.plan): (observed.app, observed.title) = ("plan", "a plan")
            case .runTool, .indexTool: break
            }
        }
        runs[run] = observed
        if request.isCancelled {
            act(.cancel(run))
            return close(id)
        }
        decide(id)
    }

    mutating func refuse(_ id: RPCID, _ report: ErrorReport) {
        guard let request = open[id] else { return }
        if request.isCancelled { return close(id) }
        if enqueue(id, after: report) { return }
        queueAttempted(id)
        switch request.purpose {
        case .resource, .entity:
            close(id)
            send(RPCError(.resourceNotFound, ToolFailure(report).text), to: id)
        case .call, .undo, .status, .result, .cancel, .task, .update, .reading, .subscription:
            var report = report
            // A value can be a file only if the intent has a parameter for one.
            if report.code == .tooLarge, !takesFiles(request.purpose) { report.hint = nil }
            answer(id, ToolResult.failure(ToolFailure(report)))
        }
    }

    mutating func observe(_ watched: WatchedRun) {
        guard var run = runs[watched.run] else { return }
        (run.app, run.intent, run.title) = (watched.app, watched.intent, watched.live?.title)
        run.progress = watched.live?.progress ?? run.progress
        if let age = watched.live?.age { run.began = now - age }
        // Treat a run that has ended as unknown, so that its requests wait for the event `ended`, which follows.
        run.isKnown = watched.live != nil
        run.isQuestionDue = watched.live?.state == .asking && run.question == nil
        runs[watched.run] = run
        decideAll(about: watched.run)
    }

    mutating func forget(_ run: RunID, _ report: ErrorReport) {
        runs[run] = nil
        for (id, request) in open where request.run == run {
            open[id]?.run = nil
            switch request.purpose {
            case .task, .update:
                close(id)
                send(RPCError(.invalidParams, ToolFailure(report).text), to: id)
            case .call, .undo, .status, .result, .cancel, .resource, .entity, .reading, .subscription:
                refuse(id, report)
            }
        }
    }

    mutating func observe(_ event: RunEvent, of id: RunID) {
        guard runs[id] != nil else { return }
        runs[id]?.changed = now
        switch event {
        case .state(let state, _): if state != .asking { closeQuestion(of: id) }
        case .progress(let report):
            runs[id]?.progress = report
            for request in open.keys where open[request]?.run == id { open[request]?.pace?.add(report) }
        case .question(let question):
            runs[id]?.question = question
            runs[id]?.isQuestionDue = false
            runs[id]?.askedQuestions.append(SafeText.line(question.question.text))
            decideAll(about: id)
        case .answered: closeQuestion(of: id)
        case .output(_, let text): runs[id]?.addPrinted(text)
        case .finished: break
        }
    }

    mutating func end(_ ended: EndedRun) {
        let run = ended.end.run
        queue.runEnded(at: now)
        guard runs[run] != nil else { return }
        closeQuestion(of: run)
        if runs[run]?.isKnown == false { runs[run]?.began = now - ended.end.account.runtime }
        runs[run]?.ended = ended
        runs[run]?.changed = now
        runs[run]?.isKnown = true
        decideAll(about: run)
        if !open.values.contains(where: { $0.run == run }) { runs[run] = nil }
    }

    /// Removes a question that is no longer open, and withdraws the forms that ask it.
    private mutating func closeQuestion(of run: RunID) {
        runs[run]?.question = nil
        runs[run]?.isQuestionDue = false
        runs[run]?.refusal = nil
        runs[run]?.refusalCount = 0
        for (id, form) in forms where form.run == run {
            forms[id] = nil
            let params: JSONValue = ["requestId": id.json, "reason": "the question is no longer open"]
            act(.send(["jsonrpc": "2.0", "method": "notifications/cancelled", "params": params]))
        }
    }

    // MARK: Decisions

    mutating func decideAll(about run: RunID) {
        for id in open.keys.filter({ open[$0]?.run == run }) { decide(id) }
    }

    /// Handles the timeout of a request. If intentd has not reported the run yet, the server answers the request after
    /// that report.
    mutating func handleTimeout(of id: RPCID) {
        open[id]?.due = nil
        open[id]?.isOverdue = true
        if let report = queue.report, queue.remove(id) { return answer(id, ToolResult.failure(ToolFailure(report))) }
        decide(id)
    }

    /// Answers a request if its result is available.
    mutating func decide(_ id: RPCID) {
        guard let request = open[id], let runID = request.run, let run = runs[runID], run.isKnown else { return }
        if run.isQuestionDue, run.ended == nil, !request.isOverdue {
            open[id]?.due = request.due ?? now + Self.questionTimeout
            return
        }
        switch request.purpose {
        case .call(_, let digest, let isLong): decideCall(id, request, runID, run, digest, isLong: isLong)
        case .undo: decideCall(id, request, runID, run, "", isLong: false)
        case .result:
            if let ended = run.ended { return answer(id, result(of: ended, run, for: request.context)) }
            if request.isOverdue { answer(id, unfinished(runID, run)) }
        case .cancel: if let ended = run.ended { answer(id, result(of: ended, run, for: request.context)) }
        case .status: answer(id, run.ended.map { result(of: $0, run, for: request.context) } ?? unfinished(runID, run))
        case .task: answer(id, task(runID, run))
        case .update:
            update(runID, request.responses)
            answer(id, [:])
        case .entity(let uri): decideEntity(id, run, uri: uri)
        case .resource, .reading, .subscription: break
        }
    }

    /// Returns true if the intent that a request performs has a parameter for a file.
    private func takesFiles(_ purpose: OpenRequest.Purpose) -> Bool {
        guard case .call(let name, _, _) = purpose, case .perform(_, let intent)? = table?.tool(named: name)?.action
        else {
            return false
        }
        return intent.parameters.contains { $0.type.element == .file }
    }

    private mutating func decideCall(
        _ id: RPCID,
        _ request: OpenRequest,
        _ runID: RunID,
        _ run: ObservedRun,
        _ digest: String,
        isLong: Bool
    ) {
        if let ended = run.ended { return answer(id, result(of: ended, run, for: request.context)) }
        let canPoll = request.context.era == .perRequest && request.context.capabilities.canPollTasks
        if canPoll, isLong || now - request.began >= Self.taskDelay {
            runs[runID]?.isTask = true
            return answer(id, task(runID, run, isNew: true))
        }
        if let question = run.question, question.question.number != run.answeredQuestion {
            return ask(question, id, request, runID, run, digest)
        }
        if canPoll {
            open[id]?.due = request.began + Self.taskDelay
        } else if let limit = answerAfter ?? (request.pace == nil ? Self.callTimeout : nil) {
            guard now - request.began < limit else { return answer(id, unfinished(runID, run)) }
            open[id]?.due = request.began + limit
        }
    }

    /// Returns the result of a call after its run has ended, and includes the run's snippet if the client shows views.
    func result(of ended: EndedRun, _ run: ObservedRun, for context: RequestContext? = nil) -> [String: JSONValue] {
        var result = ToolResult.of(
            ended,
            account: run.account(of: ended),
            hint: table?.hint(about: ended.reason, app: run.app, intent: run.intent)
        ) { intent in table?.tool(for: intent, in: run.app)?.name }
        if context?.capabilities.showsViews == true, let snippet = ended.end.account.details?.snippet {
            result["_meta"] = SnippetView.meta(snippet, of: ended.end.run, ended.pictures)
        }
        return result
    }

    /// Returns the result of a call while the run continues. The result contains the run's open question, if any.
    func unfinished(_ id: RunID, _ run: ObservedRun) -> [String: JSONValue] {
        guard let question = run.question else {
            return ToolResult.unfinished(
                id,
                "still running\(run.progress.map { ", " + $0.line } ?? ""): run \(id). "
                    + "Call intent_run_result with {\"run\": \"\(id)\"} to wait for its result."
            )
        }
        // Quote the wording of an app, so that it cannot look like the rest of the message. The question for an approval,
        // which is intentd's, quotes texts of others itself.
        let text = question.question.text
        let asked = question.question.number == 0 ? SafeText.printed(text) : SafeText.quoted(text)
        let refusal = run.refusal.map { " (\($0))" } ?? ""
        return ToolResult.unfinished(
            id,
            "waiting for \(question.question.isConfirmation ? "approval" : "an answer"), run \(id): \(asked)\(refusal)\n"
                + "A person can answer with 'intentctl answer \(id)'. Then call intent_run_result.",
            question.question
        )
    }

    // MARK: Questions

    /// Asks the person who uses the client. If that is impossible, answers the call with the command `intentctl
    /// answer`, which the person can use.
    private mutating func ask(
        _ open: OpenQuestion,
        _ id: RPCID,
        _ request: OpenRequest,
        _ runID: RunID,
        _ run: ObservedRun,
        _ digest: String
    ) {
        guard request.context.capabilities.canElicit, open.needsOther != true, run.refusalCount < Self.refusalLimit,
            let form = Elicitation(open.question)
        else { return answer(id, unfinished(runID, run)) }
        let number = open.question.number
        guard request.context.era == .handshake else {
            return act(.issueTicket(runID, question: number, digest: digest))
        }
        guard !forms.values.contains(where: { $0.run == runID && $0.question == number }) else { return }
        lastFormNumber += 1
        let formID = RPCID.text("question-\(lastFormNumber)")
        forms[formID] = (runID, number)
        let request = form.request(about: run.about, refusal: run.refusal)
        act(.send(request.adding(["jsonrpc": "2.0", "id": formID.json])))
    }

    /// Answers the calls that are waiting for the answer to a question. Each result contains the form, and the
    /// `requestState` that the client returns with the answer.
    mutating func sendForm(of runID: RunID, _ number: UInt64, state: String) {
        guard let run = runs[runID], let question = run.question?.question, question.number == number,
            let form = Elicitation(question)
        else { return }
        let shown = form.request(about: run.about, refusal: run.refusal)
        let result: [String: JSONValue] = [
            "resultType": "input_required", "requestState": .string(state),
            "inputRequests": [Self.questionKey(number): shown],
        ]
        for (id, request) in open where request.run == runID && request.purpose.startsRun {
            answer(id, result)
        }
    }

    static func questionKey(_ number: UInt64) -> String { "question-\(number)" }

    /// Handles a client's reply to a form. Only a client with a handshake receives forms as requests.
    mutating func receiveForm(_ id: RPCID, _ result: [String: JSONValue]?) {
        guard let (run, number) = forms.removeValue(forKey: id), let open = runs[run]?.question,
            open.question.number == number
        else { return }
        reply(result, to: open.question, of: run)
        decideAll(about: run)
    }

    mutating func answerRefused(_ run: RunID, _ report: ErrorReport) {
        guard runs[run]?.question != nil else { return }
        runs[run]?.answeredQuestion = nil
        refuseAnswer(of: run, report.message)
        decideAll(about: run)
    }

    /// Redeems the ticket in a call's `requestState`, to answer the question that an earlier result with
    /// `input_required` asked. Returns false for a call without `requestState`.
    mutating func redeem(
        _ request: RPCRequest,
        _ context: RequestContext,
        _ tool: String,
        _ digest: String,
        isLong: Bool
    ) throws(ToolFailure) -> Bool {
        guard context.era == .perRequest, let state = request.params["requestState"] else { return false }
        guard let ticket = state.text else { throw ToolFailure("requestState: expected a string") }
        begin(request.id, context, .call(tool: tool, digest: digest, isLong: isLong))
        open[request.id]?.responses = request.params["inputResponses"]?.object ?? [:]
        act(.redeem(request.id, ticket: ticket, digest: digest))
        return true
    }

    mutating func redeemed(_ id: RPCID, _ asking: AskingRun) {
        guard let request = open[id] else { return }
        let question = asking.question.question
        if runs[asking.run] == nil {
            runs[asking.run] = ObservedRun(app: asking.app, intent: asking.intent, at: now)
            runs[asking.run]?.title = asking.title
            act(.watch(asking.run))
        }
        runs[asking.run]?.question = asking.question
        if !request.isCancelled {
            reply(request.responses[Self.questionKey(question.number)]?.object, to: question, of: asking.run)
        }
        accept(id, asking.run)
    }

    /// Passes a person's reply to the run.
    mutating func reply(_ result: [String: JSONValue]?, to question: Question, of run: RunID) {
        guard let form = Elicitation(question) else { return }
        switch form.reply(result) {
        case .answer(let value):
            runs[run]?.answeredQuestion = question.number
            act(.answer(run, question: question.number, value))
        case .cancel:
            runs[run]?.answeredQuestion = question.number
            act(.cancel(run))
        case .invalid(let reason): refuseAnswer(of: run, reason)
        }
    }

    private mutating func refuseAnswer(of run: RunID, _ reason: String) {
        runs[run]?.refusal = reason
        runs[run]?.refusalCount += 1
    }
}

extension ObservedRun {
    fileprivate mutating func addPrinted(_ text: String) {
        printedTail += text
        if printedTail.scalarCount > 2 * Self.tailLimit {
            printedTail = String(printedTail.suffix(scalars: Self.tailLimit))
        }
    }

    /// Returns facts that clients do not show during a run: its duration, its questions and the last part of its
    /// output.
    fileprivate func account(of ended: EndedRun) -> [String] {
        var lines: [String] = []
        if isTask || ended.end.account.runtime >= .seconds(2) {
            lines.append("took \(TimeSpan.format(ended.end.account.runtime)), run \(ended.end.run)")
        }
        if !askedQuestions.isEmpty { lines.append("asked: " + askedQuestions.joined(separator: "; ")) }
        let printed = SafeText.printed(String(printedTail.suffix(scalars: Self.tailLimit)))
        if isTask || ended.reason != nil, !printed.isEmpty { lines.append("end of the output:\n\(printed)") }
        return lines
    }
}

extension ProgressReport {
    /// The progress as one line: `41 %: Uploading, chunk 12`.
    var line: String {
        let parts = [title, detail].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
        let percent = totalUnitCount > 0 ? "\(Int(fraction * 100)) %" : nil
        return [percent, parts.isEmpty ? nil : SafeText.line(parts)].compactMap(\.self).joined(separator: ": ")
    }
}
