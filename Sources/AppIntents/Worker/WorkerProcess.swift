import CIntentWorker
import Dispatch
import Foundation
import Glibc
import IntentLinux
import IntentWire

/// The entry point of an app's process, which selects its mode and starts its threads.
enum WorkerProcess {
    /// Runs the process in the mode that `INTENTD_MODE` names.
    ///
    /// - Parameter makeApp: Prepares the app for a run.
    static func run(makeApp: @escaping @Sendable () -> any AppIntentsExtension) -> Never {
        let mode = ProcessInfo.processInfo.environment["INTENTD_MODE"]
        // Unset the mode, because programs that the app starts are not workers.
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
            guard error == 0 else { WorkerExit.configuration("cannot create events: \(Errno(rawValue: error))") }
            ThreadBody { OnceWorker(registry: registry, makeApp: makeApp, processName: name).run() }.start()
            intentd_attend()
        case "serve":
            ForkServer(registry: registry, makeApp: makeApp).run()
        case .some(let mode):
            WorkerExit.configuration(
                "unknown INTENTD_MODE '\(mode)'. Rebuild the app with the AppIntents of this intentd"
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

    /// Sends the catalogue. If it is too large, omits the properties that its queries can search.
    private static func send(_ catalog: IntentCatalog, on link: WorkerLink) throws {
        do {
            try link.send(.catalog(catalog))
        } catch {
            var smaller = catalog
            guard smaller.leaveOutSearches() else { throw error }
            let warning = """
                its catalogue is too large (\(error)), so it omits the properties that queries can search. \
                Compare properties of types with fewer choices, or declare fewer comparators.
                """
            smaller.warnings = (smaller.warnings ?? []) + [warning]
            try link.send(.catalog(smaller))
        }
    }

    /// A warning that a fork server of this app cannot fork; nil if it can.
    private static var threadWarning: String? {
        // The folder has one entry per thread (proc(5)). If it cannot be read, the launcher detects the threads later.
        guard let count = try? File.names(in: "/proc/self/task").count, count > 1 else { return nil }
        return """
            it has \(count) threads before its run, so each run starts the program, which takes longer than a fork. \
            Look for a library or a global variable that starts a thread.
            """
    }

    /// Restricts this process to what a run may do, before any of the app's code runs.
    private static func confine() {
        let allowsSubprocesses = ProcessInfo.processInfo.environment["INTENTD_SUBPROCESSES"] != nil
        let error = intentd_confine(allowsSubprocesses ? 1 : 0)
        guard error == 0 else { WorkerExit.configuration("cannot restrict this process: \(Errno(rawValue: error))") }
    }
}

/// The body of a new thread, which is passed as one pointer.
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
