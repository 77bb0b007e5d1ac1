import FoundationEssentials
import Glibc
import IntentCommands
import IntentConfiguration

/// Implements `intentctl new --command NAME -- PROGRAM ARGUMENT...`: creates an intentd.command(5) file from a command
/// line, verifies the file, and performs its intent if the intent has no parameters.
struct NewCommandFile {
    let invocation: Invocation
    let name: String

    func perform() async throws -> ExitCode {
        guard name.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "-_".utf8.contains($0) }), !name.isEmpty,
            name.utf8.count <= 50
        else {
            throw CommandFailure.usage(
                "--command: expected a name of letters, digits, '-' and '_', got '\(name)'",
                hint: "for example: intentctl new --command backup -- tar --create --file %{out:a.tar} %{folder}"
            )
        }
        let program = try resolve(invocation.words[0])
        let template = CommandTemplateFile(program: program, arguments: Array(invocation.words.dropFirst())) {
            access($0, F_OK) == 0
        }
        let path = name + CommandFile.suffix
        let file: CommandFile
        do throws(CommandFileProblems) {
            file = try CommandFile(Array(template.text.utf8), file: path)
        } catch {
            throw CommandFailure.usage(
                error.problems.map(\.message).joined(separator: "; "),
                hint: "write '%%' for a percent sign, and '%{name}' for a value: see intentd.command(5)"
            )
        }
        try Self.write(template.text, to: path)
        Console.note("wrote \(path)")
        return try await tryOut(path, file)
    }

    /// Returns the absolute path of a program. Searches PATH as a shell does.
    private func resolve(_ word: String) throws(CommandFailure) -> String {
        let folders = (environmentText("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(
            scalar: ":"
        )
        let candidates =
            word.contains(utf8: "/")
            ? [URL(filePath: word).standardizedFileURL.path(percentEncoded: false)] : folders.map { "\($0)/\(word)" }
        guard let path = candidates.first(where: { access($0, X_OK) == 0 }) else {
            throw CommandFailure(
                .noExecutable,
                "cannot find the program '\(word)'",
                hint: "install it, or specify its path"
            )
        }
        return path
    }

    static func write(_ text: String, to path: String) throws(CommandFailure) {
        do {
            // Never overwrite an existing file.
            try Data(text.utf8).write(to: URL(filePath: path), options: .withoutOverwriting)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            throw .usage("'\(path)' already exists", hint: "choose another name, or remove the file")
        } catch {
            throw CommandFailure.output("cannot write '\(path)': \(error)")
        }
    }

    /// Verifies the file, and performs its intent if the intent has no parameters. Otherwise prints the next steps.
    private func tryOut(_ path: String, _ file: CommandFile) async throws -> ExitCode {
        var verify = Invocation(.verify)
        verify.words = [path]
        verify.options = invocation.options
        let code = try await VerifyCommand(invocation: verify).perform()
        guard code == .done, let intent = file.intents.first else { return code }
        let values = intent.parameters.map { " --\(ParameterName.kebab($0.name)) ..." }.joined()
        let folder = geteuid() == 0 ? "/etc/intentd/commands.d" : "~/.config/intentd/commands.d"
        let steps = [
            "intentctl run --local \(path) \(intent.name)\(values)", "install -D -m 644 \(path) \(folder)/\(path)",
        ]
        guard intent.parameters.isEmpty, !invocation.wantsJSON else {
            Console.note("Next steps:\n" + steps.map { "  \($0)" }.joined(separator: "\n"))
            return .done
        }
        Console.note("performing the intent: \(steps[0])")
        var run = Invocation(.run)
        run.options = ["local": ""]
        run.words = [path, intent.name]
        let end = try await RunCommand(run).perform()
        Console.note("Next step:\n  \(steps[1])")
        return end
    }
}
