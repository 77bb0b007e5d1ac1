package import IntentSharedTypes

/// A program that performs intents for `intentd`: an app, or `intentd-command`.
package protocol WorkerProgram: Sendable {
    /// Returns the program's intents.
    ///
    /// - Throws: An error with a description for the program's author, if the program has no valid catalogue.
    func catalog() throws -> IntentCatalog
    /// Prepares the program as it would for a run, without performing one. Returns warnings for the program's author,
    /// each with a next step.
    func examine() -> [String]
    /// Performs the steps that all runs have in common. The fork server calls this method once, so that all workers
    /// share the resulting memory pages and caches.
    func warmUp()
    /// Receives one run from `intentd` on descriptor 3, performs it and exits. Called on the run's thread.
    ///
    /// - Parameter processName: The name that the process receives when the run begins.
    func performRun(as processName: ProcessName) -> Never
    /// Performs an intent without `intentd`, as specified on the command line. Called on a dedicated thread.
    func runStandalone() -> Never
}
