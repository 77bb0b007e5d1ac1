import CIntentWorker
import Dispatch
import Foundation
import Glibc
import IntentLinux
import IntentWire

/// The process of an app: what it is started for, and the shape of its threads.
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
            ProcessName.spare.takeOnThisThread()
            confine()
            let error = intentd_prepare_attendance()
            guard error == 0 else { WorkerExit.configuration("eventfd failed: \(Errno(rawValue: error))") }
            ThreadBody { OnceWorker(registry: registry, makeApp: makeApp, processName: name).run() }.start()
            intentd_attend()
        case "serve":
            ForkServer(registry: registry, makeApp: makeApp).run()
        case .some(let mode):
            WorkerExit.configuration("INTENTD_MODE is '\(mode)', which this release of AppIntents does not know")
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
            WorkerExit.configuration("the catalogue does not fit: \(error)")
        }
        WorkerExit.done()
    }

    /// A catalogue that is too large goes without what queries can be asked by: all else works.
    private static func send(_ catalog: IntentCatalog, on link: WorkerLink) throws {
        do {
            try link.send(.catalog(catalog))
        } catch {
            var smaller = catalog
            guard smaller.leaveOutSearches() else { throw error }
            let warning = """
                its catalogue is too large with the properties of its queries (\(error)), so that nobody can ask by them: \
                compare properties of types with fewer choices, or by fewer comparators.
                """
            smaller.warnings = (smaller.warnings ?? []) + [warning]
            try link.send(.catalog(smaller))
        }
    }

    /// What keeps a fork server of this app from forking; nil when nothing does.
    private static var threadWarning: String? {
        // One entry for each thread (proc(5)); where it cannot be told, the launcher finds out.
        guard let count = try? File.names(in: "/proc/self/task").count, count > 1 else { return nil }
        return """
            it has \(count) threads before its run, so that each run is executed anew, which takes longer than a fork. \
            Look for a library or a global variable that starts a thread.
            """
    }

    /// Takes from this process what a run must not do, before the app's own code begins.
    private static func confine() {
        let allowsSubprocesses = ProcessInfo.processInfo.environment["INTENTD_SUBPROCESSES"] != nil
        let error = intentd_confine(allowsSubprocesses ? 1 : 0)
        guard error == 0 else { WorkerExit.configuration("cannot be confined: \(Errno(rawValue: error))") }
    }
}

/// What a new thread runs, as one pointer.
final class ThreadBody: Sendable {
    static let enter: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
        guard let context else { preconditionFailure("a thread is started with its body") }
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
