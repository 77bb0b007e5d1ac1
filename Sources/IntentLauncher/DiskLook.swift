import Glibc
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// A child process that measures how much disk space runs and state folders use.
///
/// Reading folders is slow, and the launcher must not wait for it.
final class DiskLook {
    enum Subject: Hashable {
        case run(SlotID)
        /// A state folder, by its path.
        case state(String)
    }

    struct Item {
        var subject: Subject
        var folder: String
        var mounts: DiskUsage.Mounts
        /// The folder with the kept files of the run's result, which the run may still have open.
        var keptFolder: String?
        /// Processes that may hold deleted files open.
        var processes: [Int32]
        /// The mounts of the app's state folder, in which unlinked files are searched.
        var stateMounts: DiskUsage.Mounts?

        /// Called in the child.
        fileprivate func measure() -> (own: Int64?, state: Int64) {
            let state = stateMounts.map { DiskUsage.byteCount(ofNamelessFilesOf: processes, in: $0) } ?? 0
            guard var own = DiskUsage.byteCount(below: folder) else { return (nil, state) }
            own += DiskUsage.byteCount(ofNamelessFilesOf: processes, in: mounts)
            if let keptFolder { own += DiskUsage.byteCount(ofFilesOnlyIn: keptFolder) }
            return (own, state)
        }
    }

    /// The measurement of one item. Findings arrive in the order of the items.
    struct Finding {
        var item: Item
        /// The size of the folder and of unlinked files; nil if they cannot be measured.
        var byteCount: Int64?
        /// The size of the run's unlinked files in the app's state folder.
        var stateByteCount: Int64
    }

    /// The time limit for measuring one item.
    static let patienceNanoseconds: Int64 = 60_000_000_000

    let process: Int32
    let startedAt = ClockReading.monotonicNanoseconds()
    private(set) var lastReport = ClockReading.monotonicNanoseconds()
    let items: [Item]
    /// Requests that wait until their state folder is measured.
    var waiters: [StateQuota: [LaunchRequest]] = [:]
    private(set) var foundCount = 0
    private let report: SharedFileDescriptor
    private var source: EventSource?
    private var bytes: [UInt8] = []
    private let found: (Finding) -> Void
    private let ended: () -> Void

    /// - Parameters:
    ///   - found: Called for each item.
    ///   - ended: Called once, even if the child ended early.
    init(
        at items: [Item],
        on loop: EventLoop,
        found: @escaping (Finding) -> Void,
        ended: @escaping () -> Void
    ) throws(SystemError) {
        self.items = items
        self.found = found
        self.ended = ended
        let pipe = try Pipe()
        report = pipe.reading
        try report.setNonblocking()
        process = try HelperProcess.start(with: pipe.writing) {
            for item in items {
                let (own, state) = item.measure()
                // The pipe has no reader, because the launcher executed its new program, which does not inherit the
                // pipe.
                guard (try? File.write(HelperProcess.descriptor, Self.record(own ?? -1, state)[...])) != nil else {
                    return
                }
            }
        }
        source = try loop.descriptor(report, .readable) { [weak self] _ in self?.receive() }
    }

    /// True if measuring the current item takes too long.
    var isStuck: Bool { ClockReading.monotonicNanoseconds() - lastReport > Self.patienceNanoseconds }

    /// The item that is being measured.
    var current: Item? { items.dropFirst(foundCount).first }

    private static func record(_ own: Int64, _ state: Int64) -> [UInt8] {
        withUnsafeBytes(of: (own, state)) { Array($0) }
    }

    private static let recordByteCount = 2 * MemoryLayout<Int64>.size

    private func receive() {
        var isAtEnd = false
        do {
            while !isAtEnd, let part = try File.read(report.rawValue, upTo: 4096) {
                bytes += part
                isAtEnd = part.isEmpty
            }
        } catch {
            isAtEnd = true
        }
        while bytes.count >= Self.recordByteCount, let item = current {
            let (own, state) = bytes.withUnsafeBytes {
                ($0.loadUnaligned(as: Int64.self), $0.loadUnaligned(fromByteOffset: 8, as: Int64.self))
            }
            bytes.removeFirst(Self.recordByteCount)
            foundCount += 1
            lastReport = ClockReading.monotonicNanoseconds()
            found(Finding(item: item, byteCount: own < 0 ? nil : own, stateByteCount: state))
        }
        guard isAtEnd else { return }
        source = nil
        ended()
    }
}
