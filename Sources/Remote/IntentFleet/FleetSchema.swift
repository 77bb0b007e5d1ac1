import IntentProtocol

/// The tables and functions of a fleet's database, as SQL.
package enum FleetSchema {
    /// The newest version. A host works with a database that has this version, the previous version or the next
    /// version.
    package static let version = 4

    /// The version that added `submit_here`, `take` with an epoch, and `sweep_due`.
    package static let epochs = 4

    /// The script that a superuser runs once, in one transaction, in a new database.
    package static var text: String { steps(from: 0).joined() }

    /// Returns the scripts that a superuser runs, in one transaction, in a database with an older version: one for each
    /// later version.
    package static func steps(from version: Int) -> [String] {
        let scripts = [
            PackageResources.version_1_sql, PackageResources.version_2_sql, PackageResources.version_3_sql,
            PackageResources.version_4_sql,
        ]
        return scripts.dropFirst(max(0, version)).map { String(foreign: $0) }
    }
}
