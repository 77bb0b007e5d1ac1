import Foundation
import Glibc

/// An index's file: a log to which each change is appended, so that a change's cost does not depend on the index's
/// size.
///
/// The first line is a ``Header``. Each further line is a list of changes that take effect together. A change is
/// complete when its line ends: fsync(2) flushes each line before the next line is written, so that only the last line
/// can be incomplete after the process or the host crashes. A reader ignores an incomplete line, and the next change
/// removes it. Blocks that the host had not written before it crashed contain NUL bytes, which JSON never contains.
///
/// If most of the log consists of replaced and removed items, it is replaced by a log of the remaining items. Readers
/// need no lock. All changes need the lock on the state folder.
struct SearchIndexLog {
    let url: URL

    static let itemByteLimit = 256 << 10
    static let byteLimit = 64 << 20
    /// The size up to which a log is not compacted, in bytes.
    private static let smallByteCount = 64 << 10

    private struct Header: Codable {
        var version = 1
        /// The size of the log when it was last compacted, in bytes.
        var compactByteCount: Int
    }

    // MARK: Reading

    /// Returns the items by id, except for items that have expired. Returns no items if the file does not exist.
    ///
    /// - Throws: ``CSIndexError`` when the file cannot be read.
    func items() throws -> [String: StoredItem] {
        let file = open(url.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return [:] }
            throw failure("open")
        }
        defer { close(file) }
        return try items(in: file)
    }

    private func items(in file: Int32) throws -> [String: StoredItem] {
        let bytes = try read(file, count: try size(of: file), at: 0)
        guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [:] }
        var items: [String: StoredItem] = [:]
        let decoder = JSONDecoder()
        do {
            for (number, line) in bytes[..<end].split(separator: UInt8(ascii: "\n")).enumerated() {
                if number == 0 {
                    guard try decoder.decode(Header.self, from: line).version == 1 else {
                        throw failure("read", EPROTO)
                    }
                } else if !line.contains(0) {
                    for change in try decoder.decode([SearchIndexChange].self, from: line) { change.apply(to: &items) }
                }
            }
        } catch let error as DecodingError {
            throw CSIndexError(
                .indexUnavailableError,
                "cannot read the index '\(url.path)' (\(error)); delete the file, then index all items again"
            )
        }
        let now = Date()
        return items.filter { !$0.value.hasExpired(at: now) }
    }

    // MARK: Changes

    /// Appends changes, which take effect together. The caller must hold the lock on the state folder.
    ///
    /// - Throws: ``CSIndexError`` when an item or the index is too large, or the file cannot be written. The index is
    ///   then unchanged.
    func append(_ changes: [SearchIndexChange]) throws {
        for case .put(let id, let item) in changes {
            let size = try JSONEncoder().encode(item).count + id.utf8.count
            guard size <= Self.itemByteLimit else {
                let name = String(id.unicodeScalars.prefix(100))
                throw CSIndexError(
                    .invalidItemError,
                    """
                    cannot index '\(name)': \(size) bytes exceed the limit of \(Self.itemByteLimit) bytes; \
                    index less text
                    """
                )
            }
        }
        let line = try JSONEncoder().encode(changes) + Data("\n".utf8)
        let file = try openForWriting()
        defer { close(file) }
        let end = try removeIncompleteLine(file, size: try size(of: file))
        guard end > 0, end + line.count <= max(2 * (try compactByteCount(file)), Self.smallByteCount),
            end + line.count <= Self.byteLimit
        else {
            var items = try items(in: file)
            for change in changes { change.apply(to: &items) }
            return try replace(with: items)
        }
        do {
            try write(line, to: file, at: end)
        } catch {
            // If the incomplete line cannot be removed either, readers ignore it.
            ftruncate(file, end)
            throw error
        }
    }

    /// Removes all items. The caller must hold the lock on the state folder.
    ///
    /// - Throws: ``CSIndexError`` when the file cannot be written.
    func removeAll() throws {
        try replace(with: [:])
    }

    // MARK: Private

    private func openForWriting() throws -> Int32 {
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw CSIndexError(.indexUnavailableError, "cannot write the index '\(url.path)': \(error)")
        }
        let file = open(url.path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("open") }
        return file
    }

    /// Returns the size of the file.
    private func size(of file: Int32) throws -> Int {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure("read") }
        // A log can exceed the limit only if another program has written it.
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= 2 * Self.byteLimit else {
            throw CSIndexError(
                .indexUnavailableError,
                "cannot read the index '\(url.path)': it is too large or not a regular file; delete it"
            )
        }
        return Int(status.st_size)
    }

    private func read(_ file: Int32, count: Int, at offset: Int) throws -> Data {
        var bytes = Data(count: count)
        var length = 0
        while length < count {
            let part = bytes.withUnsafeMutableBytes { buffer in
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[length...])
                return pread(file, rest.baseAddress, rest.count, offset + length)
            }
            if part < 0, errno == EINTR { continue }
            guard part >= 0 else { throw failure("read") }
            // The log was compacted or truncated in the meantime.
            if part == 0 { break }
            length += part
        }
        return bytes.prefix(length)
    }

    /// Removes an incomplete last line. Returns the size of the rest.
    private func removeIncompleteLine(_ file: Int32, size: Int) throws -> Int {
        guard size > 0, try read(file, count: 1, at: size - 1) != Data("\n".utf8) else { return size }
        let complete = try read(file, count: size, at: 0).lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        guard ftruncate(file, complete) == 0 else { throw failure("truncate") }
        return complete
    }

    private func compactByteCount(_ file: Int32) throws -> Int {
        let start = try read(file, count: 256, at: 0).prefix { $0 != UInt8(ascii: "\n") }
        // items() reports a header that cannot be read.
        return (try? JSONDecoder().decode(Header.self, from: start).compactByteCount) ?? 0
    }

    /// Replaces the log with a log of the given items, so that readers see either the old or the new log.
    private func replace(with items: [String: StoredItem]) throws {
        let encoder = JSONEncoder()
        var lines = Data()
        for (id, item) in items.sorted(by: { $0.key < $1.key }) {
            lines += try encoder.encode([SearchIndexChange.put(id: id, item: item)]) + Data("\n".utf8)
        }
        let log = try encoder.encode(Header(compactByteCount: lines.count)) + Data("\n".utf8) + lines
        guard log.count <= Self.byteLimit else {
            throw CSIndexError(
                .quotaExceeded,
                "cannot write the index: \(log.count) bytes exceed the limit of \(Self.byteLimit) bytes; delete items first"
            )
        }
        let new = url.path + ".new"
        let file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("create") }
        defer { close(file) }
        do {
            try write(log, to: file, at: 0)
            guard rename(new, url.path) == 0 else { throw failure("replace") }
        } catch {
            unlink(new)
            throw error
        }
        let folder = open(url.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(folder) }
        guard folder >= 0, fsync(folder) == 0 else { throw failure("flush") }
    }

    /// Writes bytes at an offset, and flushes them to the disk.
    private func write(_ bytes: Data, to file: Int32, at offset: Int) throws {
        var length = 0
        while length < bytes.count {
            let part = bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[length...])
                return pwrite(file, rest.baseAddress, rest.count, offset + length)
            }
            if part < 0, errno == EINTR { continue }
            guard part >= 0 else { throw failure("write") }
            length += part
        }
        guard fsync(file) == 0 else { throw failure("flush") }
    }

    private func failure(_ operation: String, _ code: Int32 = errno) -> CSIndexError {
        let reason = NSError(domain: NSPOSIXErrorDomain, code: Int(code)).localizedFailureReason ?? "error \(code)"
        return CSIndexError(.indexUnavailableError, "cannot \(operation) the index '\(url.path)': \(reason)")
    }
}
