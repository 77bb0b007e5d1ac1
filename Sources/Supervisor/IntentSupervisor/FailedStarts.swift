import Glibc
import IntentConfiguration
import IntentLauncherMessages
import IntentLinux
import IntentSystemd

/// The reports about starts of schedules that units have left in the state folder, because no intentd answered.
enum FailedStarts {
    /// Root and intentd alone can write the folder, so the limit matters only after a mistake.
    private static let byteLimit = 64 << 10

    /// Passes each report to a closure, then removes it. After a crash in between, the report's key is known.
    static func consume(in folder: String, _ journal: Journal, _ body: (StartFailure) -> Void) {
        // Without the folder, there are no reports, and the history reports the problem.
        for name in (try? File.names(in: folder)) ?? [] where name.hasPrefix(utf8: ScheduleFile.failurePrefix) {
            do {
                let bytes = try File.bytes(at: "\(folder)/\(name)", limit: byteLimit)
                body(try WireCoding.decodeFile(StartFailure.self, from: bytes))
            } catch {
                journal.write(.warning, "cannot read the report '\(folder)/\(name)': \(error); continuing without")
            }
            // Ignore a failure: the next intentd knows the report's key.
            _ = unlink("\(folder)/\(name)")
        }
    }
}
