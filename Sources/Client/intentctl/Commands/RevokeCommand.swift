/// Implements `intentctl revoke RUN`, which ends the standing approval that the approval of a run has left.
struct RevokeCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        let run = try invocation.run()
        try await invocation.connect().revokeApproval(of: run)
        if invocation.wantsJSON {
            try Console.output(.members(["run": .string(run.text)]))
        } else {
            Console.note("revoked: the approval of run \(run) covers no later requests")
        }
        return .done
    }
}
