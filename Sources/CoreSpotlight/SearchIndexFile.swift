import AppIntents
import Foundation

/// The contents of an index, and the file that stores them.
struct SearchIndexFile: Codable, Equatable {
    struct Item: Codable, Equatable {
        /// The name of the entity's type; nil for an item that is not an entity.
        var entityType: String?
        var domain: String?
        var expires: Date?
        var contentType: String
        var attributes: [String: CSSearchableItemAttributeSet.Value]
    }

    private(set) var items: [String: Item] = [:]

    static let itemLimit = 100_000
    static let itemByteLimit = 256 << 10
    static let fileByteLimit = 64 << 20

    // MARK: Changes

    /// Inserts an item, or replaces the item with the same id.
    ///
    /// - Throws: ``CSIndexError`` when the item is too large or the index would have too many items.
    mutating func insert(_ item: Item, id: String) throws {
        let size = try JSONEncoder().encode(item).count + id.utf8.count
        guard size <= Self.itemByteLimit else {
            throw CSIndexError(
                .invalidItemError,
                """
                cannot index '\(id.prefix(100))': \(size) bytes exceed the limit of \(Self.itemByteLimit) bytes; index less text
                """
            )
        }
        items[id] = item
        guard items.count <= Self.itemLimit else {
            throw CSIndexError(.quotaExceeded, "cannot index more than \(Self.itemLimit) items; delete some first")
        }
    }

    mutating func remove(where isRemoved: (_ id: String, _ item: Item) -> Bool) {
        items = items.filter { !isRemoved($0.key, $0.value) }
    }

    /// Removes the items that have expired.
    mutating func expire(at now: Date) {
        remove { _, item in item.expires.map { $0 <= now } ?? false }
    }

    // MARK: The file

    /// Reads an index from a file. Returns an empty index if the file does not exist.
    ///
    /// - Throws: ``CSIndexError`` when the file cannot be read.
    static func read(_ url: URL) throws -> SearchIndexFile {
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            guard attributes[.type] as? FileAttributeType == .typeRegular,
                (attributes[.size] as? NSNumber)?.intValue ?? 0 <= fileByteLimit
            else {
                throw CSIndexError(
                    .indexUnavailableError,
                    "cannot read the index '\(url.path)': it is too large or not a regular file; delete it"
                )
            }
            return try JSONDecoder().decode(SearchIndexFile.self, from: Data(contentsOf: url))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
            return SearchIndexFile()
        } catch let error as CSIndexError {
            throw error
        } catch {
            throw CSIndexError(
                .indexUnavailableError,
                "cannot read the index '\(url.path)' (\(error)); delete the file, then index all items again"
            )
        }
    }

    /// Replaces the file atomically, so that readers see either the old or the new contents.
    ///
    /// - Throws: ``CSIndexError`` when the index is too large or cannot be written.
    func write(to url: URL) throws {
        let data = try JSONEncoder().encode(self)
        guard data.count <= Self.fileByteLimit else {
            throw CSIndexError(
                .quotaExceeded,
                "cannot write the index: \(data.count) bytes exceed the limit of \(Self.fileByteLimit) bytes; delete items first"
            )
        }
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try data.write(to: url, options: .atomic)
        } catch {
            throw CSIndexError(.indexUnavailableError, "cannot write the index '\(url.path)': \(error)")
        }
    }
}
