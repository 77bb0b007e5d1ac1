import Glibc
import IntentLinux

/// The time that the kernel alone needs for a process and for a message, which no implementation can undercut.
final class KernelFloor: Sendable {
    private typealias Fork = @convention(c) () -> Int32

    private let fork: Fork
    private let echo: SharedFileDescriptor

    init() throws {
        // Swift hides fork(2), because a child may call very little. This child exits immediately.
        guard let address = dlsym(nil, "fork") else { throw BenchmarkError("the C library has no fork") }
        // SAFETY: the type matches the C function fork(2) — POSIX.
        fork = unsafeBitCast(address, to: Fork.self)
        let ends = try UnixSocket.Pair(.stream).shared()
        echo = ends.first
        try DetachedThread.start {
            // Ends when the program exits and the other end is closed.
            while let bytes = try? File.read(ends.second.rawValue, upTo: 64), !bytes.isEmpty {
                guard (try? File.write(ends.second.rawValue, bytes[...])) != nil else { return }
            }
        }
    }

    /// Measures fork, exit and wait of this small process.
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

    /// Measures fork, exec of `/bin/true` and wait.
    func executions(_ count: Int) throws -> Samples {
        // Prepared here, because a child may not allocate memory.
        guard let program = strdup("/bin/true") else { throw BenchmarkError("no memory for a path") }
        let arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: 2)
        arguments.initialize(to: program)
        (arguments + 1).initialize(to: nil)
        defer {
            arguments.deallocate()
            free(program)
        }
        var samples = Samples(room: count)
        for _ in 0..<count {
            usleep(Pause.betweenCalls)
            let begin = ClockReading.monotonicNanoseconds()
            let process = fork()
            if process == 0 {
                execv(program, arguments)
                _exit(127)
            }
            guard process > 0 else { throw SystemError("fork", code: Errno(rawValue: errno)) }
            var status: Int32 = 0
            try syscall("waitpid") { waitpid(process, &status, 0) }
            guard status == 0 else { throw BenchmarkError("/bin/true failed") }
            samples.append(nanoseconds: ClockReading.monotonicNanoseconds() - begin)
        }
        return samples
    }

    /// Measures round trips of a few bytes to another thread over a Unix socket.
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

/// Pauses of a client, in microseconds.
enum Pause {
    static let betweenCalls: UInt32 = 3000
}
