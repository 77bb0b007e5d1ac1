import CIntentWorker
import Glibc
import IntentLinux
import IntentSharedTypes
import IntentWorkerMessages

/// An app's fork server. It has one thread, prepares everything that runs need, and forks a worker for each run.
///
/// It communicates only with the launcher, on descriptor 3.
struct ForkServerLoop {
    private let program: any WorkerProgram
    /// True if the launcher permits huge pages. It permits them if the app's `MemoryMax=` is high enough or infinite.
    private let mayEnlargeCode = getenv("INTENTD_CODE_PAGES").map { String(foreign: $0) } == "huge"

    init(_ program: any WorkerProgram) {
        self.program = program
    }

    func run() -> Never {
        program.warmUp()
        let isSingleThreaded = intentd_is_single_threaded() != 0
        report(.ready(isSingleThreaded: isSingleThreaded))
        guard isSingleThreaded else { WorkerExitStatus.done() }
        let folders = Self.sharedFolders()
        let name = ProcessName.current
        // Distinguish the fork server from its workers in the output of ps(1).
        ProcessName.forkServer.nameThisThread()
        let worker = Unmanaged.passRetained(ThreadBody { [program, name] in program.performRun(as: name) }).toOpaque()
        intentd_prepare_to_fork()
        serve(folders, worker)
        WorkerExitStatus.done()
    }

    /// Forks a worker for each command until the launcher closes the socket.
    ///
    /// No memory is allocated between two forks. All pages are shared with the previous worker, so each write to a page
    /// would copy it.
    private func serve(_ folders: [Int32], _ worker: UnsafeMutableRawPointer) {
        var pace = ForkPace()
        folders.withUnsafeBufferPointer { folders in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: UnixSocket.mostDescriptors) { descriptors in
                while let (command, count) = receive(descriptors) {
                    fork(command, UnsafeBufferPointer(rebasing: descriptors[..<count]), folders, worker)
                    for descriptor in descriptors[..<count] { _ = close(descriptor) }
                    if mayEnlargeCode, pace.becomesSteady(at: ClockReading.monotonicNanoseconds()) {
                        intentd_enlarge_code_pages(Self.codeByteLimit)
                    }
                }
            }
        }
    }

    /// The maximum size of an app's code, in bytes, that is mapped in huge pages.
    private static let codeByteLimit = 64 << 20

    private func fork(
        _ command: ForkCommand,
        _ descriptors: UnsafeBufferPointer<Int32>,
        _ folders: UnsafeBufferPointer<Int32>,
        _ worker: UnsafeMutableRawPointer
    ) {
        guard descriptors.count == 3 else {
            WorkerExitStatus.protocolViolation(
                "expected the three descriptors of a fork command, got \(descriptors.count)"
            )
        }
        // One of the app's libraries may have started a thread in the meantime. A forked child would lack that thread
        // and could hang.
        guard intentd_is_single_threaded() != 0 else {
            report(.refused(command.slot, error: EBUSY))
            return
        }
        guard let start = folders.baseAddress else { preconditionFailure("the root directory is empty") }
        let error = ForkReport.forked(command.slot).withRecord { record in
            guard let word = record.baseAddress else { preconditionFailure("the encoded report is empty") }
            var plan = intentd_fork_plan(
                socket: descriptors[0],
                output: descriptors[1],
                error: descriptors[2],
                has_leaf: command.leaf != nil,
                leaf: command.leaf ?? 0,
                shared_folders: start,
                shared_folder_count: folders.count,
                file_access: command.fileAccess,
                scopes: command.scopes,
                open_file_count: command.openFileCount,
                allows_subprocesses: command.allowsSubprocesses ? 1 : 0,
                report: word,
                report_size: record.count
            )
            return Self.retry { intentd_fork_worker(&plan, ThreadBody.enter, worker) }
        }
        // On success, the worker sends the report.
        if error != 0 { report(.refused(command.slot, error: error)) }
    }

    /// Makes a call, and retries it for half a second while it fails with EAGAIN. If no cgroup limits the number of
    /// tasks, all of the user's runs in the app share one limit, and another run may soon release tasks.
    ///
    /// - Returns: 0, or an error number.
    private static func retry(_ call: () -> Int32) -> Int32 {
        var pause: UInt32 = 1000
        while true {
            if call() >= 0 { return 0 }
            let error = errno
            guard error == EAGAIN, pause < 512_000 else { return error }
            usleep(pause)
            pause *= 2
        }
    }

    /// Opens all entries of the root directory except `runs`, `roots` and `own`, which contain folders of single workers.
    private static func sharedFolders() -> [Int32] {
        let names: [String]
        do throws(SystemError) {
            names = try File.names(in: "/")
        } catch {
            WorkerExitStatus.configuration("cannot list the sandbox's root directory: \(error.code)")
        }
        guard !names.isEmpty else { WorkerExitStatus.configuration("the sandbox's root directory is empty") }
        return names.filter { !["runs", "roots", "own"].contains($0) }.compactMap { name in
            // Skip links, because /tmp is a link to the worker's own folder.
            // The descriptors stay open in the fork server, and every worker closes them.
            guard !Self.isLink("/\(name)"), let folder = try? File.openPath("/\(name)") else { return nil }
            return folder.release()
        }
    }

    private static func isLink(_ path: String) -> Bool {
        var byte: CChar = 0
        return readlink(path, &byte, 1) >= 0
    }

    /// Receives the next command with its descriptors. Returns nil if the launcher has closed the socket.
    private func receive(_ descriptors: UnsafeMutableBufferPointer<Int32>) -> (ForkCommand, descriptorCount: Int)? {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { record in
            guard let received = try? UnixSocket.receive(into: record, descriptors, from: SupervisorLink.descriptor),
                received.byteCount > 0
            else { return nil }
            guard !received.isTruncated,
                let command = ForkCommand(record: UnsafeRawBufferPointer(rebasing: record[..<received.byteCount]))
            else {
                WorkerExitStatus.protocolViolation(
                    "cannot decode a fork command: it is damaged or from another version"
                )
            }
            return (command, received.descriptorCount)
        }
    }

    private func report(_ report: ForkReport) {
        report.withRecord { record in
            do throws(SystemError) {
                try UnixSocket.send(record, on: SupervisorLink.descriptor)
            } catch {
                WorkerExitStatus.supervisorExited()
            }
        }
    }
}
