import IntentLinux

/// Implements `intentctl fetch RUN`, which saves the result files of a run.
struct FetchCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        let folder = try ResultFolder(path: invocation["out"] ?? ".")
        let connection = try await invocation.connect()
        let run = try invocation.run()
        var paths: [String] = []
        for file in try await connection.files(of: run) { paths.append(try folder.save(file)) }
        // Discard the files last, so that intentd keeps them if saving fails.
        if !invocation.has("keep") { try await connection.discardFiles(of: run) }
        if invocation.wantsJSON {
            try Console.output(.object(["run": .string(run.text), "files": .array(paths.map { .string($0) })]))
        } else {
            for path in paths { try Console.output(SafeText.line(path)) }
        }
        return .done
    }
}
