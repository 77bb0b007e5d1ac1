internal import FoundationEssentials
internal import IntentClient
internal import IntentLinux
import Synchronization

/// A test's private daemon. The first run starts it.
final class TestDaemon: Sendable {
    private struct Started: Sendable {
        let daemon: PrivateDaemon
        let connection: IntentConnection
        let folder: String
    }

    /// The path of the app's executable.
    let executable: String
    private let start: Mutex<Task<Started, any Error>?> = Mutex(nil)
    private let started: Mutex<Started?> = Mutex(nil)

    init(executable: String) {
        self.executable = executable
    }

    deinit {
        guard let started = started.withLock({ $0 }) else { return }
        started.connection.close()
        // The daemon exits once its connection is closed. A thread waits for it, because the wait blocks.
        do throws(SystemError) {
            try DetachedThread.start {
                // The exit status is not needed, because all runs have ended.
                _ = started.daemon.wait()
                Self.remove(started.folder)
            }
        } catch {
            // If no thread can be created, the daemon still exits, and init reaps it after this process has exited. Its
            // folder remains.
        }
    }

    /// The daemon's process id and state folder; nil before the first run.
    var daemon: (process: Int32, folder: String)? {
        started.withLock { $0.map { ($0.daemon.processNumber, $0.folder) } }
    }

    /// Returns the connection to the daemon, and the app's name. Starts the daemon if necessary.
    func connection() async throws -> (IntentConnection, app: String) {
        let task = start.withLock { task in
            if let task { return task }
            let made = Task { [weak self, executable] in
                let started = try await Self.start(executable)
                self?.started.withLock { $0 = started }
                return started
            }
            task = made
            return made
        }
        do {
            let started = try await task.value
            return (started.connection, started.daemon.app)
        } catch {
            // The next run tries again.
            start.withLock { if $0 == task { $0 = nil } }
            throw error
        }
    }

    private static func start(_ executable: String) async throws -> Started {
        let folder = try File.makeTemporaryFolder("\(FileManager.default.temporaryDirectory.path)/intent-test-")
        do {
            // Workers run as other users and must be able to reach their state folders.
            try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: folder)
            let daemon = try PrivateDaemon.start(executable: executable, state: folder, isSilent: true)
            let connection = try await daemon.connect(software: "AppIntentsTesting")
            return Started(daemon: daemon, connection: connection, folder: folder)
        } catch let error as IntentClientError {
            remove(folder)
            throw IntentTestError("\(error.message)\(error.hint.map { "; \($0)" } ?? "")")
        } catch {
            remove(folder)
            throw error
        }
    }

    private static func remove(_ folder: String) {
        // Removal can be incomplete: this user has no permission to remove files that belong to a user of the sandbox.
        try? FileManager.default.removeItem(atPath: folder)
    }
}
