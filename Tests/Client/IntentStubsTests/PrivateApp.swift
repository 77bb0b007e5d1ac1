import Foundation
import IntentClient
import IntentLinux

/// An example in a private daemon with a state folder of its own.
enum PrivateApp {
    /// Returns the path of a built program, which is in the folder of the test bundle.
    static func path(_ program: String) -> String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: program).path
    }

    static func with<Value: Sendable>(
        _ app: String,
        _ body: (IntentConnection) async throws -> Value
    ) async throws -> Value {
        let state = try File.makeTemporaryFolder("/tmp/intentd-test.")
        // Workers have other users, and must reach their own state folders.
        try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: state)
        // A file of a worker's user can remain, which this user is not permitted to remove.
        defer { try? FileManager.default.removeItem(atPath: state) }
        let daemon = try PrivateDaemon.start(executable: path(app), state: state, isSilent: true)
        let connection = try await daemon.connect(software: "a test")
        let value: Result<Value, any Error>
        do {
            value = .success(try await body(connection))
        } catch {
            value = .failure(error)
        }
        connection.close()
        if let problem = await daemon.waitForExit() { throw IntentClientError(.system, problem) }
        return try value.get()
    }
}
