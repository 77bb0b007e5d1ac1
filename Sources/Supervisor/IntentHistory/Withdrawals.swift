import IntentLauncherMessages

/// The withdrawal of donations by later runs. The rows of the donating runs are not changed. Instead, withdrawn
/// donations are omitted when the rows are read.
enum Withdrawals {
    /// Returns the donations of a run that no later run of the same user and app has withdrawn.
    static func remaining(
        of donations: [IntentReference],
        _ number: Int64,
        in database: Database
    ) throws(DatabaseError) -> [IntentReference] {
        let statement = try database.prepare(
            """
            SELECT e.details FROM ends e JOIN runs r USING (number)
            WHERE e.number > ?1 AND instr(e.details, '"withdrawals"') > 0
                AND (r.uid, r.account, r.app) = (SELECT uid, account, app FROM runs WHERE number = ?1)
            """
        )
        try statement.start([.integer(number)])
        defer { statement.end() }
        var remaining = donations
        while !remaining.isEmpty, try statement.step() {
            let details = statement.decoded(RunDetails.self, 0)
            if let withdrawals = details?.withdrawals { remaining.removeAll(where: withdrawals.cover) }
        }
        return remaining
    }
}
