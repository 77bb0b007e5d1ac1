internal import FoundationEssentials
internal import IntentLinux

/// The folders of a test, which are removed with the value.
final class TestFolder: Sendable {
    private let path: String
    let run: String
    let state: String

    init() throws(IntentTestError) {
        do throws(SystemError) {
            path = try File.makeTemporaryFolder("\(FileManager.default.temporaryDirectory.path)/intent-test-")
            run = "\(path)/run"
            state = "\(path)/state"
            try File.makeFolders(run, permissions: 0o700)
            try File.makeFolders(state, permissions: 0o700)
        } catch {
            throw IntentTestError("cannot create the folders of the test: \(error)")
        }
    }

    deinit {
        // A task that a killed run left behind may still write. The folder is then left for the cleaner of /tmp.
        try? FileManager.default.removeItem(atPath: path)
    }
}
