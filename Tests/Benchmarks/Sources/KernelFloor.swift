import Glibc
import IntentLinux

/// What the kernel alone needs: nobody who makes a process for each run, or speaks over a socket, can be below it.
final class KernelFloor: Sendable {
    private typealias Fork = @convention(c) () -> Int32

    private let fork: Fork
    private let echo: SharedFileDescriptor

    init() throws {
        // Swift hides fork(2), since a child may do next to nothing. Ours exits at once.
        guard let address = dlsym(nil, "fork") else { throw BenchmarkError("the C library has no fork") }
        // SAFETY: the type is that of the C function, fork(2) — POSIX.
        fork = unsafeBitCast(address, to: Fork.self)
        let ends = try UnixSocket.Pair(.stream).take()
        echo = ends.first
        try DetachedThread.start {
            // Until the other end goes with the program.
            while let bytes = try? File.read(ends.second.rawValue, upTo: 64), !bytes.isEmpty {
                guard (try? File.write(ends.second.rawValue, bytes[...])) != nil else { return }
            }
        }
    }

    /// fork, exit and wait of this small process.
    func forks(_ count: Int, pauseMicroseconds: UInt32 = Pause.betweenCalls) throws -> Samples {
        var samples = Samples(room: count)
        for _ in 0..<count {
            usleep(pauseMicroseconds)
            let begin = ClockReading.monotonicNanoseconds()
            try forkOnce()
            samples.append(nanoseconds: ClockReading.monotonicNanoseconds() - begin)
        }
        return samples
    }

    func forkOnce() throws {
        let process = fork()
        if process == 0 { _exit(0) }
        guard process > 0 else { throw SystemError("fork", code: Errno(rawValue: errno)) }
        try syscall("waitpid") { waitpid(process, nil, 0) }
    }

    /// A few bytes to another thread and back over a Unix socket.
    func roundTrips(_ count: Int) throws -> Samples {
        var samples = Samples(room: count)
        let message = [UInt8](repeating: 1, count: 64)
        for _ in 0..<count {
            usleep(Pause.betweenCalls)
            let begin = ClockReading.monotonicNanoseconds()
            try File.write(echo.rawValue, message[...])
            _ = try File.read(echo.rawValue, upTo: 64)
            samples.append(nanoseconds: ClockReading.monotonicNanoseconds() - begin)
        }
        return samples
    }
}

/// How long a client waits between two calls, in microseconds.
enum Pause {
    static let betweenCalls: UInt32 = 3000
}
