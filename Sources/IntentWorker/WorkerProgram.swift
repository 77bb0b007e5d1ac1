package import IntentWire

/// A program that performs intents for `intentd`: an app, or `intentd-command`.
package protocol WorkerProgram: Sendable {
    /// The program's intents.
    ///
    /// - Throws: An error with a description for the author, if the program has no valid catalogue.
    func catalog() throws -> IntentCatalog
    /// Does once, in the fork server, what every run does first, so that all workers share its pages and caches.
    func warmUp()
    /// Receives one run from `intentd` on descriptor 3, performs it, and exits. Called on the run's thread.
    ///
    /// - Parameter processName: The name that the process takes when the run begins.
    func performRun(as processName: ProcessName) -> Never
    /// Runs without `intentd`, by the arguments of the command line. Called on a thread of its own.
    func runByHand() -> Never
}
