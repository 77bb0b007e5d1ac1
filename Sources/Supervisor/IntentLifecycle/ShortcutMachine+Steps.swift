import IntentLauncherMessages

/// The steps of a shortcut, and their undo.
extension ShortcutMachine {
    /// Performs what can be performed now.
    mutating func settle(at wall: Int64) -> [Action] {
        let due = busy.filter { $0.due <= wall }
        busy.removeAll { $0.due <= wall }
        var actions: [Action] = due.map { .request($0.request) }
        // Each turn uses a recorded run, or advances by a step, so that the number of turns is bounded.
        while true {
            let (more, hasAdvanced) = turn(at: wall)
            actions += more
            guard hasAdvanced else { return newProgress() + actions }
        }
    }

    private mutating func turn(at wall: Int64) -> ([Action], hasAdvanced: Bool) {
        switch phase {
        case .recalling, .ended: return ([], false)
        case .stopping:
            guard open.isEmpty else { return ([], false) }
            guard plan.undoesOnFailure else { return (finish(), false) }
            phase = .undoing(next: ended.count - 1)
            return ([], true)
        case .undoing(let next):
            guard open.isEmpty else { return ([], false) }
            guard next >= 0 else { return (finish(), false) }
            phase = .undoing(next: next - 1)
            return (undo(ended[next], at: wall), true)
        case .performing: break
        }
        guard asking == nil else { return ([], false) }
        guard let step = currentStep else { return (finish(), false) }
        if let index = delayed.firstIndex(where: { $0.due <= wall }) {
            let retry = delayed.remove(at: index)
            return (request(step, retry.index, attempt: retry.attempt, retry, at: wall), true)
        }
        if current == nil, !isDue(step) {
            position += 1
            return ([], true)
        }
        switch step.work {
        case .perform:
            return perform(step, at: wall)
        case .ask(let template, let type): return ask(step, template, type, options: [], at: wall)
        case .choose(let template, let options):
            return ask(step, template, nil, options: options.flatMap { values.words(of: $0) }, at: wall)
        case .wait(let milliseconds):
            let isKnown = notes.pauses[step.name] != nil
            let end = notes.pauses[step.name] ?? wall + milliseconds * 1_000_000
            if end <= wall {
                position += 1
                return ([], true)
            }
            notes.pauses[step.name] = end
            return (isKnown ? [] : [.store(notes)], false)
        }
    }

    private func isDue(_ step: ShortcutPlan.Step) -> Bool {
        if let condition = step.condition { return values.holds(condition) }
        guard let other = step.alternativeTo.flatMap(plan.step)?.condition else { return true }
        return !values.holds(other)
    }

    // MARK: Runs

    private mutating func perform(_ step: ShortcutPlan.Step, at wall: Int64) -> ([Action], hasAdvanced: Bool) {
        let work = current ?? Current(items: items(of: step))
        current = work
        if work.next < work.items.count, work.live.count < step.parallelCount {
            current?.next += 1
            current?.live[work.next] = 1
            return (request(step, work.next, attempt: 1, at: wall), true)
        }
        guard work.live.isEmpty, work.next >= work.items.count else { return ([], false) }
        let results = work.items.indices.map { work.results[$0] ?? .null }
        values.set(step.name, to: step.list == nil ? results.last ?? .null : .array(results))
        current = nil
        position += 1
        return ([], true)
    }

    private func items(of step: ShortcutPlan.Step) -> [IntentValue] {
        if let list = step.list {
            switch values.value(of: list) {
            case .array(let elements): return elements
            case .null: return []
            case let value: return [value]
            }
        }
        return Array(repeating: .null, count: step.repeatCount ?? 1)
    }

    private mutating func request(
        _ step: ShortcutPlan.Step,
        _ index: Int,
        attempt: Int,
        _ retry: Delayed? = nil,
        at wall: Int64
    ) -> [Action] {
        guard case .perform(let app, let intent, let templates) = step.work else { return [] }
        let stepKey = StepKey(shortcut: run, step: step.name, index: index, attempt: attempt)
        let key = stepKey.text
        if retry?.isLost == true { lostSteps.insert(stepKey) }
        runCount += 1
        guard runCount <= ShortcutPlan.runLimit else {
            return stop(
                .failed(
                    message: "step '\(step.name)': a shortcut can have at most \(ShortcutPlan.runLimit) runs of steps"
                ),
                .userCancelled,
                at: wall
            )
        }
        var loop: ShortcutValues.Loop = [:]
        if step.list != nil { loop["item"] = current?.items[index] ?? .null }
        if step.list != nil || step.repeatCount != nil { loop["index"] = .int(Int64(index + 1)) }
        let rendered = templates.mapValues { values.value(of: $0, loop) }.filter { $0.value != .null }
        let passed = values.passing(rendered)
        let request = StepRequest(
            shortcut: run,
            key: key,
            request: requestID(of: key),
            app: app,
            intent: intent,
            values: passed.values,
            files: passed.files,
            retryOf: retry?.earlier
        )
        return submit(request, at: wall)
    }

