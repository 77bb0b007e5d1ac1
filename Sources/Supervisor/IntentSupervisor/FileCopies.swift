import Glibc
import IntentHash
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd
import Synchronization

/// A file that a run receives in place of an agent's file, and its description for the person who approves the run.
struct FileCopy: Sendable {
    var file: SharedFileDescriptor
    var description: PassedFile
}

/// Copies the files that agents pass, so that nothing can change them after a person has approved them. Each request has
/// a thread, because the file system of a file can delay each call, and a file of 16 MiB takes many milliseconds.
///
/// A request is refused if its files are not copied in time. The kernel provides no way to end its thread, which waits
/// for the file system. The thread, its descriptors and its bytes then count only for the account.
///
/// A copy is a sealed memory file: no process can change it, not even one with the uid of `intentd`; no file remains
/// after a crash; and `CopyBudget` bounds the memory.
///
/// Must be used only on the event loop's thread.
final class FileCopies {
    typealias Outcome = Result<[FileCopy], ErrorReport>

    /// A request for copies.
    private struct Order {
        var run: RunID
        var account: Account
        var byteCount: Int
        var fileCount: Int
        /// Nil once the request has been refused, because its files were not copied in time.
        var completed: ((Outcome) -> Void)?
        /// The timer that refuses the request.
        var timer: EventSource?
    }

    /// The outcomes that the loop has not received yet, by number of the order.
    private final class Outcomes: Sendable {
        let counter: EventCounter
        private let waiting = Mutex<[(UInt64, Outcome)]>([])

        init() throws(SystemError) { counter = try EventCounter() }

        func add(_ outcome: Outcome, of order: UInt64) {
            waiting.withLock { $0.append((order, outcome)) }
            counter.signal()
        }

        func removeAll() -> [(UInt64, Outcome)] {
            counter.reset()
            return waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
        }
    }

    /// The maximum number of requests at a time, without those that have been refused. Accounts share them.
    static let orderLimit = 16
    /// The maximum number of threads, each of which copies the files of one request. Accounts share them.
    static let threadLimit = 32

    private let loop: EventLoop
    private let patience: Duration
    private let closer: SharedFileDescriptor.Closer
    private let outcomes: Outcomes
    private var source: EventSource?
    private var orders: [UInt64: Order] = [:]
    private var lastNumber: UInt64 = 0
    private var waiting = SharedPool()
    private var threads = SharedPool()
    var budget = CopyBudget()

    /// - Parameter patience: The time in which the files of a request must be copied.
    init(
        on loop: EventLoop,
        patience: Duration = .seconds(30),
        closer: @escaping SharedFileDescriptor.Closer
    ) throws(SystemError) {
        self.loop = loop
        self.patience = patience
        self.closer = closer
        outcomes = try Outcomes()
        source = try loop.descriptor(outcomes.counter.rawValue, .readable) { [weak self] _ in self?.deliver() }
    }

    /// The number of files that are being copied, which have two descriptors each.
    var fileCount: Int { orders.values.reduce(0) { $0 + $1.fileCount } }

    func fileCount(of account: Account) -> Int {
        orders.values.reduce(0) { $0 + ($1.account == account ? $1.fileCount : 0) }
    }

    /// Copies files for a run. A file that is open for writing is described, but not copied.
    ///
    /// - Parameter roots: The folders of `AllowRoots=`; nil for no restriction.
    func copy(
        _ files: [SharedFileDescriptor],
        for run: RunID,
        of account: Account,
        below roots: [String]?,
        completed: @escaping (Outcome) -> Void
    ) {
        guard files.allSatisfy({ File.kindWithoutWaiting(of: $0.rawValue) == .regular }) else {
            return completed(
                .failure(
                    ErrorReport(
                        .notPermitted,
                        "agents may pass only regular files",
                        hint: "write the data to a file, and pass the file"
                    )
                )
            )
        }
        guard hasRoom(for: account) else { return completed(.failure(Self.busy)) }
        let sizes = files.map { file in
            File.access(of: file.rawValue) == .both ? 0 : File.Identity(of: file.rawValue)?.byteCount ?? 0
        }
        if let refusal = budget.hold(sizes, for: run, of: account) { return completed(.failure(refusal)) }
        lastNumber += 1
        let byteCount = sizes.reduce(0) { $0 + Int($1) }
        var order = Order(
            run: run,
            account: account,
            byteCount: byteCount,
            fileCount: files.count,
            completed: completed
        )
        do {
            let end = ClockReading.monotonicNanoseconds() + patience.milliseconds * 1_000_000
            order.timer = try loop.timer(atNanoseconds: end) { [weak self, number = lastNumber] in self?.expire(number)
            }
            try DetachedThread.start { [outcomes, closer, number = lastNumber] in
                outcomes.add(Self.copies(of: files, byteCounts: sizes, below: roots, closer: closer), of: number)
            }
        } catch {
            budget.release(byteCount, for: run, of: account)
            return completed(.failure(Self.busy))
        }
        orders[lastNumber] = order
        waiting.add(account)
        threads.add(account)
    }

    /// Returns true if the account may have another thread. Threads of refused requests use no other account's places.
    private func hasRoom(for account: Account) -> Bool {
        threads.hasRoom(for: account, limit: Self.threadLimit)
            && FairShare.hasRoom(own: threads[account], taken: waiting.count, limit: Self.orderLimit)
    }

