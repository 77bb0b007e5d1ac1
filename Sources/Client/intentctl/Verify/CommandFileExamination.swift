import Glibc
import IntentConfiguration
import IntentLinux

/// Checks an intentd.command(5) file before it is installed. intentd-command reads the file, as for `intentd --check`.
struct CommandFileExamination {
    let path: String

    func examine(_ verdict: inout AppVerdict) {
        let sandbox: SandboxSettings
        do {
            let unit = IntentConfiguration.UnitFile(try File.bytes(at: path), file: path)
            sandbox = try SandboxSettings(ofCommands: unit)
        } catch let problem as ConfigurationProblem {
            return verdict.problems.add(problem.description, hint: "see intentd.app(5)")
        } catch {
            return verdict.problems.add("cannot read it: \(error)", hint: "change its mode: chmod a+r")
        }
        let lines: [Substring]
        do {
            let program = try PrivateDaemon.findProgram("intentd-command")
            let grants = sandbox.programs.flatMap(\.paths) + sandbox.readPaths + sandbox.writePaths
            lines = File.lines(of: try ChildProcess.output(of: program, arguments: ["--check", path] + grants).text)
        } catch {
            return verdict.problems.add("cannot check it: \(error)", hint: "install the intentd package")
        }
        let warning = "warning: "
        for line in lines where !line.utf8.isEmpty {
            if line.hasPrefix(utf8: warning) {
                verdict.warnings.add(
                    String(line.dropFirst(scalars: warning.scalarCount)),
                    hint: "see intentd.command(5)"
                )
            } else {
                verdict.problems.add(String(line), hint: "see intentd.command(5)")
            }
        }
        // Without problems, the warnings come with the catalogue, which is read later.
        if verdict.problems.isEmpty { verdict.warnings = [] }
        verdict.warnings += sandbox.grantedPaths.compactMap(\.warning)
    }
}
