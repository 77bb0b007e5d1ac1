import IntentLauncherMessages
import IntentLifecycle

/// The promises that hold however often the run table crashes: every accepted run ends once, with the outcome that its
/// worker reported or the kernel witnessed, and leaves nothing behind.
extension CrashWorld {
    mutating func write(_ record: RunRecord) {
        if case .stored = record.fact { return }
        let run = record.run
        if case .accepted(let accepted) = record.fact {
            if disk[run] != nil { problem("\(run) is accepted twice") }
            disk[run] = DiskRun(accepted: accepted, time: now)
            order.append(run)
            unfinished.insert(run)
            runsOfRequests[accepted.request] = run
            return
        }
        guard var entry = disk[run] else { return problem("on record of a run that is not there: \(record)") }
        if entry.hasExited { problem("a record of a run that has exited: \(record)") }
        switch record.fact {
        case .state(let state, let reason, let slot):
            entry.state = state
            if let slot {
                if !recordedSlots.insert(slot).inserted { problem("slot \(slot.number) is given twice") }
                entry.slot = slot
            }
            if state == .queued { entry.slot = nil }
            if let reason { entry.stopReason = reason }
        case .cancelRequested: if entry.stopReason == nil { entry.stopReason = .userCancelled }
        case .ended(let end):
            if let before = entry.end { problem("\(run) ends twice: \(before.outcome), \(end.outcome)") }
            check(end.outcome, of: run, entry)
            entry.end = RunEnd(run: run, outcome: end.outcome, account: end.account)
        case .exited:
            entry.hasExited = true
            unfinished.remove(run)
        case .answered(let answer):
            if let before = entry.lastAnswer, before.question >= answer.question {
                problem("question \(answer.question) of \(run) is answered twice on record")
            }
            entry.lastAnswer = answer
        case .accepted, .asked, .signalled, .observed, .sampled, .printed, .leftOut, .stored: break
        }
        disk[run] = entry
    }

    private mutating func check(_ outcome: RunOutcome, of run: RunID, _ entry: DiskRun) {
        let worker = performers[run].flatMap { workers[$0] }
        switch outcome {
        case .done(let value, _):
            if worker?.result?.ending != .returned(value: value, dialog: nil) { problem("\(run) is done, and was not") }
            if entry.state == .stopping { problem("a late success of \(run)") }
        case .crashed: if worker?.hasCrashed != true { problem("\(run) crashed, and its worker did not: \(outcome)") }
        case .cancelled(.userCancelled): if !unwanted.contains(run) { problem("\(run): no client asked for its end") }
        case .cancelled(.timeout): if free.contains(run) { problem("\(run) had all the time that it needs") }
        case .cancelled: break
        case .lost(let message): problem("\(run) is lost: \(message)")
        case .busy: if worker != nil { problem("\(run) was performed, and had no place") }
        case .failed, .unanswered, .exceeded, .violated, .notStarted, .hostLost, .unknown: problem("\(run): \(outcome)")
        }
    }

    mutating func check(_ event: NumberedEvent) {
        if disk[event.run] == nil { problem("an event of \(event.run), which is not on record") }
        if case .finished(let end) = event.event, disk[event.run]?.end?.outcome != end.outcome {
            problem("the end of \(event.run) is told, and not on record")
        }
        // A late subscriber receives the newest events again, with their serials.
        if event.serial < serials[event.run] ?? 0 { problem("serial \(event.serial) of \(event.run) falls") }
        serials[event.run] = event.serial
    }

    /// A released worker has no note. Otherwise the next worker of the slot would be mistaken for it.
    mutating func checkNotes() {
        for (slot, note) in notes where workers[slot]?.isReleased == true {
            problem("\(note.run) is noted for a slot that is released")
        }
    }

    mutating func checkTheEnd() {
        if !hasQuit { problem("it did not quit") }
        for run in order {
            if disk[run]?.end == nil { problem("\(run) never ended") }
            if disk[run]?.hasExited != true { problem("\(run) has not exited") }
        }
        for (slot, worker) in workers where !worker.isReleased && worker.phase != .unmade {
            problem("slot \(slot.number) is left")
        }
        if !notes.isEmpty { problem("notes are left: \(notes.values.map(\.run))") }
        if !timers.isEmpty { problem("timers are left: \(timers.keys)") }
    }

    mutating func problem(_ text: String) { problems.append(text) }
}
