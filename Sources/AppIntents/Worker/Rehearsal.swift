import CIntentWorker
import IntentLinux
import IntentWire

/// A rehearsal of a run: an intent that does nothing is performed, and its reports are discarded.
///
/// A fork server performs it so that the runtime loads its types. Each worker performs it while it waits, so that it
/// has its own copies of the pages that a run writes when its run begins.
enum Rehearsal {
    /// An intent that does nothing. It is found like the app's own intents, but the catalogue omits it.
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
        // In a real run, the second thread makes these calls. No question is open here.
        _ = reporter.sendChanges(session)
        session.questions.answer(0, nil)
        intentd_perform_waiting_job()
    }

    /// Returns a command that was encoded and decoded, like a command that a worker receives.
    private static func command() -> PerformCommand? {
        let command = PerformCommand(
            run: RunID(randomBits: 0),
            intent: "",
            values: ["number": .int(1), "text": .string("x")],
            fileCount: 0
        )
        // Decoding cannot fail, because this process encoded the command.
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
