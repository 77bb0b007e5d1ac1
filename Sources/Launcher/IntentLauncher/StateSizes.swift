/// The last measured sizes of state folders, by path.
///
/// A folder without an entry is measured before a run begins, so an entry that is removed costs only a measurement.
struct StateSizes {
    /// The number of entries above which entries of folders that no sandbox uses are removed.
    static let limit = 1024

    private var sizes: [String: Int64?] = [:]

    var count: Int { sizes.count }

    /// The size in bytes: nil for an unknown folder, and `.some(nil)` for a folder that could not be measured.
    subscript(path: String) -> Int64?? { sizes[path] }

    /// - Parameter inUse: Returns the paths of the folders that sandboxes use.
    mutating func set(_ size: Int64?, of path: String, inUse: () -> Set<String>) {
        sizes.updateValue(size, forKey: path)
        guard sizes.count > Self.limit else { return }
        // Remove a quarter, so that the folders in use are not determined for each new entry.
        let used = inUse()
        let removable = sizes.keys.filter { $0 != path && !used.contains($0) }
        for path in removable.prefix(sizes.count - Self.limit * 3 / 4) { sizes.removeValue(forKey: path) }
    }
}
