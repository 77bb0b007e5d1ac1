import IntentDaemon
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// Effects of what the run table decides.
extension Supervisor {
    func carryOut(_ action: RunTable.Action) {
        defer { faults.pass() }
        switch action {
        case .record: break
        case .answer(let client, let id, let answer):
            self.answer(answer, id: id, to: client)
        case .publish(let subscribers, let event, let handling):
            publish(event, to: subscribers, handling)
        case .launch(let request):
            launcher?.send(.launch(request))
        case .tell(let slot, let command):
            tell(slot, command)
        case .keep(let run, let remainder):
            remainders[run] = remainder
            hold(inputs[run] ?? [], for: run)
        case .signal(let slot, let signal):
            launcher?.send(.signal(slot: slot, signal))
        case .collect(let slot, let run, let files): collect(files, of: run, in: slot)
        case .discardFiles(let slot, let run): discardFiles(of: run, in: slot)
        case .release(let slot):
            workers[slot] = nil
            endCollecting(in: slot)
            launcher?.send(.release(slot: slot))
            notes?.remove(slot)
        case .note(let note): notes?.write(note)
        case .armTimer(let timer, let instant): arm(timer, at: instant)
        case .disarmTimer(let timer): disarm(timer)
        case .log(let line): log(line)
        case .catalogued: sayReady()
        case .reportBroken(let app, let problem): logBroken(app, problem)
        case .forget(let run):
            dropInputs(of: run)
            forget(run)
        case .handOver(let run):
            keptAtLauncher.remove(run)
            dropInputs(of: run)
            forget(run)
        case .quit(let cause): quit(cause)
        }
    }

    private func forget(_ run: RunID) {
        disarm(.run(run))
        disarm(.owner(run))
        answerFiles[run] = nil
        unkeptFiles[run] = nil
        noteDroppedOutput(of: run)
    }

    private func publish(_ event: NumberedEvent, to subscribers: [ClientID], _ handling: RunTable.FileHandling) {
        var event = event
        let delivery: ClientSession.Delivery
        var files: [SharedFileDescriptor] = []
        var given: RunID?
        switch event.event {
        case .progress: delivery = .latest(event.run)
        case .output: delivery = .whenKeepingUp
        case .state, .question, .answered: delivery = .always
        case .finished(let end):
            delivery = .always
            let complete = attachFiles(to: end)
            files = complete.files
            event.event = .finished(complete.end)
            if handling == .handOver, !files.isEmpty { given = event.run }
        }
        clients.post(event, to: subscribers, descriptors: files, delivery, giving: given)
    }

    private func answer(_ answer: ClientAnswer, id: UInt64, to client: ClientID) {
        guard case .ended(let end) = answer else { return clients.post(.answer(id: id, answer), to: client) }
        let complete = attachFiles(to: end)
        clients.post(.answer(id: id, .ended(complete.end)), to: client, descriptors: complete.files)
    }

    private func tell(_ slot: SlotID, _ command: WorkerCommand) {
        guard let worker = workers[slot] else { return }
        // The client of the run waits for its result, and no client for the worker's exit.
        if case .acknowledge = command { clients.sendUrgent() }
        var files: [SharedFileDescriptor] = []
        if case .perform(let perform) = command { files = inputs[perform.run] ?? [] }
        if case .answer(_, _, let count) = command, let run = runTable.run(of: slot) {
            files = Array((answerFiles.removeValue(forKey: run) ?? []).prefix(count))
        }
        do {
            while files.count > Frame.descriptorLimit {
                let part = Array(files.prefix(Frame.descriptorLimit))
                try worker.send(.files(count: part.count), files: part)
                files.removeFirst(part.count)
            }
            try worker.send(command, files: files)
            // Not before: where this intentd dies in between, the next one has them.
            if case .perform(let perform) = command { inputsTaken(by: perform.run) }
        } catch {
            // The request was bounded when it arrived. Only a default of the app can have made it larger.
            handle(.violated(slot, message: "\(error)"))
        }
    }
}
