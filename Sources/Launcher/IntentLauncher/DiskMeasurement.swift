import Glibc
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import IntentSystemd

/// A child process that measures the disk usage of runs and state folders.
///
/// A separate process is needed, because reading large folders is slow and the launcher must not block.
final class DiskMeasurement {
    enum Subject: Hashable {
        case run(SlotID)
        /// A state folder, identified by its path.
        case state(String)
    }

    struct Item {
        var subject: Subject
        var folder: String
        var mounts: DiskUsage.Mounts
        /// The folder with the run's result files, which the run may still have open.
        var keptFolder: String?
        /// The processes that may keep unlinked files open.
        var processes: [Int32]
        /// The mounts of the app's state folder, which are searched for unlinked files.
        var stateMounts: DiskUsage.Mounts?

        /// True if a cleaner of temporary files, or an operator, has removed the folder. The run cannot remove it, and can
        /// create no file in it. Files that are open in it are counted as unlinked files.
        private var isRemoved: Bool {
            do throws(SystemError) {
                _ = try File.status(at: folder)
                return false
            } catch {
                return error.code.isAbsence
            }
        }

        /// Measures the item. Called only in the child.
        fileprivate func measure() -> (own: Int64?, state: Int64) {
            let state = stateMounts.map { DiskUsage.byteCount(ofUnlinkedFilesOf: processes, in: $0) } ?? 0
            guard var own = DiskUsage.byteCount(below: folder) ?? (isRemoved ? 0 : nil) else { return (nil, state) }
            own += DiskUsage.byteCount(ofUnlinkedFilesOf: processes, in: mounts)
            if let keptFolder { own += DiskUsage.byteCount(ofFilesOnlyIn: keptFolder) }
            return (own, state)
        }
    }

    /// The result for one item. Results arrive in the order of the items.
    struct Finding {
        var item: Item
        /// The size of the folder and of unlinked files; nil if they cannot be measured.
        var byteCount: Int64?
        /// The size of the run's unlinked files in the app's state folder.
        var stateByteCount: Int64
    }

    /// The time limit for measuring one item.
    static let timeLimitNanoseconds: Int64 = 60_000_000_000

    let process: Int32
    let startedAt = ClockReading.monotonicNanoseconds()
    private(set) var lastReport = ClockReading.monotonicNanoseconds()
    let items: [Item]
    /// The requests that are waiting for this process to measure their state folder.
    var waiters: [StateQuota: [LaunchRequest]] = [:]
    private(set) var foundCount = 0
    private let report: SharedFileDescriptor
    private var source: EventSource?
    private var bytes: [UInt8] = []
    private let found: (Finding) -> Void
    private let ended: () -> Void

    /// - Parameters:
    ///   - found: Called with the result for each item.
    ///   - ended: Called once, even if the child exits early.
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
                // Stop if the write fails: the launcher has executed its new program, which does not inherit the pipe.
                guard (try? File.write(HelperProcess.descriptor, Self.record(own ?? -1, state)[...])) != nil else {
                    return
                }
            }
        }
        source = try loop.descriptor(report, .readable) { [weak self] _ in self?.receive() }
    }

    /// True if the current item has exceeded the time limit.
    var isStuck: Bool { ClockReading.monotonicNanoseconds() - lastReport > Self.timeLimitNanoseconds }

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
