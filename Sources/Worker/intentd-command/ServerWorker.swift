import Glibc
import IntentCommands
import IntentLauncherMessages
import IntentLinux
import IntentWorker

/// A worker that calls one tool of an MCP server and exits.
///
/// The server is started before the run is known, so the server of a spare has already listed its tools.
final class ServerWorker {
    private let arguments: [String]
    private let file: CommandFile
    private let processName: ProcessName
    private let link = SupervisorLink()
    private var driver: ServerDriver
    /// The path of the run folder, with all links resolved.
    private let folder: String
    /// The failure of a server before its run has begun.
    private var earlyFault: ToolFault?
    private var form: ServerForm?

    init(_ arguments: [String], _ file: CommandFile, as processName: ProcessName) {
        (self.arguments, self.file, self.processName) = (arguments, file, processName)
        guard let folder = File.currentFolder else {
            WorkerExitStatus.configuration("cannot determine the run folder (getcwd(3)): \(Errno(rawValue: errno))")
        }
        self.folder = folder
        driver = ServerDriver(arguments, file)
    }

    func run() -> Never {
        ProcessName.runThread.nameThisThread()
        report(.hello(Hello(software: "AppIntents \(Hello.softwareVersion)")))
        driver.start()
        waitForRun()
        let (command, _) = link.receiveRun { report($0) }
        driver.beginPrinting()
        if earlyFault != nil {
            // What the server lacked when the spare began may be there now.
            earlyFault = nil
            driver = ServerDriver(arguments, file)
            driver.beginPrinting()
            driver.start()
        }
        perform(command)
    }

    /// Serves the server until a command arrives.
    private func waitForRun() {
        while !link.hasInput {
            let link = pollfd(fd: SupervisorLink.descriptor, events: Int16(POLLIN), revents: 0)
            for action in driver.step([link], until: nil).actions {
                switch action {
                case .failed(let fault): earlyFault = fault
                case .listed: if !self.link.hasInput { rehearse() }
                default: break
                }
            }
        }
    }

    /// Simulates the run of a spare. Its reports are discarded.
    private func rehearse() {
        guard let command = RehearsedCommand.make() else { return }
        var run = CommandRun(CommandIntent(ofTool: command.intent))
        var actions = run.begin()
        for case .returned(let outcome) in driver.connection.rehearsal() { actions += run.ended(result(of: outcome)) }
        for case .report(let report) in actions {
            _ = try? Frame.encode(WireCoding.encode(report), limit: Frame.recordLimit)
        }
    }

    private func report(_ report: WorkerReport) {
        do {
            try link.send(report)
        } catch {
            guard case .finished = report else { preconditionFailure("a report without a value is small: \(error)") }
            let message = "the result of the tool is too large (\(error))"
            self.report(.finished(CommandIntent.failure(ArgumentError(message), code: ToolFault.Code.server.name)))
        }
    }

    // MARK: Run

    private func perform(_ command: PerformCommand) -> Never {
        var run = CommandRun(CommandIntent(ofTool: command.intent))
        carryOut(run.begin(), &run)
        driver.call(
            ToolCall(
                intent: command.intent,
                version: command.version,
                values: command.values.byName,
                traceparent: command.traceparent
            )
        )
        // While the server works.
        processName.nameThisProcess()
        while true {
            let now = ClockReading.monotonicNanoseconds()
            carryOut(run.timePassed(at: now), &run)
            let source = pollfd(fd: SupervisorLink.descriptor, events: Int16(POLLIN), revents: 0)
            let (ready, actions) = driver.step([source], until: run.nextDelay(at: now))
            for action in actions { handle(action, &run) }
            if run.isCancelled, driver.hasExited {
                carryOut(run.ended(WorkerResult(ending: .threwCancellation)), &run)
            }
            if ready[0] { receiveCommands(&run) }
        }
    }

    private func handle(_ action: ServerConnection.Action, _ run: inout CommandRun) {
        guard !run.isFinished, !run.isCancelled else { return }
        switch action {
        case .progress(let progress):
            carryOut(run.progressed(to: progress.report, at: ClockReading.monotonicNanoseconds()), &run)
        case .ask(let form):
            self.form = form
            ask(&run)
        case .withdraw:
            form = nil
            carryOut(run.askerLeft(0), &run)
        case .returned(let outcome):
            // The output of a run precedes its end. A server that learns that it is no longer needed would take the processor.
            driver.flush()
            carryOut(run.ended(result(of: outcome)), &run)
            driver.closeInput()
        case .failed(let fault):
            driver.flush()
            carryOut(run.ended(failure(fault)), &run)
        case .send, .restart, .log, .listed: return
        }
    }

    private func ask(_ run: inout CommandRun) {
        guard let question = form?.question else { return }
        carryOut(run.asked(question), &run)
    }

    /// Passes an answer to the form, and asks the form's next question.
    private func answered(_ value: IntentValue?, _ run: inout CommandRun) {
        guard let reply = form?.reply(value) else { return ask(&run) }
        form = nil
        driver.answered(reply)
    }

    private func receiveCommands(_ run: inout CommandRun) {
        while true {
            switch link.receive(waiting: .never) {
            case .command(let command, _):
                guard let actions = run.received(command) else { link.refuse(command, when: "during the run") }
                carryOut(actions, &run)
            case .nothing: return
            case .end: run.isFinished ? WorkerExitStatus.done() : WorkerExitStatus.supervisorExited()
            }
        }
    }

    private func carryOut(_ actions: [CommandRun.Action], _ run: inout CommandRun) {
        for action in actions {
            switch action {
            case .report(let report): self.report(report)
            case .note(let text): driver.log(text)
            case .answer(let value): answered(value, &run)
            case .cancelCall(let reason):
                form = nil
                driver.cancel(reason)
            case .exit:
                driver.stop()
                WorkerExitStatus.done()
            case .signal, .startCancel, .reply: preconditionFailure("the run of a tool starts no other program")
            }
        }
    }

    // MARK: Result

    private func result(of outcome: ToolOutcome) -> WorkerResult {
        do {
            let (value, files) = try outcome.value()
            let output = "\(folder)/\(CommandIntent.outputFolder)"
            if !files.isEmpty { try syscall("mkdir", on: output) { mkdir(output, 0o755) } }
            for file in files {
                let flags = O_WRONLY | O_CREAT | O_EXCL
                let descriptor = try File.open("\(output)/\(file.name)", flags, permissions: 0o600)
                try File.write(descriptor.rawValue, file.contents[...])
            }
            return WorkerResult(
                ending: .returned(value: value, dialog: nil),
                files: files.map { .path("\(CommandIntent.outputFolder)/\($0.name)") }
            )
        } catch let fault as ToolFault {
            return failure(fault)
        } catch {
            return CommandIntent.failure(ArgumentError("cannot write a file of the result: \(error)"))
        }
    }

    private func failure(_ fault: ToolFault) -> WorkerResult {
        var result = CommandIntent.failure(ArgumentError(fault.message), code: fault.code.name)
        // What the tool says explains its failure best. A server that ended has printed why.
        result.details?.failedCall = FailedCall(lines: fault.message) ?? FailedCall(lines: driver.lastErrors)
        return result
    }
}
