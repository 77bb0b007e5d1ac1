import Glibc
import IntentLinux

/// Implements `intentctl fleet` by executing intentd-fleet, which connects to the fleet's database.
struct FleetCommand {
    let invocation: Invocation

    func perform() throws(CommandFailure) -> ExitCode {
        let folders = [OwnProgram.folder, "/usr/lib/intentd", "/usr/local/lib/intentd"].compactMap(\.self)
        let candidates = folders.map { $0 + "/intentd-fleet" }
        guard let program = candidates.first(where: { access($0, X_OK) == 0 }) else {
            throw CommandFailure(
                .noProgram,
                "intentd-fleet was not found at \(candidates.joined(separator: " or "))",
                hint: "install the package intentd-fleet"
            )
        }
        guard Self.commands.contains(invocation.words[0]) else {
            throw .usage(
                "unknown command 'fleet \(invocation.words[0])'",
                hint: NearestName.opening(for: invocation.words[0], among: Self.commands) + HelpText.pointer(.fleet)
            )
        }
        let error = ProcessFacts.become(program, invocation.words + invocation.rest)
        throw CommandFailure(.system, "\(error)")
    }

    private static let commands = [
        "init", "upgrade", "add-host", "remove-host", "allow", "disallow", "drain", "nodes", "runs", "lost", "retry",
    ]
}
