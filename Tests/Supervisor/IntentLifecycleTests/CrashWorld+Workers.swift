import IntentLauncherMessages
import IntentLifecycle

/// The behaviour of workers.
extension CrashWorld {
    /// Performs one step: of a worker, of the launcher for that worker, or of the run table that reads its reports.
    mutating func move(_ slot: SlotID, mayMisbehave: Bool) {
        guard var worker = workers[slot], !worker.isReleased else { return }
        moveCount += 1
        defer { checkNotes() }
        if worker.phase == .launching {
            if worker.wasKilled, random.next() % 2 == 0 {
                workers[slot]?.phase = .unmade
                return happen(.launchFailed(slot, LaunchFailure(message: "it was ended before its process was made")))
            }
            // The worker was released before its launch was reported.
            guard runTable.knows(slot) else {
                workers[slot]?.phase = .unmade
                return
            }
            workers[slot]?.phase = .living
            return happen(.launched(slot, Scene.isolation))
        }
        // Reading is about as frequent as acting.
        if let report = worker.outbox.first, random.next() % 2 == 0 || worker.phase == .ended {
            workers[slot]?.outbox.removeFirst()
            if let number = worker.resumeNumber {
                guard case .resumed(let state) = report, state.number == number else {
                    // Has no effect, unless the worker exited without a report.
                    if worker.phase == .ended, !worker.outbox.contains(where: { $0.isStanding(number) }) {
                        return happen(.reported(slot, report))
                    }
                    return
                }
                workers[slot]?.resumeNumber = nil
            }
            return happen(.reported(slot, report))
        }
        if worker.phase == .ended {
            guard !worker.isTold else { return }
            workers[slot]?.isTold = true
            return happen(.ended(slot, end(of: worker), lastLine: nil))
        }
        if worker.wasKilled || worker.wasAcknowledged || worker.request.mode == .describe && worker.result != nil {
            workers[slot]?.phase = .ended
            return
        }
        if mayMisbehave, worker.run != nil, random.next() % 20 == 0 {
            workers[slot]?.phase = .ended
            workers[slot]?.hasCrashed = true
            return
        }
        if worker.request.mode == .describe {
            workers[slot]?.result = WorkerResult(ending: .threw(message: ""))
            workers[slot]?.outbox.append(.catalog(Scene.catalog))
            return
        }
        if !worker.inbox.isEmpty {
            let command = worker.inbox.removeFirst()
            workers[slot] = worker
            return obey(slot, command)
        }
        guard let run = worker.run, worker.result == nil, worker.question == nil else {
            // If reports are left, the run table can read them in the next step.
            if worker.outbox.isEmpty { moveCount -= 1 }
            return
        }
        if mayMisbehave, random.next() % 2 == 0 {
            let progress = ProgressReport(completedUnitCount: 1, totalUnitCount: 2, fraction: 0.5)
            workers[slot]?.outbox.append(.progress(progress))
            return
        }
        if worker.questionCount < 2, random.next() % 3 == 0 {
            let number = worker.questionCount + 1
            let question = Question(number: number, text: "?", type: Self.choices, kind: .choice)
            workers[slot]?.questionCount = number
            workers[slot]?.question = question
            workers[slot]?.outbox.append(.question(question))
            return
        }
        let result = WorkerResult(ending: .returned(value: .string(run.text), dialog: nil))
        workers[slot]?.result = result
        workers[slot]?.outbox.append(.finished(result))
    }

    private mutating func obey(_ slot: SlotID, _ command: WorkerCommand) {
        switch command {
        case .perform(let perform):
            if let other = performers[perform.run] { problem("\(perform.run) is performed by \(slot) and \(other)") }
            if workers[slot]?.run != nil { problem("\(slot) performs twice") }
            performers[perform.run] = slot
            workers[slot]?.run = perform.run
            workers[slot]?.outbox.append(.started)
        case .cancel:
            guard workers[slot]?.run != nil, workers[slot]?.result == nil else { return }
            workers[slot]?.question = nil
            let result = WorkerResult(ending: .threwCancellation)
            workers[slot]?.result = result
            workers[slot]?.outbox.append(.finished(result))
        case .acknowledge: workers[slot]?.wasAcknowledged = true
        case .resume(let number):
            let hasBegun = workers[slot]?.run != nil
            workers[slot]?.outbox.append(.resumed(WorkerState(number: number, hasBegun: hasBegun)))
            if let question = workers[slot]?.question { workers[slot]?.outbox.append(.question(question)) }
            if let result = workers[slot]?.result { workers[slot]?.outbox.append(.finished(result)) }
        case .answer(let number, let value, _):
            if let before = workers[slot]?.answers[number], before != value {
                problem("question \(number) is answered with \(before) and \(value)")
            }
            workers[slot]?.answers[number] = value
            if workers[slot]?.question?.number == number { workers[slot]?.question = nil }
        case .files, .refuse: break
        }
    }

    private func end(of worker: Worker) -> SlotEnd {
        SlotEnd(
            processEnd: worker.hasCrashed
                ? .signaled(signal: 11) : worker.wasKilled ? .signaled(signal: 9) : .exited(code: 0)
        )
    }
}

extension WorkerReport {
    fileprivate func isStanding(_ number: UInt64) -> Bool {
        if case .resumed(let state) = self { return state.number == number }
        return false
    }
}
