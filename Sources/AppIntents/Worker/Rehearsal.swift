import CIntentWorker
import IntentLinux
import IntentWire

/// A run of an intent that does nothing and reports to nothing.
///
/// A fork server performs it once, so that the runtime has loaded the types. Each worker performs it while it waits, so
/// that its own copies of the written pages exist when its run begins.
enum Rehearsal {
    /// It is found like the app's own intents, and left out of the catalogue.
    struct Nothing: AppIntent {
        static let title: LocalizedStringResource = "Nothing"

        @Parameter(title: "Number") var number: Int
        @Parameter(title: "Text") var text: String?

        func perform() async throws -> some IntentResult & ReturnsValue<Int> & ProvidesDialog {
            .result(value: number + 1, dialog: "Nothing")
        }
    }

    static func perform(with registry: IntentRegistry) {
        guard intentd_take_jobs() != 0, let command = command() else { return }
        let reporter = RunReporter { report, _, _ throws(FrameError) in
            _ = try Frame.encode(WireCoding.encode(report), limit: Frame.recordLimit)
            return true
        }
        reporter.report(.started)
        _ = registry.type(named: command.intent)
        let type: any AppIntent.Type = Nothing.self
        let directory = ".".withoutLinks ?? "/"
        let session = RunSession(asking: .none) {}
        session.start(
            { await type.run(values: command.values.byName, files: IncomingFiles([]), directory: directory) },
            ended: { [reporter, session] ending in reporter.finish(session, with: ending) }
        )
        // The reporting thread's work in a real run. No question is open here.
        _ = reporter.sendChanges(session)
        session.questions.answer(0, nil)
        intentd_perform_waiting_job()
    }

    /// The command as a worker decodes it.
    private static func command() -> PerformCommand? {
        let command = PerformCommand(
            run: RunID(randomBits: 0),
            intent: "",
            values: ["number": .int(1), "text": .string("x")],
            fileCount: 0
        )
        // A command that this process encoded can be decoded.
        guard
            let record = try? Frame.encode(
                WireCoding.encode(WorkerCommand.perform(command)),
                limit: Frame.recordLimit
            ),
            case .perform(let read)? = try? WireCoding.decode(WorkerCommand.self, from: Frame.decode(record: record))
        else { return nil }
        return read
    }
}
