/// The tables and functions of a fleet's database, as SQL.
package enum FleetSchema {
    /// The newest version. A host works with this version and the next one.
    package static let version = 1

    /// What a superuser runs once, in one transaction, in a database of its own.
    package static var text: String { String(decoding: PackageResources.version_1_sql, as: UTF8.self) }
}
