import Glibc
package import IntentLinux
package import IntentWorkerMessages

extension SupervisorLink {
    /// Waits for the command that starts this worker's only run, and returns it with the run's files.
    ///
    /// - Parameter report: Sends a report to `intentd`.
    package func receiveRun(reporting report: (WorkerReport) -> Void) -> (PerformCommand, [SharedFileDescriptor]) {
        var gathered: [SharedFileDescriptor] = []
        while true {
            switch receive(waiting: .untilSent) {
            case .command(.resume(let number), _):
                report(.resumed(WorkerState(number: number, hasBegun: false)))
            case .command(.files(let count), let descriptors):
                check(count, equals: descriptors.count)
                gathered += descriptors
            case .command(.perform(let command), let descriptors):
                gathered += descriptors
                check(command.fileCount, equals: gathered.count)
                // Only this process waits if the file system does not respond. A file that cannot be rewound was not
                // kept for a repetition.
                if command.rewinds == true { for file in gathered { lseek(file.rawValue, 0, SEEK_SET) } }
                return (command, gathered)
            case .command(let command, _): refuse(command, when: "before the run")
            case .nothing, .end: WorkerExitStatus.supervisorExited()
            }
        }
    }

    private func check(_ expected: Int, equals count: Int) {
        guard count == expected else {
            WorkerExitStatus.protocolViolation("number of files: expected \(expected), got \(count)")
        }
    }

    /// Ends this process because of a command that `intentd` must not send now.
    package func refuse(_ command: WorkerCommand, when: String) -> Never {
        let name =
            switch command {
            case .files: "files"
            case .perform: "perform"
            case .cancel: "cancel"
            case .answer: "answer"
            case .refuse: "refuse"
            case .acknowledge: "acknowledge"
            case .resume: "resume"
            }
        WorkerExitStatus.protocolViolation("the command '\(name)' is not allowed \(when)")
    }
}
