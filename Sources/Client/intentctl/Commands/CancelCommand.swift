import IntentLinux

/// Implements `intentctl cancel RUN...`, or `intentctl cancel` with options that select runs.
struct CancelCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        let named = try invocation.words.map { (word) throws(CommandFailure) in try Invocation.run(word) }
        let isSelection = invocation.has("all") || ["app", "by", "state"].contains { invocation[$0] != nil }
        guard named.isEmpty == isSelection else {
            throw CommandFailure.usage(
                isSelection ? "runs cannot be combined with options that select runs" : "no run to cancel",
                hint: "specify runs, or select them with --all, --app, --state or --user; 'intentctl ps' lists runs"
            )
        }
        let filter = try RunFilter(invocation)
        let connection = try await invocation.connect()
        let runs =
            isSelection
            ? try await connection.runs().filter { filter.selects($0, isOwnByDefault: true) }.map(\.run) : named
        if runs.isEmpty, !invocation.wantsJSON { Console.note("no such run") }
        // Cancel all runs at the same time, because each can use its whole grace period.
        let ends = await withTaskGroup(of: (Int, Result<RunResult, any Error>).self) { group in
            for (index, run) in runs.enumerated() {
                group.addTask {
                    do {
                        return (index, .success(try await connection.cancel(run: run)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            var ends: [(Int, Result<RunResult, any Error>)] = []
            for await end in group { ends.append(end) }
            return ends.sorted { $0.0 < $1.0 }.map(\.1)
        }
        return try invocation.wantsJSON ? printJSON(ends) : printText(ends)
    }

    private func printText(_ ends: [Result<RunResult, any Error>]) throws -> ExitCode {
        var failure: (any Error)?
        for end in ends {
            switch end {
            case .success(let result):
                let sentence = EndSentence.of(result.end, clocks: nil) ?? "ended before it could be cancelled"
                try Console.output(SafeText.line("\(result.run)  \(sentence)"))
            case .failure(let error):
                // Throw the first failure after the loop. Print the other failures immediately.
                if failure == nil {
                    failure = error
                } else {
                    let message = (error as? IntentClientError)?.message ?? "\(error)"
                    Console.note(SafeText.line("intentctl: \(message)"))
                }
            }
        }
        if let failure { throw failure }
        return .done
    }

    private func printJSON(_ ends: [Result<RunResult, any Error>]) throws -> ExitCode {
        var ended: [JSONValue] = []
        var errors: [JSONValue] = []
        var code = ExitCode.done
        for end in ends {
            switch end {
            case .success(let result):
                ended.append(RunDocument.of(result, value: nil))
            case .failure(let error):
                let failure = CommandFailure(of: error)
                if code == .done { code = failure.exitCode }
                errors.append(failure.document)
            }
        }
        // Print a single failure in the same form as in other commands.
        if ended.isEmpty, errors.count == 1 {
            try Console.output(errors[0])
            return code
        }
        var members: [String: JSONValue] = ["ended": .array(ended)]
        if !errors.isEmpty { members["errors"] = .array(errors) }
        try Console.output(.object(members))
        return code
    }
}
