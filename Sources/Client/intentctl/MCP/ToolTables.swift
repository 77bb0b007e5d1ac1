import IntentMCP
import Synchronization

/// The newest table of a process. Its sessions share the table, because a table of many tools takes long to make.
final class ToolTables: Sendable {
    let filter: ToolFilter
    private let newest = Mutex<ToolTable?>(nil)

    init(_ filter: ToolFilter) { self.filter = filter }

    /// Returns the table for the apps. Prints the remarks about the first table: a host keeps what a server prints to standard
    /// error, where the person who registers the server finds it.
    func table(for apps: [AppDescription]) -> ToolTable {
        let known = newest.withLock { $0 }
        if let known, known.apps == apps { return known }
        let table = ToolTable(apps, filter)
        newest.withLock { $0 = table }
        if known == nil { for remark in table.remarks { Console.note(SafeText.line(remark)) } }
        return table
    }
}
