import IntentMCP
import Synchronization

/// The newest table of a process. Its sessions share the table, because a table of many tools takes long to load and to make.
final class ToolTables: Sendable {
    let filter: ToolFilter
    private let newest = Mutex<(table: ToolTable, loaded: ContinuousClock.Instant)?>(nil)

    init(_ filter: ToolFilter) { self.filter = filter }

    /// Returns the table for the apps. Prints the remarks about the first table: a host keeps what a server prints to standard
    /// error, where the person who registers the server finds it.
    func table(for apps: [AppDescription]) -> ToolTable {
        let known = newest.withLock { $0?.table }
        let table = known.flatMap { $0.apps == apps ? $0 : nil } ?? ToolTable(apps, filter)
        newest.withLock { $0 = (table, .now) }
        if known == nil { for remark in table.remarks { Console.note(SafeText.line(remark)) } }
        return table
    }

    /// The table, if its apps were loaded within the time after which a session checks whether they have changed.
    var recent: ToolTable? {
        newest.withLock { $0.flatMap { $0.loaded.duration(to: .now) < MCPServer.appsInterval ? $0.table : nil } }
    }
}
