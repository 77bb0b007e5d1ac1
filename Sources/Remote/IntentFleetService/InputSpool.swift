import Glibc
import IntentDaemon
import IntentFleet
import IntentLinux
import IntentProtocol
import IntentSystemd

/// The files of runs that local users submitted on this host. They are stored until the runs have ended, and the hosts
/// that perform the runs request them.
///
/// Use an instance only on the loop's thread.
final class InputSpool {
    /// The name of a run's files, and their descriptions.
    typealias Answer = (Result<(name: String, inputs: [FleetInput]), ErrorReport>) -> Void

    /// The maximum total size of one user's files, and of all users' files, in bytes.
    private static let userLimit: Int64 = 2 << 30
    private static let limit: Int64 = 8 << 30
    /// The maximum number of copies in progress, per user and in total. Each copy uses a thread.
    private static let userCopyLimit = 4
    private static let copyLimit = 64
    private static let lookInterval: Duration = .seconds(1)
    /// The time after which files without a known run are compared with the database, in nanoseconds. Within this time,
    /// the database completes a submission that it received on a connection that was then lost.
    private static let doubtPeriod: Int64 = 60_000_000_000

    private struct Entry {
        var user: UInt32
        var byteCount: Int64
        var fileCount: Int
        /// The instant on CLOCK_MONOTONIC, in nanoseconds, from which the files are removed if no run needs them.
        var removableSince: Int64
    }

    let closing: ClosingThreads
    private let path: String
    private let folder: SharedFileDescriptor
    private let loop: EventLoop
    private let database: DatabaseRequests
    private var entries: [String: Entry] = [:]
    private var copies: [String: InputCopy] = [:]
    private var timer: EventSource?

    /// - Parameter path: A folder that only this program uses. An earlier process's files are kept until their runs
    ///   have ended.
    init(folder path: String, database: DatabaseRequests, on loop: EventLoop) throws(SystemError) {
        try File.makeFolders(path, permissions: 0o700)
        self.path = path
        folder = SharedFileDescriptor(try File.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        closing = try ClosingThreads()
        self.database = database
        self.loop = loop
        for file in try File.names(in: path) {
            let parts = file.split(scalar: ".")
            guard parts.count == 2, let user = parts[0].split(scalar: "-").first.flatMap({ UInt32($0) }) else {
                continue
            }
            let name = String(parts[0])
            let removable = ClockReading.monotonicNanoseconds() + Self.doubtPeriod
            var entry =
                entries[name] ?? Entry(user: user, byteCount: 0, fileCount: 0, removableSince: removable)
            entry.byteCount += try File.status(at: "\(path)/\(file)").byteCount
            entry.fileCount += 1
            entries[name] = entry
        }
        armLook()
    }

    // MARK: Submission

    /// Copies the files that a user passes for a run.
    func store(_ files: [SharedFileDescriptor], for user: UInt32, _ answer: @escaping Answer) {
        var sized: [(file: SharedFileDescriptor, byteCount: Int64)] = []
        for file in files {
            guard let access = File.access(of: file.rawValue), access != .writing,
                File.kindWithoutWaiting(of: file.rawValue) == .regular,
                let identity = File.Identity(of: file.rawValue)
            else {
                return answer(
                    .refused(
                        .badParameter,
                        "a fleet accepts only regular files that are open for reading",
                        hint: "write the output of a pipe into a file first"
                    )
                )
            }
            sized.append((file, Int64(clamping: identity.byteCount)))
        }
        let total = sized.reduce(Int64(0)) { $0.addingReportingOverflow($1.byteCount).partialValue }
        guard sized.allSatisfy({ (0...FleetInput.byteLimit).contains($0.byteCount) }), total <= FleetInput.byteLimit
        else {
            return answer(
                .refused(.tooLarge, "the files of a run may have \(FleetInput.byteLimit) bytes in total in a fleet")
            )
        }
        if let refusal = refusal(of: total, for: user) { return answer(.failure(refusal)) }
        let random = String(UInt64.random(in: 0 ... .max), radix: 16)
        let name = "\(user)-\(random)"
        entries[name] = Entry(user: user, byteCount: total, fileCount: files.count, removableSince: .max)
        do {
            copies[name] = try InputCopy(of: sized, to: folder, as: name, on: loop) { [weak self] result in
                guard let self else { return }
                copies[name] = nil
                if case .failure = result { discard(name) }
                answer(result.map { (name, $0) })
            }
        } catch {
            discard(name)
            answer(.refused(.busy, "cannot store the run's files: \(error)", hint: "try again later"))
        }
    }

    /// Returns the reason why no more files are stored, or nil.
    private func refusal(of byteCount: Int64, for user: UInt32) -> ErrorReport? {
        let own = entries.values.filter { $0.user == user }.reduce(Int64(0)) { $0 + $1.byteCount }
        let all = entries.values.reduce(Int64(0)) { $0 + $1.byteCount }
        let ownCopies = copies.keys.count { entries[$0]?.user == user }
        guard own + byteCount <= Self.userLimit, all + byteCount <= Self.limit else {
            return ErrorReport(
                .busy,
                "the files of your runs in the fleet have \(own) bytes, and those of all users \(all); the limits are "
                    + "\(Self.userLimit) and \(Self.limit)",
                hint: "try again when some of the runs have ended"
            )
        }
        guard ownCopies < Self.userCopyLimit, copies.count < Self.copyLimit else {
            return ErrorReport(.busy, "too many files are being copied", hint: "try again in a moment")
        }
        return nil
    }

    /// Records that the database knows the run, or may know it. Its files are removed when the database does not list
    /// them.
    func submitted(_ name: String, isCertain: Bool) {
        let now = ClockReading.monotonicNanoseconds()
        entries[name]?.removableSince = isCertain ? now : now + Self.doubtPeriod
        armLook()
    }

    /// Removes the files of a run that was not submitted, or has ended.
    func discard(_ name: String) {
        guard let entry = entries.removeValue(forKey: name) else { return }
        for index in 0..<entry.fileCount {
            // If the removal fails, the service's next process removes the file.
            try? File.remove("\(name).\(index)", in: folder.rawValue)
        }
    }

    // MARK: Requests of other hosts

    /// Opens a file; nil if this host does not store it.
    func open(_ name: String?, _ index: Int) -> SharedFileDescriptor? {
        guard let name, let entry = entries[name], (0..<entry.fileCount).contains(index) else { return nil }
        do throws(SystemError) {
            return SharedFileDescriptor(try File.open("\(name).\(index)", in: folder.rawValue))
        } catch {
            // The requesting host is told that the file is not here.
            return nil
        }
    }

    // MARK: Ended runs

    private func armLook() {
        guard timer == nil, !entries.isEmpty else { return }
        timer = LoopTimer.after(Self.lookInterval, on: loop) { [weak self] in self?.look() }
    }

    /// Removes the files of runs that have ended, according to the database.
    private func look() {
        let now = ClockReading.monotonicNanoseconds()
        let asked = entries.filter { $0.value.removableSince <= now }.map(\.key)
        guard !asked.isEmpty else {
            timer = nil
            return armLook()
        }
        database.ask(.spools) { [weak self] result in
            guard let self else { return }
            if case .success(let rows) = result {
                let needed = Set(rows.compactMap { $0.first.flatMap { $0 } })
                for name in asked where !needed.contains(name) { discard(name) }
            }
            timer = nil
            armLook()
        }
    }
}
