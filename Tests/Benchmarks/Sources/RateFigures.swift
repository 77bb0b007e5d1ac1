import Glibc
import IntentLinux
import Synchronization

/// The throughput of eight clients that never pause, with a process for each run.
enum RateFigures {
    private static let clientCount = 8

    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let options = workbench.options
        let daemon = try BenchmarkDaemon(workbench.programs, apps: [.plain, .withoutSpares])
        let clients = try (0..<clientCount).map { _ in try daemon.connect() }
        let warm = try PreparedPerform.trivial(app: "Plain")
        let cold = try PreparedPerform.trivial(app: "NoSpares")
        _ = try rate(clients, warm, seconds: 1)
        _ = try rate(clients, cold, seconds: 0.5)

        let peers = PeerGroup([.celery, .celeryFresh, .rq, .rqWarm], options)
        var spare = Samples(), forked = Samples(), waiting = Samples(), forks = Samples(), bubbles = Samples()
        var spent = SpentTime(on: daemon)
        for _ in 0..<options.count(5, quick: 2) {
            spent.begin()
            let (runs, latencies) = try rate(clients, warm, seconds: options.isQuick ? 1.5 : 3)
            spent.end(after: latencies.count)
            spare.append(runs)
            waiting += latencies
            forks.append(try each(seconds: 0.5) { [floor = workbench.floor] in try floor.forkOnce() })
            forked.append(try rate(clients, cold, seconds: options.isQuick ? 1 : 2).runs)
            bubbles.append(try bubblewrapRate(workbench.programs, seconds: 1))
            peers.measure { "throughput \(options.count($0.burst, quick: $0.burst / 2))" }
        }
        let bubblewrap =
            bubbles.summary.map { $0.p50 > 0 } ?? false
            ? Comparison("bwrap", bubbles, worst: .runsPerSecond) : Comparison("bwrap", problem: "not installed")
        let floors = [Comparison("fork", forks, worst: .runsPerSecond)]
        return [
            Figure("rate", "8 clients without pause (p99: worst round)", .runsPerSecond, spare, goals: [.atLeast(1000)])
                .beside(
                    floors,
                    peers: peers.comparisons(worst: .runsPerSecond)
                        + [bubblewrap, workbench.systemd("rate", worst: .runsPerSecond)]
                ),
            Figure("rate", "8 clients without pause, Spare=0", .runsPerSecond, forked).beside(floors),
            Figure("rate", "submit → result meanwhile", .milliseconds, waiting),
        ] + spent.figures
    }

    /// Measures the outcomes per second, and the latency of each run.
    private static func rate(
        _ clients: [DaemonConnection],
        _ request: PreparedPerform,
        seconds: Double
    ) throws -> (runs: Double, latencies: Samples) {
        var request = request
        var begins = [Int64](repeating: 0, count: clients.count)
        var sockets = clients.map { pollfd(fd: $0.rawValue, events: Int16(POLLIN), revents: 0) }
        var latencies = Samples(room: 20_000)
        let begin = ClockReading.monotonicNanoseconds()
        let stop = begin + Int64(seconds * 1_000_000_000)
        var openCount = 0
        func submit(_ index: Int) throws {
            request.renew()
            begins[index] = ClockReading.monotonicNanoseconds()
            try clients[index].send(request.frame)
            openCount += 1
        }
        for index in clients.indices { try submit(index) }
        var doneCount = 0
        var last = begin
        while openCount > 0 {
            try syscall("poll") { poll(&sockets, nfds_t(sockets.count), 10_000) }
            for index in clients.indices where sockets[index].revents != 0 {
                try clients[index].receive()
                while let payload = clients[index].bufferedPayload() {
                    guard let isDone = try DaemonConnection.end(in: payload) else { continue }
                    guard isDone else { throw BenchmarkError("a run failed") }
                    last = ClockReading.monotonicNanoseconds()
                    latencies.append(nanoseconds: last - begins[index])
                    doneCount += 1
                    openCount -= 1
                    if last < stop { try submit(index) }
                }
            }
        }
        return (Double(doneCount) * 1_000_000_000 / Double(last - begin), latencies)
    }

    /// Repeats an operation on eight threads, and returns their total rate per second.
    private static func each(seconds: Double, _ body: @escaping @Sendable () throws -> Void) throws -> Double {
        let tally = Tally(threads: clientCount)
        let begin = ClockReading.monotonicNanoseconds()
        let stop = begin + Int64(seconds * 1_000_000_000)
        for _ in 0..<clientCount {
            try DetachedThread.start {
                while ClockReading.monotonicNanoseconds() < stop, (try? body()) != nil { tally.count() }
                tally.leave()
            }
        }
        while !tally.isOver { usleep(1000) }
        return Double(tally.sum) * 1_000_000_000 / Double(ClockReading.monotonicNanoseconds() - begin)
    }

    /// The rate of the benchmark app's executable in a bubblewrap sandbox.
    private static func bubblewrapRate(_ programs: Programs, seconds: Double) throws -> Double {
        let program = "/usr/bin/bwrap"
        guard access(program, X_OK) == 0 else { return 0 }
        let arguments = [
            "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs",
            "/run", programs.app, "Answer", "--number", "1",
        ]
        return try each(seconds: seconds) { try QuietProgram.run(program, arguments) }
    }
}

/// Counts the operations of several threads.
private final class Tally: Sendable {
    private let done = Atomic(0)
    private let running: Atomic<Int>

    init(threads: Int) {
        running = Atomic(threads)
    }

    func count() { done.add(1, ordering: .relaxed) }
    func leave() { running.subtract(1, ordering: .releasing) }
    var isOver: Bool { running.load(ordering: .acquiring) == 0 }
    var sum: Int { done.load(ordering: .relaxed) }
}
