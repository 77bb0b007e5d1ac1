package import IntentWire

/// What was read of apps' files, good for as long as none of them has changed.
///
/// Parsing costs much more than asking the disk whether a file is still the same.
package struct InstallationMemory {
    private struct Entry {
        var settings: AppSettings
        /// Everything that was looked at, and what was found.
        var facts: [String: FileFacts?]
        var names: [String: [String]?]
    }

    private var entries: [AppName: Entry] = [:]

    package init() {}

    /// The app of that name as it is on disk now.
    package mutating func app(_ name: AppName, in installation: Installation, on disk: DiskView) -> AppSearch {
        if let entry = entries[name], isFresh(entry, on: disk) { return .found(entry.settings) }
        let witness = Witness()
        let search = installation.app(name, on: witness.watching(disk))
        // Only what is there: names that clients make up would fill the memory.
        if case .found(let settings) = search {
            entries[name] = Entry(settings: settings, facts: witness.facts, names: witness.names)
        } else {
            entries[name] = nil
        }
        return search
    }

    private func isFresh(_ entry: Entry, on disk: DiskView) -> Bool {
        entry.facts.allSatisfy { disk.facts($0.key) == $0.value }
            && entry.names.allSatisfy { disk.names($0.key) == $0.value }
    }

    /// Notes what a reader looks at.
    private final class Witness {
        var facts: [String: FileFacts?] = [:]
        var names: [String: [String]?] = [:]

        func watching(_ disk: DiskView) -> DiskView {
            DiskView(
                facts: { [self] path in
                    let found = disk.facts(path)
                    facts[path] = .some(found)
                    return found
                },
                text: { [self] path in
                    // Before the text: one that changes in between is seen as changed the next time.
                    if facts[path] == nil { facts[path] = .some(disk.facts(path)) }
                    return disk.text(path)
                },
                names: { [self] folder in
                    let found = disk.names(folder)
                    names[folder] = .some(found)
                    return found
                }
            )
        }
    }
}
