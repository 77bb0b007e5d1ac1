import Glibc
import IntentFleet
import IntentHash
import IntentLinux
import IntentProtocol
import IntentSystemd

/// A request of a local user to the host that performed a run.
///
/// Use an instance only on the loop's thread.
final class HostQuestion {
    /// Receives intentd's answer, and the file that arrived with the answer.
    typealias Answer = (Result<(ClientAnswer, SharedFileDescriptor?), ErrorReport>) -> Void

    private static let repeatInterval: Duration = .milliseconds(500)
    /// The maximum time until the host delivers the next part, in nanoseconds.
    private static let patience: Int64 = 20_000_000_000

    private let run: Int64
    private let kind: Errand.Kind
    private let number: Int64
    private let folder: String
    private let database: DatabaseRequests
    private let loop: EventLoop
    private let answer: Answer
    private var errand: Int64?
    private var host = ""
    private var received = ErrandBytes()
    private var hash = SHA256()
    private var spool: SharedFileDescriptor?
    private var next = 0
    private var isCollecting = false
    private var deadline: Int64 = 0
    private var timer: EventSource?
    private var hasEnded = false

    /// - Parameter folder: The folder in which the file is stored, without a name, until the user's client has received
    ///   it.
    init(
        _ kind: Errand.Kind,
        _ number: Int64,
        about run: Int64,
        folder: String,
        database: DatabaseRequests,
        on loop: EventLoop,
        _ answer: @escaping Answer
    ) {
        self.run = run
        self.kind = kind
        self.number = number
        self.folder = folder
        self.database = database
        self.loop = loop
        self.answer = answer
    }

    func start() {
        extendDeadline()
        database.ask(.ask(run: run, kind, number: number)) { [weak self] result in
            guard let self else { return }
            switch result {
            case .failure(let error): end(.failure(error))
            case .success(let rows):
                guard let row = rows.first, row.count == 2 else {
                    return end(.failure(ErrorReport(.unknownRun, "the run has not begun, or is unknown")))
                }
                guard let errand = row[0].flatMap({ Int64($0) }), let host = row[1] else {
                    return end(
                        .failure(
                            ErrorReport(
                                .unknownRun,
                                row[1].map { "the host '\($0)' was lost with the run's output and files" }
                                    ?? "no host has performed the run"
                            )
                        )
                    )
                }
                (self.errand, self.host) = (errand, host)
                database.hint(errandsOf: host)
                collect()
            }
        }
    }

    /// Collects the available parts. Called after a hint, which indicates that there may be new parts.
    func collect() {
        guard let errand, !hasEnded, !isCollecting else { return }
        isCollecting = true
        database.ask(.collect(errand: errand, from: next)) { [weak self] result in
            guard let self, !hasEnded else { return }
            isCollecting = false
            switch result {
            case .failure(let error): end(.failure(error))
            case .success(let rows): add(rows)
            }
        }
    }

    private func add(_ rows: [[String?]]) {
        guard !rows.isEmpty else {
            return end(
                .failure(ErrorReport(.busy, "the database lost the answer of the host '\(host)'", hint: "try again"))
            )
        }
        let parts = rows.compactMap(Parcel.init)
        guard !parts.isEmpty else { return waitForParts() }
        do {
            for part in parts where part.number == next {
                try add(part)
                if part.isLast { return try finish() }
            }
        } catch {
            return end(.failure(ErrorReport(.historyUnavailable, "invalid answer from the host '\(host)': \(error)")))
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
        var file: SharedFileDescriptor?
        if case .files = answer {
            let stored = try spool ?? File.openUnnamed(in: folder)
            // Reopen the file, to give the client a read-only descriptor with its offset at the start.
            file = SharedFileDescriptor(try File.open("/proc/self/fd/\(stored.rawValue)", O_RDONLY | O_CLOEXEC))
        }
        end(.success((answer, file)))
    }

    private func waitForParts() {
        guard ClockReading.monotonicNanoseconds() < deadline else {
            return end(
                .failure(
                    ErrorReport(
                        .busy,
                        "the host '\(host)', which performed the run, does not answer",
                        hint: "'intentctl fleet nodes' shows when it was last alive"
                    )
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

    private func end(_ result: Result<(ClientAnswer, SharedFileDescriptor?), ErrorReport>) {
        guard !hasEnded else { return }
        hasEnded = true
        timer = nil
        if let errand { database.ask(.forget(errand: errand)) { _ in } }
        answer(result)
    }
}