    /// Requests a run, or uses its recorded end.
    private mutating func submit(_ request: StepRequest, at wall: Int64) -> [Action] {
        open.insert(request.key)
        guard let index = recorded.firstIndex(where: { $0.key == request.key }) else { return [.request(request)] }
        let known = recorded.remove(at: index).run
        guard let end = known.end else { return [.request(request)] }
        open.remove(request.key)
        return took(end, request.key, known.app, at: wall)
    }

    /// Handles the end of a run.
    mutating func took(_ end: RunEnd, _ key: String, _ app: String, at wall: Int64) -> [Action] {
        guard let step = StepKey(key) else {
            if case .done = end.outcome { undone.append(undoName(key)) } else { undoFailed(key, end.outcome.phrase) }
            return []
        }
        guard case .done(let value, _) = end.outcome else {
            return failed(key, end.outcome.phrase, isLost: end.outcome.isUnknown, after: end.run, at: wall)
        }
        note(end, step, app)
        guard let plan = plan.step(step.step) else { return [] }
        current?.live[step.index] = nil
        let result = values.own(value ?? .null, of: end.run)
        current?.results[step.index] = result
        if phase == .performing, plan.repeatCount != nil, let condition = plan.end {
            values.set(plan.name, to: result)
            if values.holds(condition), let next = current?.next { current?.items.removeSubrange(next...) }
        }
        return []
    }

    /// Notes what undoes a run that has ended.
    mutating func note(_ end: RunEnd, _ step: StepKey, _ app: String) {
        guard case .done = end.outcome else { return }
        let offer = end.account.details?.undo
        ended.append(
            Ended(
                step: step.step,
                run: end.run,
                app: app,
                undo: offer?.intent,
                hasClosure: offer != nil && offer?.intent == nil
            )
        )
    }

    mutating func failed(_ key: String, _ message: String, isLost: Bool, after run: RunID?, at wall: Int64) -> [Action]
    {
        guard let failed = StepKey(key), let step = plan.step(failed.step) else {
            undoFailed(key, message)
            return []
        }
        guard phase == .performing else {
            current?.live[failed.index] = nil
            return []
        }
        if failed.attempt <= step.retryCount {
            let attempt = failed.attempt + 1
            current?.live[failed.index] = attempt
            let key = StepKey(shortcut: self.run, step: step.name, index: failed.index, attempt: attempt).text
            let isRecorded = recorded.contains { $0.key == key }
            let pause = isRecorded ? Duration.zero : Self.backoff.pause(afterAttempt: failed.attempt)
            delayed.append(
                Delayed(
                    index: failed.index,
                    attempt: attempt,
                    earlier: run,
                    isLost: isLost,
                    due: wall + pause.nanoseconds
                )
            )
            return []
        }
        current?.live[failed.index] = nil
        if step.continuesAfterError { return [] }
        let place = step.list == nil && step.repeatCount == nil ? "" : " (\(failed.index + 1))"
        return stop(.failed(message: "step '\(step.name)'\(place): \(message)"), .userCancelled, at: wall)
    }

    // MARK: Questions

    private mutating func ask(
        _ step: ShortcutPlan.Step,
        _ template: ShortcutPlan.Template,
        _ type: ValueType?,
        options: [String],
        at wall: Int64
    ) -> ([Action], hasAdvanced: Bool) {
        questionNumber += 1
        var isChoice = false
        if case .choose = step.work { isChoice = true }
        if let known = notes.answers[step.name] {
            values.set(step.name, to: known)
            position += 1
            return ([], true)
        }
        if isChoice, options.isEmpty {
            return (
                stop(.failed(message: "step '\(step.name)': there is nothing to choose"), .userCancelled, at: wall),
                false
            )
        }
        asking = step.name
        guard case .string(let text) = values.value(of: ShortcutPlan.Template(template.pieces + [.text("")])) else {
            asking = nil
            return (
                stop(
                    .failed(message: "step '\(step.name)': a value of its question does not exist"),
                    .userCancelled,
                    at: wall
                ),
                false
            )
        }
        var question = Question(
            number: questionNumber,
            text: text,
            type: isChoice ? .enumeration(options.map { EnumerationCase(value: $0, title: $0) }) : type ?? .bool,
            kind: isChoice ? .choice : type == nil ? .confirmation : nil
        )
        question.title = plan.title
        return ([.ask(question)], false)
    }

