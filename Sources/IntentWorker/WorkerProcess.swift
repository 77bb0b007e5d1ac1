import CIntentWorker
// CIntentWorker calls libdispatch, which this import links.
import Dispatch
import Glibc
import IntentLinux
import IntentWire

/// The process of a program that performs intents: its mode and its threads.
package enum WorkerProcess {
    /// - Parameter make: Creates the program. Its error is printed, and the process exits with
    ///   ``WorkerExit/configuration``.
    package static func run(_ make: () throws -> any WorkerProgram) -> Never {
        let mode = getenv("INTENTD_MODE").map { String(cString: $0) }
        // Programs that the app starts are not workers.
        unsetenv("INTENTD_MODE")
        intentd_buffer_lines()
        let program: any WorkerProgram
        do {
            program = try make()
        } catch {
            WorkerExit.configuration("\(error)")
        }

        switch mode {
        case nil:
            ThreadBody { program.runByHand() }.start()
            dispatchMain()
        case "describe":
            describe(program)
        case "once":
            let name = ProcessName.current
            ProcessName.spare.nameThisThread()
            confine()
            let error = intentd_prepare_attendance()
            guard error == 0 else { WorkerExit.configuration("eventfd failed: \(Errno(rawValue: error))") }
            ThreadBody { program.performRun(as: name) }.start()
            intentd_attend()
        case "serve":
            ForkServer(program).run()
        case .some(let mode):
            WorkerExit.configuration(
                "unknown INTENTD_MODE '\(mode)'. Build the app with the AppIntents of this intentd"
            )
        }
    }

    private static func describe(_ program: any WorkerProgram) -> Never {
        let link = WorkerLink()
        let catalog: IntentCatalog
        do {
            catalog = try program.catalog()
        } catch {
            WorkerExit.configuration("\(error)")
        }
        do {
            try link.send(.hello(Hello(software: "AppIntents \(Hello.softwareVersion)")))
            try send(catalog, on: link)
        } catch {
            WorkerExit.configuration("cannot send the catalogue: \(error)")
        }
        WorkerExit.done()
    }

    /// Sends the catalogue. A catalogue that is too large is sent without the searches of its queries; everything else
    /// works.
    private static func send(_ catalog: IntentCatalog, on link: WorkerLink) throws {
        var catalog = catalog
        if let warning = threadWarning { catalog.warnings = (catalog.warnings ?? []) + [warning] }
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
        let error = intentd_confine(getenv("INTENTD_SUBPROCESSES") == nil ? 0 : 1)
        guard error == 0 else { WorkerExit.configuration("cannot restrict this process: \(Errno(rawValue: error))") }
    }
}
