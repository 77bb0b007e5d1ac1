/// Decides with which hosts a command begins, and how it ends. Hosts are indices.
package struct FanOut: Sendable {
    private let hostCount: Int
    /// How many hosts must succeed.
    private let requiredCount: Int
    /// How many hosts are in progress at a time.
    private let limit: Int
    private let stopsOnFailure: Bool
    private var next = 0
    private var running = 0
    private var isStopped = false
    private var codes: [Int: ExitCode] = [:]

    /// - Parameters:
    ///   - atLeast: How many hosts must succeed; nil: all.
    ///   - serial: How many hosts are in progress at a time; nil: all.
    package init(hostCount: Int, atLeast: Int?, serial: Int?, stopsOnFailure: Bool) {
        self.hostCount = hostCount
        requiredCount = atLeast ?? hostCount
        limit = serial ?? hostCount
        self.stopsOnFailure = stopsOnFailure
    }

    /// The hosts to begin with now.
    package mutating func begin() -> [Int] {
        guard !isStopped else { return [] }
        let first = next
        while next < hostCount, running < limit {
            next += 1
            running += 1
        }
        return Array(first..<next)
    }

    /// The command has ended at a host. Ask ``begin()`` for the next ones.
    package mutating func ended(_ host: Int, _ code: ExitCode) {
        codes[host] = code
        running -= 1
        let failed = codes.count - succeeded
        if stopsOnFailure, hostCount - failed < requiredCount { isStopped = true }
    }

    /// The user has stopped the command: it begins with no other host.
    package mutating func interrupted() { isStopped = true }

    package var isFinished: Bool { running == 0 && (isStopped || next == hostCount) }

    /// The hosts with which the command has not begun.
    package var skipped: [Int] { Array(next..<hostCount) }

    /// The code of the whole command: 0 when enough hosts succeeded; the code of the failures when they have one code; else 1.
    package var code: ExitCode {
        if succeeded >= requiredCount { return .done }
        let failures = Set(codes.values).subtracting([.done])
        return failures.count == 1 ? failures.first ?? .failed : .failed
    }

    private var succeeded: Int { codes.values.count { $0 == .done } }
}
