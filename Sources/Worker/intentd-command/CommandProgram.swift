import CIntentWorker
import Glibc
import IntentCommands
import IntentConfiguration
import IntentLauncherMessages
import IntentLinux
import IntentWorker

/// Performs the intents that an intentd.command(5) file describes. The file's path is the only argument.
@main struct CommandProgram: WorkerProgram {
    private let file: CommandFile

    static func main() {
        let words = CommandLineWords.read()
        if words.count > 1, words[0] == CommandFileCheck.option {
            CommandFileCheck.run(words[1], grants: Array(words.dropFirst(2)))
        }
        WorkerProcess.run {
            guard words.count == 1 else {
                WorkerExitStatus.configuration(
                    "usage: intentd-command FILE. In a shell, use: intentctl run --local FILE INTENT"
                )
            }
            return CommandProgram(file: try CommandFile(try File.bytes(at: words[0]), file: words[0]))
        }
    }

    /// Returns the catalogue with warnings about the programs, as this sandbox contains them.
    func catalog() throws -> IntentCatalog {
        if let server = file.server { return try ServerDescription(of: server, file).catalog() }
        var catalog = file.catalog
        let problems = ProgramCheck(grants: nil).problems(in: file)
        if !problems.isEmpty { catalog.warnings = (catalog.warnings ?? []) + problems }
        return catalog
    }

    /// Returns no warnings, because the catalogue contains them.
    func examine() -> [String] { [] }

    func warmUp() {
        _ = WireCoding.encode(WorkerReport.catalog(file.catalog))
        for report in [.hello(Hello(software: "")), .started, .finished(WorkerResult(ending: .threwCancellation))]
            as [WorkerReport]
        {
            _ = WireCoding.encode(report)
        }
        _ = WireCoding.encode(
            WorkerCommand.perform(PerformCommand(run: RunID(randomBits: 0), intent: "", values: [:], fileCount: 0))
        )
        _ = ProgramProcess.inheritedEnvironment()
        intentd_rehearse_thread()
        // Drop the pages that were needed only to load the file. The kernel loads a dropped page again if a run needs
        // it.
        intentd_drop_unchanged_data()
    }

    func performRun(as processName: ProcessName) -> Never {
        if let server = file.server { ServerWorker(server, file, as: processName).run() }
        CommandWorker(file, as: processName).run()
    }

    func runStandalone() -> Never {
        let path = CommandLineWords.read()[0]
        WorkerExitStatus.configuration(
            "cannot perform '\(path)' directly. Use: intentctl run --local \(path) INTENT"
        )
    }
}
