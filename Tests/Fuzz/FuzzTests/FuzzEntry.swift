import Glibc

/// The state of the program that libFuzzer calls: one target, and the processor time of its inputs by their length.
private struct FuzzProgram {
    let target: FuzzTarget
    /// The most processor time that an input took, in nanoseconds, by the number of binary digits of its length.
    var slowest = [Int64](repeating: 0, count: 33)
    var count = 0

    static let limitNanoseconds: Int64 = 100_000_000

    mutating func run(_ bytes: [UInt8]) {
        let begin = Self.processorTime()
        do {
            try target.check(bytes)
        } catch {
            fatalError("FINDING \(target.name): \(error)")
        }
        let time = Self.processorTime() - begin
        count += 1
        let place = Int.bitWidth - bytes.count.leadingZeroBitCount
        // The first inputs also initialise tables.
        guard count > 10 else { return }
        slowest[place] = max(slowest[place], time)
        if time > Self.limitNanoseconds {
            fatalError("FINDING \(target.name): \(time / 1_000_000) ms of processor time for \(bytes.count) bytes")
        }
    }

    func report() {
        for (place, time) in slowest.enumerated() where time > 0 {
            print("SLOWEST \(target.name) below \(1 << place) bytes: \(time / 1000) µs")
        }
    }

    private static func processorTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

// SAFETY: libFuzzer calls its entry points, and the function at exit, on one thread.
nonisolated(unsafe) private var program: FuzzProgram = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget.named(name) else {
        for target in FuzzTarget.all { print(target.name, target.format.rawValue, target.byteLimit) }
        // libFuzzer reports exit(3) as a crash.
        fflush(nil)
        _exit(0)
    }
    atexit { program.report() }
    return FuzzProgram(target: target)
}()

/// libFuzzer's entry point (llvm.org/docs/LibFuzzer.html). Without a target in `FUZZ_TARGET`, the program prints the targets:
/// name, format and maximum length.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzerTestOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    program.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
