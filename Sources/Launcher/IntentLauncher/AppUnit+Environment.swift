import Glibc
import IntentConfiguration
import IntentLauncherMessages

extension AppUnit {
    /// The minimum `MemoryMax=`, in bytes, for which the fork server loads the app's code into huge pages. Huge pages
    /// use tens of megabytes of memory.
    private static let hugePageMemoryMinimum: Int64 = 256 << 20

    /// Returns the environment variables of a process that executes the app. Only the language and the time zone are
    /// inherited from the launcher.
    ///
    /// - Parameters:
    ///   - home: The folder in which the app writes its files, including temporary files.
    ///   - state: The app's state folder, which outlives the run.
    ///   - tools: The folder with the programs that intent-ask(1) and intent-progress(1) describe.
    func environment(
        _ mode: WorkerMode,
        home: String,
        state: String?,
        tools: String = InsidePath.tools,
        libraryFolders: [String] = []
    ) -> [String: String] {
        // Disable Swift's backtraces, because a sandbox does not contain swift-backtrace.
        var environment = [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
            "USER": "app", "LOGNAME": "app", "SHELL": "/bin/sh",
        ]
        for name in ["LANG", "TZ"] {
            if let value = getenv(name) { environment[name] = String(foreign: value) }
        }
        // Resolve symbols once in the fork server instead of in each worker (ld.so(8)).
        if mode == .serve { environment["LD_BIND_NOW"] = "1" }
        if !libraryFolders.isEmpty { environment["LD_LIBRARY_PATH"] = libraryFolders.joined(separator: ":") }
        environment.merge(self.environment) { _, operators in operators }
        // Set these variables last, so that the operator's settings cannot override them. The worker depends on their
        // values.
        environment["HOME"] = home
        environment["TMPDIR"] = home
        environment["STATE_DIRECTORY"] = state
        environment["XDG_DATA_HOME"] = state
        if command == nil {
            // Foundation's folders for documents, downloads and caches outlive a run, if the app has state. Core Foundation
            // reads the folder of UserDefaults when the program starts: in a fork server, before the run folder exists.
            let own = mode == .serve && !sandbox.startsPrograms ? InsidePath.ownDescriptor : home
            environment["CFFIXED_USER_HOME"] = state ?? own
            environment["XDG_CACHE_HOME"] = (state ?? own) + "/.cache"
            environment["XDG_CONFIG_HOME"] = own + "/.config"
        }
        environment["CREDENTIALS_DIRECTORY"] = credentials.isEmpty ? nil : InsidePath.credentials
        environment["INTENTD_MODE"] = mode.rawValue
        // Pass on the variable that 'intentctl verify' sets to examine the app.
        if mode == .describe, getenv("INTENTD_EXAMINE") != nil { environment["INTENTD_EXAMINE"] = "yes" }
        environment["INTENTD_SUBPROCESSES"] = sandbox.startsPrograms ? "yes" : nil
        if mode == .serve, sandbox.memoryMax.map({ $0 >= Self.hugePageMemoryMinimum }) ?? true {
            environment["INTENTD_CODE_PAGES"] = "huge"
        }
        environment["INTENTD_TOOLS"] = command == nil ? nil : tools
        environment["INTENTD_GPU"] = sandbox.gpu ? "yes" : "no"
        return environment
    }
}
