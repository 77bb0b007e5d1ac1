import Glibc
import IntentFleet
import IntentLinux
import IntentProtocol
import IntentSystemd

/// The files that this host's runs receive. They are requested from the hosts on which the runs were submitted, and are
/// stored until the attempt has ended, so that the service's next process can repeat the request to intentd.
///
/// Use an instance only on the loop's thread.
final class ReceivedInputs {
    typealias Answer = (ErrorReport?) -> Void

    private static let repeatInterval: Duration = .seconds(1)
    /// The time within which the files must arrive, in nanoseconds. It outlasts a failover of the database and most
    /// shortages of disk space, and a run that waits can be cancelled.
    private static let patience: Int64 = 600_000_000_000

    private let front: FleetFront
    private let path: String
    private let folder: SharedFileDescriptor
    private let loop: EventLoop
    private let journal: Journal
    /// The attempts that are waiting for files, with the timer for the next request.
    private var fetches: [String: EventSource?] = [:]

    init(folder path: String, front: FleetFront, on loop: EventLoop, journal: Journal) throws(SystemError) {
        try File.makeFolders(path, permissions: 0o700)
        self.path = path
        folder = SharedFileDescriptor(try File.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        self.front = front
        self.loop = loop
        self.journal = journal
    }

    private static func prefix(_ run: FleetRun) -> String { "\(run.id).\(run.attempt)." }

    /// The digest is part of the name, so that a file with this name has the right contents.
    private static func name(_ run: FleetRun, _ index: Int, _ input: FleetInput) -> String {
        "\(prefix(run))\(index).\(input.digest)"
    }

    /// Requests the files that this host does not have yet, and calls `answer` with nil when all are here.
    func fetch(_ inputs: [FleetInput], of run: FleetRun, _ answer: @escaping Answer) {
        fetches[Self.prefix(run)] = .some(nil)
        fetch(inputs, from: 0, of: run, until: ClockReading.monotonicNanoseconds() + Self.patience, answer)
    }

    private func fetch(
        _ inputs: [FleetInput],
        from index: Int,
        of run: FleetRun,
        until deadline: Int64,
        _ answer: @escaping Answer
    ) {
        guard index < inputs.count else {
            fetches[Self.prefix(run)] = nil
            return answer(nil)
        }
        let name = Self.name(run, index, inputs[index])
        if access("\(path)/\(name)", F_OK) == 0 {
            return fetch(inputs, from: index + 1, of: run, until: deadline, answer)
        }
        request(inputs[index], index, of: run) { [weak self] error in
            guard let self, fetches[Self.prefix(run)] != nil else { return }
            guard let error else { return fetch(inputs, from: index + 1, of: run, until: deadline, answer) }
            guard error.code == .busy, ClockReading.monotonicNanoseconds() < deadline else {
                fetches[Self.prefix(run)] = nil
                return answer(error)
            }
            if case .some(nil) = fetches[Self.prefix(run)] {
                journal.write(
                    .warning,
                    "run \(RunID(fleet: run.id)) waits for its files: \(error.message); trying again"
                )
            }
            fetches[Self.prefix(run)] = LoopTimer.after(Self.repeatInterval, on: loop) { [weak self] in
                self?.fetch(inputs, from: index, of: run, until: deadline, answer)
            }
        }
    }

    /// Requests one file, and stores it under its name only if it is the file that was submitted.
    private func request(_ input: FleetInput, _ index: Int, of run: FleetRun, _ answer: @escaping Answer) {
        let name = Self.name(run, index, input)
        do throws(SystemError) {
            try File.remove("\(name).part", in: folder.rawValue)
            let part = SharedFileDescriptor(try File.create("\(name).part", in: folder.rawValue, permissions: 0o600))
            let statement = ErrandStatement.askOrigin(run: run.id, attempt: run.attempt, index: index)
            front.ask(statement, limit: input.byteCount, into: part) { [weak self] result in
                guard let self, fetches[Self.prefix(run)] != nil else { return }
                switch result {
                case .success((.files, let file?)):
                    guard file.byteCount == input.byteCount, file.digest.hexadecimal == input.digest else {
                        return answer(
                            ErrorReport(
                                .historyUnavailable,
                                "file \(index + 1) of the run is not the file that was submitted"
                            )
                        )
                    }
                    do throws(SystemError) {
                        try File.rename("\(name).part", to: name, in: folder.rawValue)
                        answer(nil)
                    } catch {
                        answer(.unstored(error))
                    }
                case .success((.refused(let error), _)): answer(error)
                case .success: answer(ErrorReport(.historyUnavailable, "a host's answer does not match the request"))
                case .failure(let error): answer(error)
                }
            }
        } catch {
            answer(.unstored(error))
        }
    }
    /// Opens the files of an attempt for reading, each with its own offset.
    func open(_ inputs: [FleetInput], of run: FleetRun) throws(SystemError) -> [SharedFileDescriptor] {
        var files: [SharedFileDescriptor] = []
        for (index, input) in inputs.enumerated() {
            files.append(SharedFileDescriptor(try File.open(Self.name(run, index, input), in: folder.rawValue)))
        }
        return files
    }

    /// Removes the files of an attempt that has ended, and stops waiting for them.
    func discard(_ run: FleetRun) {
        fetches[Self.prefix(run)] = nil
        remove { $0.hasPrefix(utf8: Self.prefix(run)) }
    }

    /// Removes the files that an earlier process left for attempts that this host no longer holds.
    func discard(except runs: [FleetRun]) {
        let prefixes = runs.map(Self.prefix)
        remove { name in !prefixes.contains { name.hasPrefix(utf8: $0) } }
    }

    private func remove(_ isRemovable: (String) -> Bool) {
        // If a removal fails, the file is removed after the next connection to the database.
        for name in (try? File.names(in: path)) ?? [] where isRemovable(name) {
            try? File.remove(name, in: folder.rawValue)
        }
    }
}
