import Glibc
import IntentConfiguration
import IntentDaemon
import IntentHistory
import IntentLauncherMessages
import IntentLifecycle
package import IntentLinux
package import IntentSystemd

/// An actor that connects the parts of the supervisor: it passes their events to the run table, and performs the
/// table's actions in order.
///
/// The supervisor makes no decisions. Each part has its own state, and all parts run on one event loop.
package actor Supervisor {
    package nonisolated let loop: EventLoop
    private let decisions: RunDecisions
    private let launcher: LauncherConnection
    private let clients: ClientSessions
    private let listener: ClientListener
    private let workers: WorkerLinks
    private let timers: RunTimers
    private let output: RunJournal
    private let recorder: Recorder
    private let files: PassedFiles
    private let results: RunResults
    private let adoption: Adoption
    private let ending: Ending
    private let requests: ClientRequests
    private let upkeep: Upkeep

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    package init(_ options: SupervisorOptions, on loop: EventLoop, journal: Journal) throws(SystemError) {
        self.loop = loop
        let faults = FaultPoints()
        let closing = try ClosingThreads()
        let history: History? = if let settings = options.history { try History(settings) } else { nil }
        let apps = AppDirectory(options.installation, catalogsIn: options.catalogFolder, journal: journal)
        let capacity = RunTable.Capacity(apps.readSettings(), apps)
        let table = RunTable(capacity: capacity, succession: history == nil ? .none : .adopts, at: .current)
        decisions = RunDecisions(table)
        launcher = LauncherConnection(options.launcher, outlivesSupervisor: options.launcherStays, journal: journal)
        clients = try ClientSessions(on: loop, journal: journal, closing: closing, operators: options.operators)
        listener = ClientListener(options, on: loop, journal: journal)
        workers = try WorkerLinks(
            on: loop,
            journal: journal,
            decisions: decisions,
            launcher: launcher,
            closing: closing,
            waitsForDebugger: options.waitsForDebugger
        )
        output = RunJournal(journal, names: { [decisions] in decisions.table.names(of: $0) })
        recorder = Recorder(history, on: loop, journal: journal, decisions: decisions, clients: clients, faults: faults)
        timers = RunTimers(
            on: loop,
            journal: journal,
            decisions: decisions,
            workers: workers,
            launcher: launcher,
            observes: history != nil,
            late: { [recorder] in recorder.metrics.overshot(nanoseconds: $0) }
        )
        files = PassedFiles(
            journal: journal,
            decisions: decisions,
            launcher: launcher,
            closing: closing,
            copies: try FileCopies(on: loop, closer: closing.closer(for: .others)),
            faults: faults,
            outliveSupervisor: options.launcherStays && history != nil
        )
        results = RunResults(
            on: loop,
            journal: journal,
            decisions: decisions,
            launcher: launcher,
            workers: workers,
            apps: apps
        )
        adoption = Adoption(
            on: loop,
            journal: journal,
            decisions: decisions,
            launcher: launcher,
            workers: workers,
            files: files,
            recorder: recorder,
            apps: apps
        )
        ending = Ending(
            of: options.unit,
            on: loop,
            journal: journal,
            decisions: decisions,
            launcher: launcher,
            clients: clients,
            leavesRuns: { [launcher, recorder] in launcher.outlivesSupervisor && recorder.notes != nil }
        )
        requests = ClientRequests(
            journal: journal,
            decisions: decisions,
            clients: clients,
            apps: apps,
            files: files,
            recorder: recorder,
            launcher: launcher,
            workers: workers,
            results: results,
            upgrade: try ProgramUpgrade(of: ProcessFacts.executablePath(), on: loop, journal: journal, ending: ending),
            tickets: QuestionTickets(keptIn: options.history?.folder, journal: journal)
        )
        upkeep = Upkeep(
            on: loop,
            journal: journal,
            decisions: decisions,
            launcher: launcher,
            recorder: recorder,
            apps: apps,
            samplesUsage: history != nil
        )
    }

    /// Starts all parts. Run the loop afterwards.
    package func start() throws(SystemError) {
        decisions.start(
            perform: { action in self.recorder.pass(action) },
            sendPosted: { self.clients.outbox.send() },
            performed: {
                self.recorder.sendRecords()
                self.upkeep.runsChanged()
            }
        )
        workers.start { slot, input in self.received(input, in: slot) }
        adoption.start { self.serve() }
        try clients.start { event in self.received(event) }
        try recorder.start(
            perform: { action in self.perform(action) },
            reported: { unfinished in self.adoption.receive(unfinished) },
            answered: { number, answer in self.requests.questions.answered(number, answer) },
            problemChanged: { self.upkeep.updateStatus() }
        )
        try ending.start(isPrivate: listener.onlyClient != nil)
        try upkeep.start()
        // Start the connection last. If the launcher has already exited, every part must be ready to handle its loss.
        try launcher.start(
            on: loop,
            received: { report, descriptors in self.received(report, descriptors) },
            ended: { reason in self.launcherEnded(reason) }
        )
    }

    /// Writes the records that are not on disk yet, for at most 3 s.
    ///
    /// - Returns: The program to execute next in this process; nil if the process must exit.
    package func finish() -> String? {
        recorder.history?.finish(within: .seconds(3))
        return ending.successor
    }

    /// Starts serving clients after the adoption is complete.
    private func serve() {
        listener.sockets.start(accepted: { connection in self.clients.add(connection) }, failed: { self.ending.stop() })
        if let client = listener.onlyClient { listener.onlyClientID = clients.add(client) }
        requests.start(expectingRunOf: listener.clientExpectedToRun)
    }

    // MARK: Events

    private func received(_ event: ClientSessions.Event) {
        switch event {
        case .asked(let session, let request): requests.serve(request, from: session)
        case .left(let client):
            decisions.handle(.clientLeft(client))
            if client == listener.onlyClientID { decisions.handle(.stopRequested) }
            ending.exitIfDrained()
        case .subordinatesRead(let subordinates):
            decisions.handle(.subordinatesRead(subordinates))
            recorder.history?.share(by: subordinates)
        case .failed: ending.stop()
        }
    }

    private func received(_ report: LaunchReport, _ descriptors: [SharedFileDescriptor]) {
        switch report {
        case .hello(_, let isolation, let process, let problem):
            launcher.problem = problem
            if problem == nil, let folder = descriptors.first { results.keep(in: folder, for: recorder.history) }
            decisions.fence = SpareFence(descriptors.dropFirst())
            clients.launcherProcess = process ?? launcher.peerProcess
            let isFirst = decisions.table.isolation == nil
            decisions.handle(.isolationReported(isolation))
            upkeep.updateStatus()
            if isFirst { launcher.send(.adopt) }
        case _ where !adoption.isComplete: adoption.receive(report, descriptors)
        case .keptInputs(let run): if let socket = descriptors.first { files.close(socket, of: run) }
        case .kept, .adopted: launcher.reportRepetition()
        case .launched(let slot, let process, let isolation): workers.launched(slot, process, isolation, descriptors)
        case .launchFailed(let slot, let failure): decisions.handle(.launchFailed(slot, failure))
        case .opened(let slot, let writable): results.opened(slot, descriptors, writable: writable)
        case .openFailed(let slot, let message): results.openFailed(slot, message)
        case .observed(let slot, let observation): recorder.record(observation, of: workers.run(of: slot))
        case .usage(let slots): recorder.record(slots.map { ($0.sample, workers.run(of: $0.slot)) })
        case .outdated(let slots, let path): decisions.outdated(slots, path: path)
        case .hosts(let slots, let event): decisions.handle(.hosts(slots, event))
        case .credentials: requests.notifications.received(report, descriptors)
        case .ended(let slot, let end): workers.ended(slot, end)
        }
    }

    private func launcherEnded(_ reason: String) {
        if ending.launcherExited() { return }
        launcher.reportLoss(reason)
        recorder.notes?.log.close()
        decisions.handle(.launcherLost)
    }

    private func received(_ input: WorkerLink.Input, in slot: SlotID) {
        switch input {
        case .report(.resumed(let state)):
            recorder.notes?.adopting(slot) { decisions.handle(.reported(slot, .resumed(state))) }
        case .report(let report):
            if case .finished = report, decisions.table.mayHaveRefusals(in: slot) { launcher.drain() }
            decisions.handle(.reported(slot, report))
            if case .progress = report { workers.noteProgress(in: slot) }
        case .violation(let message): decisions.handle(.violated(slot, message: message))
        case .output(let stream, let text):
            if let run = decisions.table.run(of: slot) {
                output.print(text, of: run, to: stream)
                recorder.record(text, of: run, to: stream)
            }
            decisions.handle(.printed(slot, stream, text: text))
            recorder.sendRecords()
        }
    }

    // MARK: Actions

    private func perform(_ action: RunTable.Action) {
        switch action {
        case .record: break
        case .answer(let client, let id, let answer): send(answer, id: id, to: client)
        case .publish(let subscribers, let event): publish(event, to: subscribers)
        case .launch(let request): launcher.send(.launch(request))
        case .send(let slot, let run, let command): send(command, of: run, to: slot)
        case .decide(_, let question, let permits): launcher.send(.decide(question, isPermitted: permits))
        case .keep(let run, let remainder): files.keep(remainder, for: run)
        case .signal(let slot, let signal): launcher.send(.signal(slot: slot, signal))
        case .collect(let slot, let run, let files): results.collect(files, of: run, in: slot)
        case .discardFiles(let slot, _): results.discardFiles(in: slot)
        case .release(let slot, _):
            workers.release(slot)
            results.release(slot)
            recorder.notes?.remove(slot)
        case .note(let note): recorder.notes?.write(note)
        case .armTimer(let timer, let instant): timers.arm(timer, at: instant)
        case .disarmTimer(let timer): timers.disarm(timer)
        case .log(let line): output.log(line)
        case .notify(let step): requests.notifications.perform(step)
        case .conduct(let run, let task): requests.shortcuts.perform(task, of: run)
        case .catalogued: upkeep.reportReady()
        case .reportBroken(let app, let problem): output.reportBroken(app, problem)
        case .forget(let run): forget(run, files.forget)
        case .handOver(let run): forget(run, files.handOver)
        case .quit(let cause): ending.quit(cause)
        }
    }

    private func forget(_ run: RunID, _ releaseFiles: (RunID) -> Void) {
        releaseFiles(run)
        requests.forget(run)
        for timer in [RunTable.TimerID.run(run), .owner(run)] { timers.disarm(timer) }
        results.forget(run)
        recorder.allowances[run] = nil
        output.close(run)
    }

    private func publish(_ event: NumberedEvent, to subscribers: [ClientID]) {
        guard case .finished(let end) = event.event else { return clients.post(event, to: subscribers) }
        if subscribers.contains(.shortcuts) { requests.shortcuts.ended(end) }
        let complete = results.attachFiles(to: end)
        let finished = NumberedEvent(run: event.run, serial: event.serial, .finished(complete.end))
        clients.post(finished, to: subscribers, descriptors: complete.files)
    }

    private func send(_ answer: ClientAnswer, id: UInt64, to client: ClientID) {
        guard case .ended(let end) = answer else { return requests.post(answer, id: id, to: client) }
        let complete = results.attachFiles(to: end)
        clients.post(.answer(id: id, .ended(complete.end)), to: client, descriptors: complete.files)
    }

    private func send(_ command: WorkerCommand, of run: RunID, to slot: SlotID) {
        // Send the result to its client first, because no client is waiting for the worker to exit.
        if case .acknowledge = command { clients.outbox.sendUrgent() }
        guard workers.send(command, files: files.files(for: command, of: run), to: slot) else { return }
        // Release the files only now. If this intentd exited before this point, the next intentd would need the files.
        if case .perform = command { files.runHasFiles(run) }
    }
}
