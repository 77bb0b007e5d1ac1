import IntentRelay

/// Implements `intentctl relay`, which `intentctl --host` starts on the other host over ssh.
struct RelayCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        guard !Console.inputIsTerminal else {
            throw CommandFailure.usage(
                "standard input is a terminal: 'intentctl relay' must be started by 'intentctl --host'",
                hint: "for example: intentctl --host HOST status"
            )
        }
        let server = RelayServer(socket: try invocation.location.path(), software: Invocation.software)
        guard let problem = server.serve(input: 0, output: 1) else { return .done }
        throw CommandFailure(ExitCode(problem.code), code: problem.code.rawValue, problem.message, hint: problem.hint)
    }
}
