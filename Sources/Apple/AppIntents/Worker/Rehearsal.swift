import CIntentWorker
import IntentLinux
import IntentSharedTypes
import IntentWorker
import IntentWorkerMessages

/// A simulated run of an intent that does nothing. Its reports are discarded.
///
/// A fork server performs the rehearsal so that the Swift runtime loads its types before the fork. A worker that is
/// waiting for its run performs the rehearsal so that, before the run begins, the kernel copies the memory pages to
/// which a run writes.
enum Rehearsal {
    /// An intent that does nothing. The worker finds it in the same way as the app's intents, but omits it from the
    /// catalogue.
    struct Nothing: AppIntent {
        static let title: LocalizedStringResource = "Nothing"

        @Parameter(title: "Number") var number: Int
        @Parameter(title: "Text") var text: String?

        func perform() async throws -> some IntentResult & ReturnsValue<Int> & ProvidesDialog {
            .result(value: number + 1, dialog: "Nothing")
        }
    }

    static func perform(with registry: IntentRegistry) {
        guard intentd_take_jobs() != 0, let command = RehearsedCommand.make() else { return }
        let reporter = RunReporter { report, _, _ throws(FrameError) in
            _ = try Frame.encode(WireCoding.encode(report), limit: Frame.recordLimit)
            return true
        }
        reporter.report(.started)
        _ = registry.type(named: command.intent)
        let type: any AppIntent.Type = Nothing.self
        let directory = File.realPath(".") ?? "/"
        let defaults = KeptDefaults(runFolder: directory, isRehearsal: true)
        let session = RunSession(asking: .none) {}
        session.start(
            { await type.run(values: command.values.byName, files: IncomingFiles([]), directory: directory) },
            ended: { [reporter, session] ending in
                reporter.finish(session, with: defaults?.saved(ending) ?? ending)
            }
        )
        // In a real run, the second thread makes these calls. No question is open in a rehearsal.
        _ = reporter.sendChanges(session)
        session.questions.answer(0, nil)
        intentd_perform_waiting_job()
    }
}
