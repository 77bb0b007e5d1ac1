import IntentLauncherMessages

/// The runs to which a writer may still add rows.
///
/// They remember how they were before the newest transaction. A copy of all of them would take longer with each run.
struct LiveRuns {
    struct Entry {
        var number: Int64
        var lastChange: Int64 = 0
        var output = OutputQuota()
        /// The approximate size of the run's rows.
        var byteCount: Int64 = 0
    }

    private var entries: [RunID: Entry] = [:]
    private var earlier: [RunID: Entry?] = [:]

    subscript(run: RunID) -> Entry? {
        get { entries[run] }
        set {
            if earlier[run] == nil { earlier.updateValue(entries[run], forKey: run) }
            entries[run] = newValue
        }
    }

    mutating func beginTransaction() { earlier.removeAll(keepingCapacity: true) }
    mutating func rollBack() { for (run, entry) in earlier { entries[run] = entry } }
}