    /// Records the copies that an earlier `intentd` made for a run.
    func inherit(_ byteCount: Int, for run: RunID) { budget.inherit(byteCount, for: run) }

    /// Counts inherited copies as the account's.
    func assign(_ run: RunID, to account: Account) { budget.assign(run, to: account) }

    /// Releases the memory of copies that a run did not receive.
    func release(_ copies: [PassedFile], for run: RunID, of account: Account) {
        budget.release(copies.reduce(0) { $0 + $1.copiedByteCount }, for: run, of: account)
    }

    private func deliver() {
        for (number, outcome) in outcomes.removeAll() {
            guard let order = orders.removeValue(forKey: number) else { continue }
            threads.remove(order.account)
            guard let completed = order.completed else {
                // The request has been refused, so its copies are released.
                budget.release(order.byteCount, for: order.run, of: order.account)
                continue
            }
            waiting.remove(order.account)
            let used = (try? outcome.get())?.reduce(0) { $0 + $1.description.copiedByteCount } ?? 0
            // A file can have become smaller.
            budget.release(order.byteCount - used, for: order.run, of: order.account)
            completed(outcome)
        }
    }

    /// Refuses a request because its files were not copied in time.
    private func expire(_ number: UInt64) {
        guard let order = orders[number], let completed = order.completed else { return }
        orders[number]?.completed = nil
        orders[number]?.timer = nil
        waiting.remove(order.account)
        completed(
            .failure(
                ErrorReport(
                    .badParameter,
                    "cannot copy a passed file: its file system did not respond within \(TimeSpan.format(patience))",
                    hint: "copy the file to another file system, and pass the copy"
                )
            )
        )
    }

    private static let busy = ErrorReport(
        .busy,
        "too many files of agents are being copied, or are on file systems that do not respond",
        hint: "try again in a moment"
    )

    // MARK: On the thread of an order

    private static func copies(
        of files: [SharedFileDescriptor],
        byteCounts: [UInt64],
        below roots: [String]?,
        closer: @escaping SharedFileDescriptor.Closer
    ) -> Outcome {
        do {
            // Check the paths first, so that no file is read that the agent may not pass.
            let names = try files.map(name)
            let described = zip(files, names).map { PassedFile(name: $1, byteCount: 0, contents: .copy(digest: "")) }
            if let refusal = PassedFile.refusal(of: described, below: roots) { return .failure(refusal) }
            var copies: [FileCopy] = []
            for index in files.indices {
                copies.append(try copy(files[index], names[index], upTo: byteCounts[index], closer: closer))
            }
            return .success(copies)
        } catch let error as ErrorReport {
            return .failure(error)
        } catch {
            return .failure(
                ErrorReport(.badParameter, "cannot copy a passed file: \(error)", hint: "check the file, and try again")
            )
        }
    }

    /// Returns the path of a file. It is verified if this process reaches the same file by the path without symbolic
    /// links, which a path of the kernel does not contain.
    private static func name(of file: SharedFileDescriptor) throws -> PassedFile.Name {
        guard let identity = File.Identity(of: file.rawValue), let path = identity.path else { return .none }
        // A link would change the path. Do not use openat2(2), which RestrictSUIDSGID= in intentd's unit forbids.
        guard let found = try? File.openPath(path), let reached = File.Identity(of: found.rawValue),
            reached.device == identity.device, reached.inode == identity.inode, reached.path == path
        else { return .unverified(path) }
        return .verified(path)
    }

    private static func copy(
        _ file: SharedFileDescriptor,
        _ name: PassedFile.Name,
        upTo limit: UInt64,
        closer: @escaping SharedFileDescriptor.Closer
    ) throws -> FileCopy {
        if File.access(of: file.rawValue) == .both {
            let identity = File.Identity(of: file.rawValue)
            let contents = PassedFile.Contents.writable(device: identity?.device ?? 0, inode: identity?.inode ?? 0)
            let description = PassedFile(name: name, byteCount: identity?.byteCount ?? 0, contents: contents)
            return FileCopy(file: file, description: description)
        }
        let copy = try MemoryFile.unsealed(name: "intentd-copy", [])
        var hash = SHA256()
        var position = 0
        while true {
            let bytes = try File.read(file.rawValue, upTo: 256 << 10, at: position)
            if bytes.isEmpty { break }
            position += bytes.count
            guard position <= limit else {
                throw ErrorReport(
                    .badParameter,
                    "a passed file has changed while intentd copied it, or its size is unknown",
                    hint: "copy the file, and pass the copy"
                )
            }
            hash.add(bytes)
            try File.write(copy.rawValue, bytes[...])
        }
        try MemoryFile.seal(copy)
        // Open the copy again, for reading only and with an offset of 0.
        let reading = try File.open("/proc/self/fd/\(copy.rawValue)", O_RDONLY)
        let digest = SHA256.hexadecimal(hash.finish())
        return FileCopy(
            file: SharedFileDescriptor(reading, closer: closer),
            description: PassedFile(name: name, byteCount: UInt64(position), contents: .copy(digest: digest))
        )
    }
}
