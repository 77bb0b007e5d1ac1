import Glibc
import IntentFleet
import IntentHash
import IntentLinux
import IntentProtocol
import IntentSystemd

/// A request to the host that performed a run, or to the host that stores the run's files.
///
/// Use an instance only on the loop's thread.
final class HostQuestion {
    /// Receives the answer, and the file that arrived with the answer.
    typealias Answer = (Result<(ClientAnswer, ReceivedFile?), ErrorReport>) -> Void

    /// A file from another host, open for reading.
    struct ReceivedFile {
        var descriptor: SharedFileDescriptor
        var byteCount: Int64
        /// The SHA-256 of the contents.
        var digest: [UInt8]
    }

    private static let repeatInterval: Duration = .milliseconds(500)
    /// The maximum time until the host delivers the next part, in nanoseconds.
    private static let patience: Int64 = 20_000_000_000

    private let statement: ErrandStatement
    private let folder: String
    private let database: DatabaseRequests
    private let loop: EventLoop
    private let answer: Answer
    private var errand: Int64?
    private var host = ""
    private var received: ErrandBytes
    private var hash = SHA256()
    private var contentHash = SHA256()
    private var spool: SharedFileDescriptor?
    private var next = 0
    private var isCollecting = false
    private var deadline: Int64 = 0
    private var timer: EventSource?
    private var hasEnded = false

    /// - Parameters:
    ///   - statement: ``ErrandStatement/ask`` or ``ErrandStatement/askOrigin``.
    ///   - limit: The maximum size of the file, in bytes.
    ///   - spool: An empty file for the contents; nil to create a file without a name in `folder`.
    init(
        _ statement: ErrandStatement,
        limit: Int64 = ErrandBytes.contentLimit,
        into spool: SharedFileDescriptor? = nil,
        folder: String,
        database: DatabaseRequests,
        on loop: EventLoop,
        _ answer: @escaping Answer
    ) {
        self.statement = statement
        received = ErrandBytes(limit: limit)
        self.spool = spool
        self.folder = folder
        self.database = database
        self.loop = loop
        self.answer = answer
    }

    func start() {
        extendDeadline()
        database.ask(statement) { [weak self] result in
            guard let self else { return }
            guard let rows = rows(of: result) else { return }
            let row = rows.first.flatMap { $0.count == 2 ? $0 : nil }
            guard let row, let errand = row[0].flatMap({ Int64($0) }), let host = row[1] else {
                // A host that could not beat in time often holds its runs again with the next beat. If it does not, the
                // beat's answer stops the run.
                let isTemporary = if case .askOrigin = statement { row == nil } else { false }
                return end(.refused(isTemporary ? .busy : .unknownRun, statement.absence(row)))
            }
            (self.errand, self.host) = (errand, host)
            database.hint(errandsOf: host)
            collect()
        }
    }

    /// Collects the available parts. Called after a hint, which indicates that there may be new parts.
    func collect() {
        guard let errand, !hasEnded, !isCollecting else { return }
        isCollecting = true
        database.ask(.collect(errand: errand, from: next)) { [weak self] result in
            guard let self, !hasEnded else { return }
            isCollecting = false
            if let rows = rows(of: result) { add(rows) }
        }
    }

    /// Returns the rows of an answer of the database. If it is an error, ends with the error and returns nil.
    private func rows(of result: Result<[[String?]], ErrorReport>) -> [[String?]]? {
        switch result {
        case .success(let rows): return rows
        case .failure(let error):
            end(.failure(error))
            return nil
        }
    }

    private func add(_ rows: [[String?]]) {
        guard !rows.isEmpty else {
            return end(.refused(.busy, "the database lost the answer of the host '\(host)'", hint: "try again"))
        }
        let parts = rows.compactMap(Parcel.init)
        guard !parts.isEmpty else { return waitForParts() }
        do {
            for part in parts where part.number == next {
                try add(part)
                if part.isLast { return try finish() }
            }
        } catch let error as SystemError {
            return end(.failure(.unstored(error)))
        } catch {
            return end(.refused(.historyUnavailable, "invalid answer from the host '\(host)': \(error)"))
        }
        extendDeadline()
        // The next query confirms that these parts were collected, after which the host may send more.
        collect()
        database.hint(errandsOf: host)
    }

    private func add(_ part: Parcel) throws {
        next += 1
        let piece = try received.append(part.bytes)
        hash.add(piece.digested)
        guard !piece.content.isEmpty else { return }
        contentHash.add(piece.content)
        let file: SharedFileDescriptor
        if let spool {
            file = spool
        } else {
            file = try File.openUnnamed(in: folder)
            spool = file
        }
        try File.write(file.rawValue, piece.content[...])
    }

    private func finish() throws {
        guard let digest = received.digest, digest == hash.finish(), case .answer(_, let answer)? = received.message
        else {
            throw ErrandBytes.Problem.unreadable
        }
        var file: ReceivedFile?
        if case .files = answer {
            let stored = try spool ?? File.openUnnamed(in: folder)
            // Reopen the file, to give the client a read-only descriptor with its offset at the start.
            let reading = try File.open("/proc/self/fd/\(stored.rawValue)", O_RDONLY | O_CLOEXEC)
            file = ReceivedFile(
                descriptor: SharedFileDescriptor(reading),
                byteCount: received.contentByteCount,
                digest: contentHash.finish()
            )
        }
        end(.success((answer, file)))
    }

    private func waitForParts() {
        guard ClockReading.monotonicNanoseconds() < deadline else {
            return end(
                .refused(
                    .busy,
                    "the host '\(host)', which \(statement.holding), does not answer",
                    hint: "'intentctl fleet nodes' shows when it was last alive"
                )
            )
        }
        timer = LoopTimer.after(Self.repeatInterval, on: loop) { [weak self] in
            guard let self else { return }
            database.hint(errandsOf: host)
            collect()
        }
    }

    private func extendDeadline() { deadline = ClockReading.monotonicNanoseconds() + Self.patience }

    private func end(_ result: Result<(ClientAnswer, ReceivedFile?), ErrorReport>) {
        guard !hasEnded else { return }
        hasEnded = true
        timer = nil
        if let errand { database.ask(.forget(errand: errand)) { _ in } }
        answer(result)
    }
}

extension ErrorReport {
    /// A failure of this host's disk, which is often full for a short time only.
    static func unstored(_ error: SystemError) -> ErrorReport {
        ErrorReport(.busy, "this host cannot store a file of the run: \(error)", hint: "try again later")
    }
}

extension Result where Failure == ErrorReport {
    /// Creates a failure.
    static func refused(_ code: ErrorReport.Code, _ message: String, hint: String? = nil) -> Self {
        .failure(ErrorReport(code, message, hint: hint))
    }
}

extension ErrandStatement {
    /// The other host's relation to the run, as a clause.
    fileprivate var holding: String {
        if case .askOrigin = self { "stores the run's files" } else { "performed the run" }
    }

    /// Returns the reason why the database created no errand.
    ///
    /// - Parameter row: The database's answer: no errand, and the host that was lost.
    fileprivate func absence(_ row: [String?]?) -> String {
        switch (self, row) {
        case (.askOrigin, nil): "this host does not hold the run, or its lease has ended"
        case (.askOrigin, let row?):
            row[1].map { "the host '\($0)' was lost, with the files that the run receives" }
                ?? "the run was submitted without the files that its values name"
        case (_, nil): "the run has not begun, or is unknown"
        case (_, let row?):
            row[1].map { "the host '\($0)' was lost with the run's output and files" }
                ?? "no host has performed the run"
        }
    }
}
