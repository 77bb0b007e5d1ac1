import CIntentWorker
import Glibc
import IntentLinux
import IntentSharedTypes
import IntentWorker
import IntentWorkerMessages

/// A worker that performs one intent and exits.
///
/// One thread waits for the run and then performs it, so no thread has to be woken. A second thread receives commands
/// from `intentd` and sends progress. It is started only when there is something to receive or send. In a short run,
/// the first thread receives the acknowledgement itself.
final class OnceWorker: Sendable {
    private let link = SupervisorLink()
    private let reporter: RunReporter
    private let registry: IntentRegistry
    private let makeApp: CreatedApp.Maker
    private let processName: ProcessName
    private let session: RunSession

    /// The frame with which `intentd` acknowledges the result, after which the worker exits. The fork server encodes
    /// the frame once for all workers.
    static let acknowledgement =
        (try? Frame.encode(WireCoding.encode(WorkerCommand.acknowledge), limit: Frame.recordLimit)) ?? []

    /// Creates a worker.
    ///
    /// - Parameter processName: The name that this process receives when its run begins.
    init(
        registry: IntentRegistry,
        makeApp: @escaping CreatedApp.Maker,
        processName: ProcessName
    ) {
        self.processName = processName
        self.registry = registry
        self.makeApp = makeApp
        reporter = RunReporter { [link] report, descriptors, waiting throws(FrameError) in
            try link.send(report, descriptors: descriptors, waiting: waiting)
        }
        session = RunSession(asking: .intentd) { intentd_run_has_events() }
    }

    func run() -> Never {
        ProcessName.runThread.nameThisThread()
        reporter.report(.hello(Hello(software: "AppIntents \(Hello.softwareVersion)")))
        if !link.hasInput { Rehearsal.perform(with: registry) }
        begin()
        intentd_perform_jobs()
        listen()
    }

    // MARK: The thread of the run

    private func begin() {
        let (command, files) = link.receiveRun { reporter.report($0) }
        reporter.report(.started)
        start(command, IncomingFiles(files))
    }

    private func start(_ command: PerformCommand, _ files: IncomingFiles) {
        // Set the environment variables for the app's logs before any of the app's code is executed.
        setenv("INTENTD_RUN", command.run.text, 1)
        if let traceparent = command.traceparent { setenv("TRACEPARENT", traceparent, 1) }
        if let locale = command.locale { RunLocale.choose(locale) }
        RunCaller.choose(by: command)
        let runFolder = File.realPath(".") ?? "/"
        let defaults = KeptDefaults(runFolder: runFolder)
        let listener = ThreadBody { self.listen() }
        _ = intentd_take_jobs()
        session.start(
            { [registry, makeApp] in
                guard let type = registry.type(named: command.intent) else {
                    return RunEnding(.threw(message: "unknown intent '\(command.intent)'"))
                }
                await CreatedApp.createForRun(makeApp)
                return if let query = command.query {
                    await type.options(query, values: command.values.byName, files: files)
                } else {
                    await type.run(values: command.values.byName, files: files, directory: runFolder)
                }
            },
            ended: { [reporter, session] ending in
                let ending = defaults?.saved(ending) ?? ending
                intentd_run_is_over()
                reporter.finish(session, with: ending)
            }
        )
        // Call this only after the session has started: from now on, the second thread may receive a cancellation, and
        // cancelling a session that has not started has no effect.
        intentd_run_has_begun(
            processName.bytes,
            ThreadBody.enter,
            Unmanaged.passRetained(listener).toOpaque(),
            Self.acknowledgement,
            Self.acknowledgement.count
        )
    }

    // MARK: The second thread

    private func listen() -> Never {
        ProcessName.listener.nameThisThread()
        while true {
            waitForInput(reporter.sendChanges(session))
            receiveCommands()
        }
    }

    private func waitForInput(_ wait: RunReporter.Wait) {
        let milliseconds: Int32 =
            switch wait {
            case .forInput, .forRoom: -1
            // Round up. A timeout of 0 ms would make the loop repeat without a pause for the rest of the millisecond.
            case .forTime(let nanoseconds): Int32(clamping: (nanoseconds + 999_999) / 1_000_000)
            }
        let changeEvent = intentd_attendance_event()
        let events = Int16(wait == .forRoom ? POLLIN | POLLOUT : POLLIN)
        withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 2) { sources in
            sources.initializeElement(at: 0, to: pollfd(fd: SupervisorLink.descriptor, events: events, revents: 0))
            sources.initializeElement(at: 1, to: pollfd(fd: changeEvent, events: Int16(POLLIN), revents: 0))
            // Ignore EINTR, because the caller checks for changes and commands after every wait.
            _ = poll(sources.baseAddress, 2, milliseconds)
            if sources[1].revents != 0 { intentd_event_clear(changeEvent) }
        }
    }

    /// Receives all available commands.
    ///
    /// The worker exits only after its result has been recorded. Until then, a new supervisor can request the
    /// result again.
    private func receiveCommands() {
        while true {
            switch link.receive(waiting: .never) {
            case .command(.cancel(let reason, let graceMilliseconds), _):
                // Before the app reacts.
                if reason == .timeout, session.ending == nil { intentd_report_stacks() }
                let grace = Duration.milliseconds(max(0, graceMilliseconds))
                session.cancel(IntentCancellationReason(name: reason.name, deadline: .now + grace))
            case .command(.acknowledge, _) where session.ending != nil: WorkerExitStatus.done()
            case .command(.resume(let number), _): reporter.resume(session, number: number)
            // Ignore a reply that intentd sent to a question before it received the result.
            case .command(.answer, _) where session.ending != nil: continue
            case .command(.refuse, _) where session.ending != nil: continue
            case .command(.answer(let question, let value, _), let descriptors):
                session.questions.answer(question, GivenAnswer(value: value, files: IncomingFiles(descriptors)))
            case .command(.refuse(let question), _): session.questions.answer(question, nil)
            case .command(let command, _): link.refuse(command, when: "during the run")
            case .nothing: return
            case .end: session.ending == nil ? WorkerExitStatus.supervisorExited() : WorkerExitStatus.done()
            }
        }
    }
}
