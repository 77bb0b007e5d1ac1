/// Selects the hosts on which to start a command next, and computes the exit code of the whole command. Hosts are
/// identified by their indices.
package struct FanOut: Sendable {
    private let hostCount: Int
    /// The number of hosts that must succeed.
    private let requiredCount: Int
    /// The maximum number of hosts in progress at a time.
    private let limit: Int
    private let stopsOnFailure: Bool
    private var next = 0
    private var running = 0
    private var isStopped = false
    private var codes: [Int: ExitCode] = [:]

    /// - Parameters:
    ///   - atLeast: The number of hosts that must succeed; nil for all.
    ///   - serial: The maximum number of hosts that perform the command at a time; nil for no limit.
    package init(hostCount: Int, atLeast: Int?, serial: Int?, stopsOnFailure: Bool) {
        self.hostCount = hostCount
        requiredCount = atLeast ?? hostCount
        limit = serial ?? hostCount
        self.stopsOnFailure = stopsOnFailure
    }

    /// Returns the hosts on which to start the command now.
    package mutating func begin() -> [Int] {
        guard !isStopped else { return [] }
        let first = next
        while next < hostCount, running < limit {
            next += 1
            running += 1
        }
        return Array(first..<next)
    }

    /// Records that the command has ended on a host. Call ``begin()`` afterwards to start the next hosts.
    package mutating func ended(_ host: Int, _ code: ExitCode) {
        codes[host] = code
        running -= 1
        let failed = codes.count - succeeded
        if stopsOnFailure, hostCount - failed < requiredCount { isStopped = true }
    }

    /// Records an interrupt by the user, after which the command is not started on further hosts.
    package mutating func interrupted() { isStopped = true }

    package var isFinished: Bool { running == 0 && (isStopped || next == hostCount) }

    /// The hosts on which the command has not started.
    package var skipped: [Int] { Array(next..<hostCount) }

    /// The exit code of the whole command: 0 if enough hosts succeeded; otherwise the code of the failures if they all
    /// have the same code, or 1.
    package var code: ExitCode {
        if succeeded >= requiredCount { return .done }
        let failures = Set(codes.values).subtracting([.done])
        return failures.count == 1 ? failures.first ?? .failed : .failed
    }

    private var succeeded: Int { codes.values.count { $0 == .done } }
}
