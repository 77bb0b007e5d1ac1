import Glibc
import IntentLinux
import IntentProtocol

/// The files that clients have stored for later runs. A file has no name on the disk, and is removed an hour after its
/// last use.
///
/// Use an instance only on the loop's thread.
final class StoredFiles {
    private struct Stored {
        var file: SharedFileDescriptor
        var owner: String
        var size: Int64
        var usedAt: Int64
        var isReceiving = false
        /// True if the file was passed to a run.
        var isUsed = false
    }

    private let folder: String
    private let limit: Int
    private var files: [String: Stored] = [:]

    /// - Parameter limit: The maximum number of files of all callers together.
    init(
        in folder: String = getenv("TMPDIR").map { String(foreign: $0) } ?? "/var/tmp",
        limit: Int = WebLimits.storedFileLimit
    ) {
        self.folder = folder
        self.limit = limit
    }

    /// True if a file is stored that was not passed to a run.
    var hasUnused: Bool { files.values.contains { !$0.isUsed } }

    /// - Parameter owner: The caller, who alone can use the file.
    func create(for owner: String) throws(ErrorReport) -> String {
        removeOld()
        let own = files.values.filter { $0.owner == owner }
        // A caller may have at most as many files as are free, so that there is room for another one.
        guard own.count < WebLimits.storedFileCount, own.count < limit - files.count else {
            throw ErrorReport(
                .busy,
                "\(own.count) files are stored for you",
                hint: "remove files with DELETE /v1/files/ID; others are removed an hour after their last use"
            )
        }
        let name = SecretText().text
        do throws(SystemError) {
            let file = try File.openUnnamed(in: folder)
            files[name] = Stored(file: file, owner: owner, size: 0, usedAt: Self.now)
        } catch {
            throw ErrorReport(.busy, "cannot store the file: \(error)", hint: "free space in \(folder)")
        }
        return name
    }

    /// Begins to append at an offset, which must be the size of the file. Only one request at a time may append.
    func beginAppending(_ name: String, at offset: Int64, for owner: String) throws(ErrorReport) {
        let stored = try stored(name, for: owner)
        guard !stored.isReceiving else { throw ErrorReport(.wrongOffset, "another request appends to the file") }
        guard stored.size == offset else {
            throw ErrorReport(.wrongOffset, "Upload-Offset: expected \(stored.size), got \(offset)")
        }
        files[name]?.isReceiving = true
    }

    func append(_ bytes: UnsafeBufferPointer<UInt8>, to name: String) throws(ErrorReport) {
        guard let stored = files[name] else { throw Self.unknown(name) }
        let others = files.values.reduce(0) { $1.owner == stored.owner ? $0 + $1.size : $0 }
        guard others + Int64(bytes.count) <= WebLimits.storedByteCount else {
            throw ErrorReport(.tooLarge, "your stored files have more than \(WebLimits.storedByteCount) bytes")
        }
        do throws(SystemError) {
            try File.write(stored.file.rawValue, Array(bytes)[...])
        } catch {
            throw ErrorReport(.busy, "cannot store the file: \(error)", hint: "free space in \(folder)")
        }
        files[name]?.size += Int64(bytes.count)
        files[name]?.usedAt = Self.now
    }

    func endAppending(_ name: String) { files[name]?.isReceiving = false }

    func size(of name: String, for owner: String) throws(ErrorReport) -> Int64 { try stored(name, for: owner).size }

    func file(_ name: String, for owner: String) throws(ErrorReport) -> SharedFileDescriptor {
        let stored = try stored(name, for: owner)
        files[name]?.usedAt = Self.now
        return stored.file
    }

    /// Opens a file for a run: read-only, unless the run may change it.
    func open(_ name: String, isWritable: Bool, for owner: String) throws(ErrorReport) -> SharedFileDescriptor {
        let stored = try stored(name, for: owner)
        guard !stored.isReceiving else { throw ErrorReport(.wrongOffset, "the file '\(name)' is not complete") }
        files[name]?.usedAt = Self.now
        files[name]?.isUsed = true
        do throws(SystemError) {
            // A write by the run replaces this time of modification, which shows that the file was changed.
            if isWritable { try File.setModified(stored.file.rawValue, seconds: 0) }
            let path = "/proc/self/fd/\(stored.file.rawValue)"
            return SharedFileDescriptor(try File.open(path, isWritable ? O_RDWR : O_RDONLY))
        } catch {
            throw ErrorReport(.busy, "cannot open the stored file: \(error)")
        }
    }

    /// True if no run that received the file for writing has changed it.
    static func isUnmodified(_ file: SharedFileDescriptor) -> Bool {
        // Without a status, the contents are sent.
        (try? File.status(of: file.rawValue))?.modifiedNanoseconds == 0
    }

    func remove(_ name: String, for owner: String) throws(ErrorReport) {
        _ = try stored(name, for: owner)
        files[name] = nil
    }

    private func stored(_ name: String, for owner: String) throws(ErrorReport) -> Stored {
        guard let stored = files[name], stored.owner == owner else { throw Self.unknown(name) }
        return stored
    }

    private static func unknown(_ name: String) -> ErrorReport {
        ErrorReport(
            .unknownFile,
            "no file '\(SafeText.line(name))' is stored",
            hint: "store it with POST /v1/files; files are removed an hour after their last use"
        )
    }

    private func removeOld() {
        let old = Self.now - WebLimits.storedLife.components.seconds * 1_000_000_000
        files = files.filter { $0.value.usedAt >= old || $0.value.isReceiving }
    }

    private static var now: Int64 { ClockReading.monotonicNanoseconds() }
}
