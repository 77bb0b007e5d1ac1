import IntentProtocol

/// The tables and functions of a fleet's database, as SQL.
package struct FleetSchema: Sendable {
    /// The schema of this program.
    package static let current = FleetSchema(scripts: [String(foreign: PackageResources.version_1_sql)])

    /// The scripts that a superuser runs, each in one transaction. The script at index N upgrades a database from version
    /// N, of which 0 is an empty database, and adds the number N + 1 to the table `version`.
    package let scripts: [String]

    package init(scripts: [String]) {
        self.scripts = scripts
    }

    package var version: Int { scripts.count }
}
