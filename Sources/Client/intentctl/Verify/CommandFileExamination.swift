import Glibc
import IntentCommands
import IntentConfiguration
import IntentLinux

/// Checks an intentd.command(5) file before it is installed.
struct CommandFileExamination {
    let path: String

    func examine(_ verdict: inout AppVerdict) {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try File.bytes(at: path)
        } catch {
            verdict.problems.add("cannot read it: \(error)", hint: "change its mode: chmod a+r")
            return
        }
        let file: CommandFile
        let sandbox: SandboxSettings
        do throws(CommandFileProblems) {
            file = try CommandFile(bytes, file: path)
        } catch {
            verdict.problems += error.problems.map { .init($0.description, hint: "see intentd.command(5)") }
            return
        }
        do throws(ConfigurationProblem) {
            sandbox = try SandboxSettings(ofCommands: IntentConfiguration.UnitFile(bytes, file: path))
        } catch {
            verdict.problems.add(error.description, hint: "see intentd.app(5)")
            return
        }
        for intent in file.intents { examine(intent, sandbox, &verdict) }
        // Add the warnings only if the file has problems. Otherwise, they come with the catalogue, which is read later.
        if !verdict.problems.isEmpty {
            verdict.warnings += file.intents.flatMap(\.warnings).map { .init($0, hint: "see intentd.command(5)") }
        }
        verdict.warnings += sandbox.grantedPaths.compactMap(\.warning)
    }

    /// Checks that an intent's programs can be executed, and that the sandbox contains them.
    private func examine(_ intent: CommandIntent, _ sandbox: SandboxSettings, _ verdict: inout AppVerdict) {
        let commands =
            [intent.exec] + [intent.cancel].compactMap(\.self) + intent.parameters.compactMap(\.optionsCommand)
        for program in commands.compactMap({ $0.first?.fixedText }) {
            let name = "the program '\(WireCoding.excerpt(program))' of '\(intent.name)'"
            if access(program, X_OK) != 0 {
                let reason = Errno(rawValue: errno)
                verdict.problems.add("\(name) cannot be executed: \(reason)", hint: "install it, or correct Exec=")
            } else if !sandbox.programs.contains(where: { $0.covers(program) }) {
                verdict.problems.add("\(name) is not in the sandbox", hint: "add its path to Programs= in [Sandbox]")
            }
        }
    }
}

extension ProgramGrant {
    /// Returns true if the grant contains the program.
    fileprivate func covers(_ program: String) -> Bool {
        switch self {
        case .system:
            // Folders such as /bin are links into /usr, or are granted together with it.
            ["/usr/", "/bin/", "/sbin/", "/lib"].contains { program.hasPrefix(utf8: $0) }
        case .path(let path): program == path || program.hasPrefix(utf8: path + "/")
        }
    }
}
