import CIntentWorker
import Dispatch
import Foundation
import Glibc
import IntentLinux
import IntentWire

/// An app's process: its mode and its threads.
enum WorkerProcess {
    /// - Parameter makeApp: Prepares the app for a run.
    static func run(makeApp: @escaping @Sendable () -> any AppIntentsExtension) -> Never {
        let mode = ProcessInfo.processInfo.environment["INTENTD_MODE"]
        // Programs that the app starts are not workers.
        unsetenv("INTENTD_MODE")
        intentd_buffer_lines()
        let registry: IntentRegistry
        do {
            registry = try IntentRegistry.ofProgram()
        } catch {
            WorkerExit.configuration("\(error)")
        }

        switch mode {
        case nil:
            ThreadBody { ByHandRun(registry: registry, makeApp: makeApp).run() }.start()
            dispatchMain()
        case "describe":
            describe(registry)
        case "once":
            let name = ProcessName.current
            ProcessName.spare.nameThisThread()
            confine()
            let error = intentd_prepare_attendance()
            guard error == 0 else { WorkerExit.configuration("eventfd failed: \(Errno(rawValue: error))") }
            ThreadBody { OnceWorker(registry: registry, makeApp: makeApp, processName: name).run() }.start()
            intentd_attend()
        case "serve":
            ForkServer(registry: registry, makeApp: makeApp).run()
        case .some(let mode):
            WorkerExit.configuration(
                "unknown INTENTD_MODE '\(mode)'. Build the app with the AppIntents of this intentd"
            )
        }
    }

    private static func describe(_ registry: IntentRegistry) -> Never {
        let link = WorkerLink()
        do {
            var catalog = try registry.catalog()
            if let warning = threadWarning { catalog.warnings = (catalog.warnings ?? []) + [warning] }
            try link.send(.hello(Hello(software: "AppIntents \(Hello.softwareVersion)")))
            try send(catalog, on: link)
        } catch let error as CatalogError {
            WorkerExit.configuration("\(error)")
        } catch {
            WorkerExit.configuration("cannot send the catalogue: \(error)")
        }
        WorkerExit.done()
    }

    /// A catalogue that is too large is sent without the searches of its queries. Everything else works.
    private static func send(_ catalog: IntentCatalog, on link: WorkerLink) throws {
        do {
            try link.send(.catalog(catalog))
        } catch {
            var smaller = catalog
            guard smaller.leaveOutSearches() else { throw error }
            let warning = """
                its catalogue is too large with the properties of its queries (\(error)), which are left out of it: \
                compare properties of types with fewer choices, or by fewer comparators.
                """
            smaller.warnings = (smaller.warnings ?? []) + [warning]
            try link.send(.catalog(smaller))
        }
    }

    /// Why a fork server of this app cannot fork; nil when it can.
    private static var threadWarning: String? {
        // One entry per thread (proc(5)). Where it cannot be read, the launcher finds out.
        guard let count = try? File.names(in: "/proc/self/task").count, count > 1 else { return nil }
        return """
            it has \(count) threads before its run, so that each run starts the program, which takes longer than a fork. \
            Look for a library or a global variable that starts a thread.
            """
    }

    /// Removes what a run must not do, before any of the app's code runs.
    private static func confine() {
        let allowsSubprocesses = ProcessInfo.processInfo.environment["INTENTD_SUBPROCESSES"] != nil
        let error = intentd_confine(allowsSubprocesses ? 1 : 0)
        guard error == 0 else { WorkerExit.configuration("cannot restrict this process: \(Errno(rawValue: error))") }
    }
}

/// The code of a new thread, passed as one pointer.
final class ThreadBody: Sendable {
    static let enter: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
        guard let context else { preconditionFailure("a thread receives its body as its argument") }
        Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
    }

    let run: @Sendable () -> Never

    init(run: @escaping @Sendable () -> Never) {
        self.run = run
    }

    func start() {
        let error = intentd_start_thread(Self.enter, Unmanaged.passRetained(self).toOpaque())
        guard error == 0 else { WorkerExit.configuration("cannot start a thread: \(Errno(rawValue: error))") }
    }
}
