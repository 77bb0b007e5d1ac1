import AppIntents
import Foundation
import Glibc

/// Appends a line to a file in the state folder, so that tests can count how often it was performed.
struct Witness: AppIntent {
    static var title: LocalizedStringResource = "Record a line"

    @Parameter(title: "Line") var line: String
    @Parameter(title: "Seconds", default: 0) var seconds: Double

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        let folder = getenv("STATE_DIRECTORY").map { String(cString: $0) } ?? "/tmp"
        let file = open("\(folder)/witness", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw POSIXError(.EACCES) }
        let text = line + "\n"
        let count = text.withCString { write(file, $0, strlen($0)) }
        close(file)
        guard count == text.utf8.count else { throw POSIXError(.ENOSPC) }
        if seconds > 0 { try await Task.sleep(for: .seconds(seconds)) }
        return .result(value: line)
    }
}
