import FoundationEssentials
import Glibc
import IntentCommands
import IntentConfiguration
import IntentLinux

/// Implements `intentctl new --mcp-server NAME -- [VARIABLE=VALUE...] PROGRAM ARGUMENT...`: creates an intentd.command(5) file for an MCP
/// server, and starts the server in its sandbox until it lists its tools, adding the grants that it turns out to need.
struct NewServerFile {
    let invocation: Invocation
    let name: String

    /// The maximum number of grants that the trial adds.
    private static let trialLimit = 12

    func perform() async throws -> ExitCode {
        try NewCommandFile.check(name, of: "mcp-server", example: "git -- mcp-server-git --repository /srv/git/site")
        let variables = invocation.words.prefix(while: ServerTemplateFile.isVariable)
        guard let word = invocation.words.dropFirst(variables.count).first else {
            throw CommandFailure.usage(
                "a program is missing after '\(variables.joined(separator: " "))'",
                hint: "see intentctl help new"
            )
        }
        var template = ServerTemplateFile(
            program: try NewCommandFile.resolve(word),
            arguments: Array(invocation.words.dropFirst(variables.count + 1)),
            variables: Array(variables),
            on: ServerTemplateFile.Host(
                exists: { FileManager.default.fileExists(atPath: $0) },
                // The start of a file tells what interprets it. A file that cannot be read tells nothing.
                text: { path in
                    guard let file = try? File.open(path), let bytes = try? File.read(file.rawValue, upTo: 4096, at: 0)
                    else { return nil }
                    return String(foreign: bytes)
                },
                target: { File.target(ofLink: $0) }
            )
        )
        let path = name + CommandFile.suffix
        try check(template, at: path)
        try NewCommandFile.write(template.text(description: name), to: path)
        for _ in 0..<Self.trialLimit {
            let (app, problem) = try await describe(path)
            if let app { return try conclude(app, path) }
            guard extend(&template, by: problem) else {
                Console.note("wrote \(path)")
                throw CommandFailure(
                    .configuration,
                    code: "brokenApp",
                    "the server does not list its tools: \(SafeText.line(problem))",
                    hint: "correct \(path), then check it: intentctl verify \(path)"
                )
            }
            try replace(template, at: path)
        }
        throw CommandFailure(
            .configuration,
            code: "brokenApp",
            "the server needs more than \(Self.trialLimit) grants to list its tools",
            hint: "grant a folder in \(path) that contains them, then check it: intentctl verify \(path)"
        )
    }

    private func check(_ template: ServerTemplateFile, at path: String) throws(CommandFailure) {
        do throws(CommandFileProblems) {
            _ = try CommandFile(Array(template.text(description: name).utf8), file: path)
        } catch {
            throw CommandFailure.usage(
                error.problems.map(\.message).joined(separator: "; "),
                hint: "see intentd.command(5)"
            )
        }
    }

    private func replace(_ template: ServerTemplateFile, at path: String) throws(CommandFailure) {
        do {
            try Data(template.text(description: name).utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw CommandFailure.output("cannot write '\(path)': \(error)")
        }
    }

    /// Reads the tools in a sandbox, as intentd does. Returns the problem if the server does not list them.
    private func describe(_ path: String) async throws -> (AppDescription?, problem: String) {
        do {
            let app = try await LocalDaemon.with(path, for: .examination, isSilent: true) { connection, name in
                try await connection.app(named: name)
            }
            return app.intents == nil ? (nil, app.problem ?? "no reason given") : (app, "")
        } catch let error as IntentClientError where error.code == .brokenApp || error.code == .unknownApp {
            return (nil, error.message)
        }
    }

    /// Adds the grant that a problem names. Returns false if it names none that is missing.
    private func extend(_ template: inout ServerTemplateFile, by problem: String) -> Bool {
        if problem.contains(utf8: "GeneratedCode=yes"), !template.generatesCode {
            Console.note("the server generates code at run time: added GeneratedCode=yes")
            template.generatesCode = true
            return true
        }
        guard let path = ServerProblem.path(in: problem), FileManager.default.fileExists(atPath: path),
            template.grantRead(path)
        else { return false }
        Console.note("the server asks for '\(SafeText.line(path))': added it to ReadPaths=")
        return true
    }

    private func conclude(_ app: AppDescription, _ path: String) throws -> ExitCode {
        let names = (app.intents ?? []).map(\.name)
        let folder = geteuid() == 0 ? "/etc/intentd/commands.d" : "~/.config/intentd/commands.d"
        let steps = [
            "intentctl describe --local \(path)", "intentctl run --local \(path) \(names.first ?? "TOOL") --help",
            "install -D -m 644 \(path) \(folder)/\(path)",
        ]
        guard !invocation.wantsJSON else {
            try Console.output(
                .object([
                    "files": .array([.string(path)]), "intents": .array(names.map(JSONValue.string)),
                    "next": .array(steps.map(JSONValue.string)),
                ])
            )
            return .done
        }
        Console.note("wrote \(path). The server has \(names.count) tools. Review the grants in the file. Next steps:")
        try Console.output(steps.map { "  " + $0 }.joined(separator: "\n"))
        return .done
    }
}
