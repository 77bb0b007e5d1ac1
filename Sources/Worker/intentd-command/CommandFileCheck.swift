import Glibc
import IntentCommands
import IntentConfiguration
import IntentLinux

/// Implements `intentd-command --check FILE [GRANT…]`, with which `intentd --check` and `intentctl verify` check a file:
/// they parse no file of intentd.command(5) themselves.
///
/// Prints a line for each mistake, and a line that begins with ``warningPrefix`` for each probable mistake. A GRANT is a
/// path that the sandbox contains.
enum CommandFileCheck {
    static let option = "--check"
    private static let warningPrefix = "warning: "

    static func run(_ path: String, grants: [String]) -> Never {
        var problems: [String] = []
        var file = CommandFile()
        do {
            file = try CommandFile(try File.bytes(at: path), file: path)
        } catch let error as CommandFileProblems {
            (problems, file) = (error.problems.map(\.description), error.file)
        } catch {
            problems = ["\(path): cannot read the file: \(error)"]
        }
        problems += ProgramCheck(grants: grants).problems(in: file).map { "\(path): \($0)" }
        for line in problems + file.warnings.map({ "\(warningPrefix)\(path): \($0)" }) { print(line) }
        exit(problems.isEmpty ? EXIT_SUCCESS : 78)
    }
}
