import CIntentEgress
import IntentLauncherMessages
import IntentLinux
import IntentSystemd
import Synchronization

/// Looks names up by the host's rules, each on a thread of its own, because getaddrinfo(3) can neither be interrupted nor
/// limited in time.
final class LookUps {
    struct Found: Sendable {
        var address: HostAddress
        var isOwn: Bool
    }

    /// The maximum number of addresses of a name, and of look-ups at a time.
    private static let addressLimit = 4
    static let limit = 128

    /// The results that the threads have stored, by the number of the look-up.
    private final class Results: Sendable {
        let found = Mutex<[Int: [Found]]>([:])
        let counter: EventCounter

        init() throws(SystemError) { counter = try EventCounter() }
    }

    private let results: Results
    private var source: EventSource?
    private var waiting: [Int: ([Found]) -> Void] = [:]
    private var last = 0

    init(on loop: EventLoop) throws(SystemError) {
        results = try Results()
        source = try loop.descriptor(results.counter.rawValue, .readable) { [weak self] _ in self?.finish() }
    }

    var count: Int { waiting.count }

    /// Starts a look-up. `finished` receives the addresses, and is always called unless this throws.
    func start(_ name: String, finished: @escaping ([Found]) -> Void) throws(SystemError) {
        last += 1
        let number = last
        try DetachedThread.start { [results] in
            let found = Self.look(up: name)
            results.found.withLock { $0[number] = found }
            results.counter.signal()
        }
        waiting[number] = finished
    }

    private static func look(up name: String) -> [Found] {
        var bytes = [UInt8](repeating: 0, count: 16 * addressLimit)
        let count = intentd_look_up(name, &bytes, addressLimit)
        return (0..<count).map { index in
            let address = Array(bytes[(16 * index)..<(16 * index + 16)])
            return Found(address: HostAddress(address), isOwn: intentd_is_own_address(address) != 0)
        }
    }

    private func finish() {
        results.counter.reset()
        let found = results.found.withLock { results in
            defer { results = [:] }
            return results
        }
        for (number, addresses) in found { waiting.removeValue(forKey: number)?(addresses) }
    }
}
