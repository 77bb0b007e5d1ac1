package import IntentProtocol

extension FleetHost {
    /// Creates a description from a row of `fleet.hosts()`. Returns nil if the row has other columns.
    package init?(_ row: [String?]) {
        guard row.count == 6, let name = row[0], let state = row[1] else { return nil }
        func number(_ column: Int) -> Int { row[column].flatMap { Int($0) } ?? 0 }
        self.init(
            name: name,
            state: State(rawValue: state),
            sinceSeen: row[2].flatMap { Int64($0) }.map { .milliseconds($0) },
            freeCount: number(3),
            runningCount: number(4),
            intentCount: number(5)
        )
    }
}
