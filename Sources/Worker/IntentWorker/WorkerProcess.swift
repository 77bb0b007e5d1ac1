import CIntentWorker
// CIntentWorker calls libdispatch, which this import links.
import Dispatch
import Glibc
import IntentLinux
import IntentSharedTypes
import IntentWorkerMessages

/// The main function of a program that performs intents. It selects the mode of the process and starts its threads.
package enum WorkerProcess {
    /// Runs the process in the mode that the environment variable `INTENTD_MODE` specifies.
    ///
    /// - Parameter make: Creates the program. If the closure throws, the error is printed and the process exits with
    ///   ``WorkerExitStatus/configuration``.
    package static func run(_ make: () throws -> any WorkerProgram) -> Never {
        let mode = getenv("INTENTD_MODE").map { String(foreign: $0) }
        // Remove the variable from the environment, because programs that the app starts are not workers.
        unsetenv("INTENTD_MODE")
        intentd_buffer_lines()
        let program: any WorkerProgram
        do {
            program = try make()
        } catch {
            WorkerExitStatus.configuration("\(error)")
        }

        switch mode {
        case nil:
            ThreadBody { program.runStandalone() }.start()
            dispatchMain()
        case "describe":
            describe(program)
        case "once":
            let name = ProcessName.current
            ProcessName.spare.nameThisThread()
            confine()
            intentd_prepare_crash_reports()
            intentd_report_crashes()
            let error = intentd_prepare_attendance()
            guard error == 0 else { WorkerExitStatus.configuration("cannot create events: \(Errno(rawValue: error))") }
            ThreadBody { program.performRun(as: name) }.start()
            intentd_attend()
        case "serve":
            ForkServerLoop(program).run()
        case .some(let mode):
            WorkerExitStatus.configuration(
                "unknown INTENTD_MODE '\(mode)'. Rebuild the app with the AppIntents release of this intentd"
            )
        }
    }

    private static func describe(_ program: any WorkerProgram) -> Never {
        let link = SupervisorLink()
        var catalog: IntentCatalog
        do {
            catalog = try program.catalog()
        } catch {
            WorkerExitStatus.configuration("\(error)")
        }
        if getenv(examinationVariable) != nil {
            let warnings = program.examine()
            if !warnings.isEmpty { catalog.warnings = (catalog.warnings ?? []) + warnings }
        }
        do {
            try link.send(.hello(Hello(software: "AppIntents \(Hello.softwareVersion)")))
            try send(catalog, on: link)
        } catch {
            WorkerExitStatus.configuration("cannot send the catalogue: \(error)")
        }
        WorkerExitStatus.done()
    }

    /// Sends the catalogue. If it is too large, sends it without the properties that queries can search.
    private static func send(_ catalog: IntentCatalog, on link: SupervisorLink) throws {
        var catalog = catalog
        if let warning = threadWarning { catalog.warnings = (catalog.warnings ?? []) + [warning] }
        do {
            try WorkerReport.parts(of: catalog).forEach { try link.send($0) }
        } catch {
            var smaller = catalog
            guard smaller.omitSearches() else { throw error }
            let warning = """
                its catalogue is too large (\(error)), so it omits the properties that queries can search. \
                Compare properties of types with fewer choices, or declare fewer comparators.
                """
            smaller.warnings = (smaller.warnings ?? []) + [warning]
            try WorkerReport.parts(of: smaller).forEach { try link.send($0) }
        }
    }

    /// A warning for an app that cannot have a fork server because it has several threads; nil otherwise.
    private static var threadWarning: String? {
        // The folder contains one entry per thread (proc(5)). If it cannot be read, the launcher detects the threads
        // later.
        guard let count = try? File.names(in: "/proc/self/task").count, count > 1 else { return nil }
        return """
            it has \(count) threads before its run, so each run starts the program, which takes longer than a fork. \
            Look for a library or a global variable that starts a thread.
            """
    }

    /// The environment variable that `intentctl verify` sets for its private daemon, which passes it to the process
    /// that reports the catalogue.
    private static let examinationVariable = "INTENTD_EXAMINE"

    /// Restricts this process to the operations that a run is permitted, before any of the app's code is executed.
    private static func confine() {
        let error = intentd_confine(getenv("INTENTD_SUBPROCESSES") == nil ? 0 : 1)
        guard error == 0 else {
            WorkerExitStatus.configuration("cannot restrict this process: \(Errno(rawValue: error))")
        }
    }
}
