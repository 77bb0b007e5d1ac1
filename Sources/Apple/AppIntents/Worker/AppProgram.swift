import CIntentWorker
import Foundation
import IntentSharedTypes
import IntentWorker
import IntentWorkerMessages

/// An app's program, which performs one of the app's intents in each run.
struct AppProgram: WorkerProgram {
    private let registry: IntentRegistry
    /// The closure that creates the app. The app registers its dependencies when it is created.
    private let makeApp: CreatedApp.Maker

    static func run(makeApp: @escaping CreatedApp.Maker) -> Never {
        WorkerProcess.run { try AppProgram(registry: .ofProgram(), makeApp: makeApp) }
    }

    func catalog() throws -> IntentCatalog { try registry.catalog() }

    func examine() -> [String] {
        // WorkerProcess calls this method on the main thread.
        MainActor.assumeIsolated { CreatedApp.create(makeApp) }
        return DependencyInspection.warnings(intents: registry.types)
    }

    func warmUp() {
        Localization.warmUp()
        // Ignore an error, because intentd does not start a fork server for an app without a valid catalogue.
        _ = try? WireCoding.encode(WorkerReport.catalog(registry.catalog()))
        _ = EntityConformances.ofProgram
        Rehearsal.perform(with: registry)
        for report in [.hello(Hello(software: "")), .progress(IntentProgress().report)] as [WorkerReport] {
            _ = WireCoding.encode(report)
        }
        for type in registry.types { IntentInspection.warmUp(type) }
        let progress = Progress(totalUnitCount: 2)
        progress.completedUnitCount = 1
        _ = progress.fractionCompleted
        _ = OnceWorker.acknowledgement
        intentd_rehearse_thread()
        // Discard the memory pages that only the catalogue needed. The second rehearsal loads the pages that runs need.
        intentd_drop_unchanged_data()
        Rehearsal.perform(with: registry)
    }

    func performRun(as processName: ProcessName) -> Never {
        OnceWorker(registry: registry, makeApp: makeApp, processName: processName).run()
    }

    func runStandalone() -> Never { StandaloneRun(registry: registry, makeApp: makeApp).run() }
}