    // MARK: The end

    /// Stops the steps. Only the first reason is kept.
    mutating func stop(_ cause: Stop, _ reason: CancellationReason, at wall: Int64) -> [Action] {
        switch phase {
        case .recalling:
            if earlyStop == nil { earlyStop = (cause, reason) }
            return []
        case .undoing where undoes != nil:
            // The run that is being undone ends, and no other begins.
            phase = .undoing(next: -1)
            dropBusy()
            return open.sorted().map { .cancel(key: $0, reason) } + settle(at: wall)
        case .stopping, .undoing, .ended: return []
        case .performing: break
        }
        self.cause = cause
        phase = .stopping
        asking = nil
        delayed = []
        dropBusy()
        // Of an earlier `intentd`, runs may be live, or may have ended, to which this machine has not come yet.
        let others = recorded.filter { StepKey($0.key) != nil }
        recorded.removeAll { StepKey($0.key) != nil }
        var actions: [Action] = []
        for step in others {
            if let end = step.run.end {
                if let key = StepKey(step.key) { note(end, key, step.run.app) }
            } else {
                open.insert(step.key)
                actions.append(.follow(key: step.key, step.run.run))
            }
        }
        return actions + open.sorted().map { .cancel(key: $0, reason) } + settle(at: wall)
    }

    /// Drops the requests that a limit has refused.
    private mutating func dropBusy() {
        for request in busy { open.remove(request.request.key) }
        busy = []
    }

    private mutating func undo(_ ended: Ended, at wall: Int64) -> [Action] {
        let known = recorded.first { UndoKey($0.key)?.run == ended.run }
        let last = known.flatMap { known in
            UndoKey(known.key).map { UndoAttempt(key: $0, run: known.run.run, end: known.run.end) }
        }
        // A person who undoes the shortcut repeats what has failed before.
        let rule = undoes == nil ? nil : UndoRule(undoing: ended.run, after: last)
        let key = (rule?.key ?? last?.key ?? UndoKey(run: ended.run, attempt: 1)).text
        guard let undo = ended.undo else {
            let reason =
                ended.hasClosure ? "its undo is a closure, which has ended with its process" : "it registered no undo"
            notUndone.append("\(ended.step) (\(reason))")
            return []
        }
        return submit(
            StepRequest(
                shortcut: run,
                key: key,
                request: requestID(of: key),
                app: ended.app,
                intent: undo.intent,
                values: undo.values,
                files: [],
                retryOf: rule?.retryOf
            ),
            at: wall
        )
    }

    func undoName(_ key: String) -> String {
        let run = UndoKey(key)?.run
        return ended.first { $0.run == run }?.step ?? key
    }

    private mutating func undoFailed(_ key: String, _ reason: String) {
        hasFailedUndo = true
        notUndone.append("\(undoName(key)) (\(reason))")
    }

    private mutating func finish() -> [Action] {
        phase = .ended
        let account = undoAccount
        let text = account.map { "; \($0)" } ?? ""
        if undoes != nil {
            if hasFailedUndo { return [.end(ShortcutEnd(ending: .threw(message: account ?? ""), account: account))] }
            return [.end(ShortcutEnd(ending: .returned(value: nil, dialog: account), account: account))]
        }
        switch cause {
        case .failed(let message):
            return [.end(ShortcutEnd(ending: .threw(message: message + text), account: account))]
        case .declined, .cancelled: return [.end(ShortcutEnd(ending: .threwCancellation, account: account))]
        case nil: break
        }
        let value = plan.result.map { values.value(of: $0) } ?? .null
        let passed = values.passing(["result": value])
        var end = ShortcutEnd(
            ending: .returned(value: value == .null ? nil : passed.values["result"], dialog: nil),
            files: passed.files
        )
        end.isUndoable = ended.contains { $0.undo != nil }
        return [.report(progress), .end(end)]
    }

    private var undoAccount: String? {
        let parts = [
            undone.isEmpty ? nil : "undone: \(undone.joined(separator: ", "))",
            notUndone.isEmpty ? nil : "not undone: \(notUndone.joined(separator: ", "))",
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}

extension RunOutcome {
    /// True if the run may have taken effect, although it did not end by itself.
    fileprivate var isUnknown: Bool {
        switch self {
        case .lost, .hostLost, .cancelled(.serviceStopping): true
        case .done, .failed, .unanswered, .violated, .notStarted, .busy, .cancelled, .crashed, .exceeded, .unknown:
            false
        }
    }
}
