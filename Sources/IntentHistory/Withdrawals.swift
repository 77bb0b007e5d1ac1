import IntentWire

/// Donations that later runs withdrew. The rows of the donating runs stay unchanged, but readers omit these donations.
enum Withdrawals {
    /// Removes the donations that later runs of the same user and app have withdrawn.
    static func leave(
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
        var left = donations
        while !left.isEmpty, try statement.step() {
            let details = statement.text(0).flatMap { try? WireCoding.decode(RunDetails.self, from: Array($0.utf8)) }
            if let withdrawals = details?.withdrawals { left.removeAll(where: withdrawals.cover) }
        }
        return left
    }
}
