import AppIntents
import CThreaded
import Foundation

/// An app that cannot be forked, because it has a second thread before its main function begins.
@main struct Threaded: AppIntentsExtension {}

struct CountThreads: AppIntent {
    static let title: LocalizedStringResource = "Count this process's threads"

    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        return .result(value: threads.count * Int(threaded_is_linked()))
    }
}
