internal import FoundationEssentials
internal import IntentLinux

/// A test's folders. They are removed when this object is released.
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
        // Removal can fail while a task of a killed run is still writing. The folder then remains in the temporary
        // folder.
        try? FileManager.default.removeItem(atPath: path)
    }
}
