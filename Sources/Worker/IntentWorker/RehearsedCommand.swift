import IntentLinux
import IntentSharedTypes
package import IntentWorkerMessages

/// The command of a simulated run, which a spare performs so that its run finds its code and memory ready.
package enum RehearsedCommand {
    /// Returns a command that has been encoded and decoded, like a command that a worker receives.
    package static func make() -> PerformCommand? {
        let command = PerformCommand(
            run: RunID(randomBits: 0),
            intent: "",
            values: ["number": .int(1), "text": .string("x")],
            fileCount: 0
        )
        // Decoding cannot fail, because this process has encoded the command.
        guard
            let record = try? Frame.encode(
                WireCoding.encode(WorkerCommand.perform(command)),
                limit: Frame.recordLimit
            ),
            case .perform(let read)? = try? WireCoding.decode(WorkerCommand.self, from: Frame.decode(record: record))
        else { return nil }
        return read
    }
}
