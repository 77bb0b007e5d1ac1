/// Implements `intentctl completion`, which prints a script for a shell, or the candidates for a command line.
struct CompletionCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        let word = invocation.words[0]
        if word == "candidates" { return try await printCandidates() }
        guard let shell = CompletionScript.Shell(rawValue: word), invocation.words.count == 1 else {
            let shells = CompletionScript.Shell.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure.usage("unknown shell '\(word)'", hint: "expected one of \(shells)")
        }
        try Console.output(CompletionScript.text(for: shell))
        return .done
    }

    /// Prints one candidate per line, followed by a tab and its explanation. Without a daemon, prints fewer candidates
    /// but no error, because the user is typing.
    private func printCandidates() async throws -> ExitCode {
        var completion = Completion(Array(invocation.words.dropFirst()))
        if completion.need == .schedules {
            if let systemd = try? SystemdControl.current() {
                completion.add(schedules: ScheduleFolder(path: systemd.folder).names)
            }
        } else if completion.need == .hosts {
            if let groups = try? HostGroups.read() { completion.add(groups) }
        } else if completion.need != .nothing, !completion.isRemote, environmentText("INTENTD_HOST") == nil {
            // Do not use ssh, because it could ask for a password while the user is typing.
            let location: SocketLocation =
                completion.socket.map { .path($0) } ?? (completion.isUsers ? .user : .automatic)
            if let daemon = try? await IntentConnection.connect(to: location, software: Invocation.software) {
                if completion.need == .runs {
                    completion.add((try? await daemon.runs()) ?? [])
                } else {
                    completion.add((try? await daemon.apps()) ?? [])
                }
            }
        }
        let lines = completion.candidates.map { "\($0.word)\t\($0.explanation)" }
        if !lines.isEmpty { try Console.output(lines.joined(separator: "\n")) }
        return .done
    }
}
