import CIntentWorker
import Foundation
import Glibc
import IntentLinux
import IntentWire

/// A worker that performs one intent and exits; runs on a thread of its own.
struct OnceWorker {
    private let link = WorkerLink()
    private let registry: IntentRegistry
    private let makeApp: @Sendable () -> any AppIntentsExtension
    private let processName: ProcessName?
    private let wakeEvent: Int32
    private let session: RunSession
    private var pacer = ProgressPacer()
    private var isSocketFull = false

    /// - Parameter processName: What this process is called from when its run begins; nil to stay as it is.
    init(
        registry: IntentRegistry,
        makeApp: @escaping @Sendable () -> any AppIntentsExtension,
        processName: ProcessName? = nil
    ) {
        self.processName = processName
        self.registry = registry
        self.makeApp = makeApp
        let event = intentd_event_create()
        guard event >= 0 else { WorkerExit.configuration("eventfd failed: \(Errno(rawValue: errno))") }
        wakeEvent = event
        session = RunSession { intentd_event_signal(event) }
    }

    mutating func run() -> Never {
        report(.hello(Hello(software: "AppIntents \(Hello.softwareVersion)")))
        begin()
        while session.ending == nil {
            passOn()
            if session.ending == nil { waitForNews() }
            obey()
        }
        finish()
    }

    private func begin() {
        switch link.receive(waiting: .untilSent) {
        case .command(.perform(let command), let descriptors):
            guard descriptors.count == command.fileCount else {
                WorkerExit.protocolViolation("\(command.fileCount) files announced, \(descriptors.count) came")
            }
            report(.started)
            start(command, IncomingFiles(descriptors))
        case .command(let command, _): Self.refuse(command, when: "before the run")
        case .nothing, .end: WorkerExit.supervisorGone()
        }
    }

    private func start(_ command: PerformCommand, _ files: IncomingFiles) {
        processName?.take()
        // For the app's own logs. No other thread of the app's runs yet.
        setenv("INTENTD_RUN", command.run.text, 1)
        let runDirectory = ".".withoutLinks ?? "/"
        session.start { [registry, makeApp] in
            guard let type = registry.type(named: command.intent) else {
                return RunEnding(.threw(message: "this app has no intent '\(command.intent)'"))
            }
            let app = makeApp()
            let ending = await type.run(values: command.values, files: files, directory: runDirectory)
            return withExtendedLifetime(app) { ending }
        }
    }

    /// Reports what changed, without waiting for a full socket.
    private mutating func passOn() {
        let now = ClockReading.monotonicNanoseconds()
        pacer.update(
            isChanged: session.takeProgressChange(),
            hasUnfinishedChildren: session.progress.hasUnfinishedChildren,
            at: now
        )
        isSocketFull = false
        while let phase = session.nextPhase {
            guard report(.background(phase), waiting: .never) else { return isSocketFull = true }
            session.removePhase()
        }
        if pacer.isDue(at: now), let progress = pacer.take(session.progress.report, at: now) {
            if report(.progress(progress), waiting: .never) {
                pacer.sent(progress)
            } else {
                pacer.notSent()
                isSocketFull = true
            }
        }
    }

    private func waitForNews() {
        let socketEvents = isSocketFull ? POLLIN | POLLOUT : POLLIN
        var sources = [
            pollfd(fd: WorkerLink.descriptor, events: Int16(socketEvents), revents: 0),
            pollfd(fd: wakeEvent, events: Int16(POLLIN), revents: 0),
        ]
        // Rounded up: a wait of 0 ms would spin until the rest of a millisecond is over.
        let wait = isSocketFull ? nil : pacer.nextLook(at: ClockReading.monotonicNanoseconds())
        // Interrupted or not, what is there is found out by looking.
        _ = poll(&sources, 2, wait.map { Int32(clamping: ($0 + 999_999) / 1_000_000) } ?? -1)
        intentd_event_clear(wakeEvent)
    }

    private func obey() {
        while true {
            switch link.receive(waiting: .never) {
            case .command(.cancel(let reason, let graceMilliseconds), _):
                let grace = Duration.milliseconds(max(0, graceMilliseconds))
                session.cancel(IntentCancellationReason(name: reason.name, deadline: .now + grace))
            case .command(let command, _): Self.refuse(command, when: "during the run")
            case .nothing: return
            case .end: WorkerExit.supervisorGone()
            }
        }
    }

    private mutating func finish() -> Never {
        while let phase = session.nextPhase {
            report(.background(phase))
            session.removePhase()
        }
        let progress = session.progress.report
        if session.takeProgressChange() || pacer.lastReport != nil, progress != pacer.lastReport {
            report(.progress(progress))
        }
        // Before the result: whoever waits for it has then seen all that was printed.
        intentd_flush_output()
        if let ending = session.ending { send(ending) }
        waitForAcknowledgement()
    }

    private func send(_ ending: RunEnding) {
        do {
            try link.send(.finished(ending.result), descriptors: ending.descriptors)
        } catch {
            guard case .tooLarge(let byteCount, let limit) = error else {
                preconditionFailure("encoding a frame fails only on its size")
            }
            let message = """
                the result of \(byteCount) bytes is over the limit of \(limit). \
                Return large values as an IntentFile.
                """
            report(.finished(WorkerResult(ending: .threw(message: message))))
        }
    }

    /// The worker stays until its result is on record: a supervisor that starts anew can still ask for it.
    private func waitForAcknowledgement() -> Never {
        while true {
            switch link.receive(waiting: .untilSent) {
            case .command(.acknowledge, _), .end: WorkerExit.done()
            // It was on its way when the result was sent.
            case .command(.cancel, _), .command(.answer, _), .nothing: continue
            case .command(.perform, _): WorkerExit.protocolViolation("a second run was asked for")
            }
        }
    }

    @discardableResult
    private func report(_ report: WorkerReport, waiting: UnixSocket.Waiting = .untilSent) -> Bool {
        do {
            return try link.send(report, waiting: waiting)
        } catch {
            preconditionFailure("a report without app data is small: \(error)")
        }
    }

    private static func refuse(_ command: WorkerCommand, when: String) -> Never {
        let name =
            switch command {
            case .perform: "perform"
            case .cancel: "cancel"
            case .answer: "answer"
            case .acknowledge: "acknowledge"
            }
        WorkerExit.protocolViolation("the command '\(name)' has no place \(when)")
    }
}
