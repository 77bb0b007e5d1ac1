import CIntentWorker
import Glibc
import IntentCommands
import IntentLauncherMessages
import IntentLinux
import IntentWorker

/// A worker that performs one run of a program and exits. A single thread starts the program, and waits for all events.
final class CommandWorker {
    private let file: CommandFile
    private let processName: ProcessName
    private let link = SupervisorLink()
    private let childEvent = intentd_event_create()
    /// The path of the run folder, with all links resolved.
    private let folder: String

    init(_ file: CommandFile, as processName: ProcessName) {
        self.file = file
        self.processName = processName
        guard let folder = File.currentFolder else {
            WorkerExitStatus.configuration("cannot determine the run folder (getcwd(3)): \(Errno(rawValue: errno))")
        }
        self.folder = folder
        let error = childEvent < 0 ? errno : intentd_exits_signal(childEvent)
        guard error == 0 else { WorkerExitStatus.configuration("cannot watch for SIGCHLD: \(Errno(rawValue: error))") }
    }

    func run() -> Never {
        ProcessName.runThread.nameThisThread()
        report(.hello(Hello(software: "AppIntents \(Hello.softwareVersion)")))
        let (command, files) = link.receiveRun { report($0) }
        processName.nameThisProcess()
        setenv("INTENTD_RUN", command.run.text, 1)
        if let traceparent = command.traceparent { setenv("TRACEPARENT", traceparent, 1) }
        guard let intent = file.intent(command.intent) else {
            report(.started)
            return refuse("unknown intent '\(command.intent)'")
        }
        if let query = command.query {
            report(.started)
            do {
                let options = try PrintedOptions(of: query, intent, command.values.byName, output: output)
                return finish(WorkerResult(ending: .returned(value: options.value(matching: query.text), dialog: nil)))
            } catch {
                return finish(CommandIntent.failure(error))
            }
        }
        perform(intent, command.values.byName, files)
    }

    private func report(_ report: WorkerReport) {
        do {
            try link.send(report)
        } catch {
            guard case .finished = report else { preconditionFailure("a report without a value is small: \(error)") }
            let message = "the result is too large (\(error)); return a file with %{out:NAME}"
            finish(CommandIntent.failure(ArgumentError(message)))
        }
    }

    private func refuse(_ message: String) -> Never { finish(CommandIntent.failure(ArgumentError(message))) }

    /// Reports the result of a run without a program, and waits for the acknowledgement.
    private func finish(_ result: WorkerResult) -> Never {
        report(.finished(result))
        while true {
            switch link.receive(waiting: .untilSent) {
            case .command(.acknowledge, _): WorkerExitStatus.done()
            case .command(.resume(let number), _):
                report(.resumed(WorkerState(number: number, hasBegun: true)))
                report(.finished(result))
            case .command: continue
            case .nothing, .end: WorkerExitStatus.done()
            }
        }
    }

    // MARK: Run

    private func perform(
        _ intent: CommandIntent,
        _ given: [String: IntentValue],
        _ files: [SharedFileDescriptor]
    ) -> Never {
        let session = ProgramSession(intent, given, InputFiles(files, folder: folder), folder: folder)
        var run = CommandRun(intent)
        carryOut(run.begin(), session)
        do {
            for parameter in intent.parameters where parameter.optionsCommand != nil {
                try PrintedOptions.check(parameter, of: intent, given, output: output)
            }
            try session.start()
        } catch {
            carryOut(run.ended(CommandIntent.failure(error)), session)
        }
        loop(&run, session)
    }

    private func loop(_ run: inout CommandRun, _ session: ProgramSession) -> Never {
        while true {
            let now = ClockReading.monotonicNanoseconds()
            carryOut(run.timePassed(at: now), session)
            var sources = [
                pollfd(fd: SupervisorLink.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: childEvent, events: Int16(POLLIN), revents: 0),
            ]
            let own = sources.count
            sources += session.interests
            let wait = run.nextDelay(at: now).map { Int32(clamping: ($0 + 999_999) / 1_000_000) } ?? -1
            // Ignore the result. The code below checks all sources, even after an interruption.
            _ = poll(&sources, nfds_t(sources.count), wait)
            let later = ClockReading.monotonicNanoseconds()
            for event in session.proceed(sources[own...].map { $0.revents != 0 }) {
                switch event {
                case .progress(let progress, let status):
                    carryOut(run.progressed(to: progress, status: status, at: later), session)
                case .printed(let byteCount): carryOut(run.printed(byteCount: byteCount, at: later), session)
                case .asked(let request, let asker): carryOut(run.asked(request, by: asker), session)
                case .askerLeft(let asker): carryOut(run.askerLeft(asker), session)
                }
            }
            if sources[1].revents != 0 {
                intentd_event_clear(childEvent)
                if let result = session.reap(isCancelled: run.isCancelled) { carryOut(run.ended(result), session) }
            }
            if sources[0].revents != 0 { receiveCommands(&run, session) }
        }
    }

    private func receiveCommands(_ run: inout CommandRun, _ session: ProgramSession) {
        while true {
            switch link.receive(waiting: .never) {
            case .command(let command, _):
                guard let actions = run.received(command) else { link.refuse(command, when: "during the run") }
                carryOut(actions, session)
            case .nothing: return
            case .end: run.isFinished ? WorkerExitStatus.done() : WorkerExitStatus.supervisorExited()
            }
        }
    }

    private func carryOut(_ actions: [CommandRun.Action], _ session: ProgramSession) {
        for action in actions {
            switch action {
            case .report(let report): self.report(report)
            // Ignore a failure, because the worker has no other output.
            case .note(let text): try? File.write(STDERR_FILENO, Array((text + "\n").utf8)[...])
            case .signal(let signal): session.signal(signal.number)
            case .startCancel(let reason): session.startCancel(reason)
            case .cancelCall, .answer: preconditionFailure("a program has no call of a tool")
            case .reply(let asker, let reply): session.reply(reply, to: asker)
            case .exit:
                session.removeFiles()
                WorkerExitStatus.done()
            }
        }
    }
}

extension CommandWorker {
    /// Runs a program until it exits, and returns its standard output.
    private func output(of arguments: [String]) throws -> [UInt8] {
        let pipe = try Pipe()
        let process = try ProgramProcess(
            ProgramProcess.Plan(
                arguments: arguments,
                environment: ProgramProcess.inheritedEnvironment(),
                output: pipe.writing
            )
        )
        let reading = pipe.closingWriting()
        var output: [UInt8] = []
        var end: ProcessEnd?
        try reading.setNonblocking()
        while true {
            var sources = [
                pollfd(fd: reading.rawValue, events: Int16(POLLIN), revents: 0),
                pollfd(fd: childEvent, events: Int16(POLLIN), revents: 0),
            ]
            if end == nil { _ = poll(&sources, 2, -1) }
            intentd_event_clear(childEvent)
            end = end ?? process.reap()
            while let bytes = try File.read(reading.rawValue, upTo: 16 << 10), !bytes.isEmpty {
                output += bytes
                guard output.count <= ProgramEnd.outputLimit else {
                    throw ArgumentError(
                        "'\(arguments[0])' printed more than \(ProgramEnd.outputLimit >> 10) KiB; print fewer options"
                    )
                }
            }
            guard let end else { continue }
            guard end == .exited(code: 0) else {
                throw ArgumentError("cannot list the options: '\(arguments[0])' \(end.text)")
            }
            return output
        }
    }
}
