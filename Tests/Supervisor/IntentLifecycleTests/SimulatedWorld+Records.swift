import IntentLauncherMessages
import IntentLifecycle

/// The recorded facts about a run in this world.
struct RecordedLife {
    var wasAccepted = false
    var slot: SlotID?
    var outcome: RunOutcome?
    var hasExited = false
}

/// Checks that everything is recorded before it is announced.
extension SimulatedWorld {
    mutating func check(record: RunRecord) {
        if case .stored = record.fact { return }
        var life = recorded[record.run] ?? RecordedLife()
        if case .accepted = record.fact {
            if life.wasAccepted { problem("\(record.run) is accepted twice on record") }
            life.wasAccepted = true
        } else if !life.wasAccepted || life.hasExited {
            problem("on record of a run that is not there: \(record)")
        }
        switch record.fact {
        case .state(.starting, _, let slot):
            if slot == nil { problem("\(record.run) starts, and no worker is on record") }
            life.slot = slot
        case .ended(let end):
            if life.outcome != nil { problem("two ends of \(record.run) on record") }
            life.outcome = end.outcome
        case .exited:
            if life.outcome == nil { problem("\(record.run) has exited without a recorded end") }
            life.hasExited = true
        case .accepted, .state, .asked, .answered, .cancelRequested, .signalled, .observed, .sampled, .printed,
            .leftOut, .stored:
            break
        }
        recorded[record.run] = life
    }

    /// An action that announces a fact must follow the record of that fact.
    mutating func checkIsOnRecord(_ action: RunTable.Action) {
        switch action {
        case .answer(_, _, .accepted(let run)):
            if recorded[run]?.wasAccepted != true { problem("\(run) is accepted off the record") }
        case .publish(_, let event):
            if case .finished(let end) = event.event, recorded[event.run]?.outcome != end.outcome {
                problem("the end of \(event.run) is told off the record")
            }
        case .answer(_, _, .ended(let end)):
            if recorded[end.run]?.outcome != end.outcome { problem("the end of \(end.run) is answered off the record") }
        case .send(let slot, _, .perform(let perform)):
            if recorded[perform.run]?.slot != slot { problem("\(perform.run) begins off the record") }
        case .send(let slot, _, .acknowledge):
            if let run = runOfSlot[slot], recorded[run]?.outcome == nil, recorded[run]?.hasExited != true,
                records[run]?.wasToldToStop != true
            {
                problem("the result of \(run) is acknowledged off the record")
            }
        case .keep, .answer, .send, .record, .note, .launch, .signal, .collect, .discardFiles, .release, .armTimer,
            .disarmTimer, .log,
            .forget, .handOver,
            .catalogued, .conduct, .notify, .reportBroken, .quit, .decide:
            break
        }
    }
}
