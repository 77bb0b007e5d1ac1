package import IntentSharedTypes

/// A command from the launcher to an app's fork server: fork a worker.
///
/// The command is a record of fixed size that contains integers in network byte order. The descriptors of the worker's
/// socket, standard output and standard error are sent with the record.
package struct ForkCommand: Hashable, Sendable {
    /// The exit code of a fork server that receives an invalid command (EX_PROTOCOL in sysexits(3)).
    package static let refusalExitCode: Int32 = 76

    package var slot: SlotID
    /// The LANDLOCK_ACCESS_FS_… bits for the worker's own Landlock layer. If this value and ``scopes`` are 0, the
    /// worker has no layer.
    package var fileAccess: UInt64
    /// The LANDLOCK_SCOPE_… bits for the layer.
    package var scopes: UInt64
    /// The worker's RLIMIT_NOFILE, which does not exceed the fork server's.
    package var openFileCount: UInt64
    /// The number in the name of the worker's cgroup, `run-NUMBER`, below the sandbox's cgroup; nil if cgroups are not
    /// available.
    package var leaf: UInt64?
    /// True when the worker may start programs.
    package var allowsSubprocesses: Bool

    package init(
        slot: SlotID,
        fileAccess: UInt64,
        scopes: UInt64,
        openFileCount: UInt64,
        leaf: UInt64?,
        allowsSubprocesses: Bool
    ) {
        self.slot = slot
        self.fileAccess = fileAccess
        self.scopes = scopes
        self.openFileCount = openFileCount
        self.leaf = leaf
        self.allowsSubprocesses = allowsSubprocesses
    }

    package static let byteCount = 48
    private static let version: UInt64 = 2

    package var record: [UInt8] {
        let flags: UInt64 = (leaf != nil ? 1 : 0) | (allowsSubprocesses ? 2 : 0)
        return [Self.version << 32 | flags, slot.number, fileAccess, scopes, openFileCount, leaf ?? 0].flatMap(
            \.networkBytes
        )
    }

    /// Parses a record without allocating memory. Returns nil if the record is not a command of this version.
    package init?(record: UnsafeRawBufferPointer) {
        guard record.count == Self.byteCount else { return nil }
        let head = record.networkWord(0)
        guard head >> 32 == Self.version, head & 0xffff_fffc == 0 else { return nil }
        slot = SlotID(number: record.networkWord(1))
        fileAccess = record.networkWord(2)
        scopes = record.networkWord(3)
        openFileCount = record.networkWord(4)
        leaf = head & 1 != 0 ? record.networkWord(5) : nil
        allowsSubprocesses = head & 2 != 0
    }
}

/// A report to the launcher from a fork server or from a newly forked worker.
package enum ForkReport: Hashable, Sendable {
    /// The fork server is ready. If it has more than one thread, it cannot fork, so it exits after this report.
    case ready(isSingleThreaded: Bool)
    /// The fork server has forked a worker for the slot. The worker itself sends this report.
    case forked(SlotID)
    /// The fork server could not fork a worker for the slot. `error` is the reason as an errno value: EBUSY if the fork
    /// server has started a thread, otherwise the errno of the failed call.
    case refused(SlotID, error: Int32)

    package static let byteCount = 16
    private static let version: UInt64 = 1

    /// Calls a closure with the bytes of the report, without allocating memory.
    package func withRecord<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let (kind, detail, slot): (UInt64, UInt64, UInt64) =
            switch self {
            case .ready(let isSingleThreaded): (1, isSingleThreaded ? 1 : 0, 0)
            case .forked(let slot): (2, 0, slot.number)
            case .refused(let slot, let error): (3, UInt64(UInt16(clamping: error)), slot.number)
            }
        let words = ((Self.version << 32 | kind << 16 | detail).bigEndian, slot.bigEndian)
        return withUnsafeBytes(of: words, body)
    }

    package init?(record: [UInt8]) {
        guard record.count == Self.byteCount else { return nil }
        let (head, slot) = record.withUnsafeBytes { ($0.networkWord(0), SlotID(number: $0.networkWord(1))) }
        guard head >> 32 == Self.version else { return nil }
        switch (head >> 16 & 0xffff, head & 0xffff) {
        case (1, 0): self = .ready(isSingleThreaded: false)
        case (1, 1): self = .ready(isSingleThreaded: true)
        case (2, 0): self = .forked(slot)
        case (3, let error): self = .refused(slot, error: Int32(error))
        default: return nil
        }
    }
}

extension UInt64 {
    fileprivate var networkBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * UInt64($0))) } }
}

extension UnsafeRawBufferPointer {
    /// Returns the integer with the given index in a record of 8-byte integers.
    fileprivate func networkWord(_ index: Int) -> UInt64 {
        UInt64(bigEndian: loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
    }
}
