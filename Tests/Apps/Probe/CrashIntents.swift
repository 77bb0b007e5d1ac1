import AppIntents
import Glibc

/// Crashes in a function that `perform()` calls, in one of several ways.
struct CrashInFunction: AppIntent {
    static var title: LocalizedStringResource = "Crash in a function"

    @Parameter(title: "Kind", description: "index, message, access, call, abort, overflow or signal", default: "index")
    var kind: String

    func perform() async throws -> some IntentResult {
        print(sendOrder(kind))
        return .result()
    }
}

@inline(never)
private func sendOrder(_ kind: String) -> Int {
    let sum = crashNow(kind)
    return sum + kind.utf8.count
}

@inline(never)
private func crashNow(_ kind: String) -> Int {
    switch kind {
    case "message": fatalError("the order has no address")
    case "access": return UnsafePointer<Int>(bitPattern: 0x40)!.pointee
    case "call": return callNothing() + 1
    case "abort": abort()
    case "overflow": return overflow(kind.utf8.count) + 1
    case "signal":
        // Another thread may receive the signal.
        kill(getpid(), SIGSEGV)
        while true { pause() }
    default: return [1, 2, 3][kind.utf8.count]
    }
}

@inline(never)
private func callNothing() -> Int {
    let function = unsafeBitCast(kindOfAddress(), to: (@convention(c) () -> Int).self)
    return function() + 1
}

@inline(never)
private func kindOfAddress() -> Int { 0x40 }

@inline(never)
private func overflow(_ depth: Int) -> Int {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 512) { room in
        room[0] = depth
        return overflow(depth + 1) + room[0]
    }
}
