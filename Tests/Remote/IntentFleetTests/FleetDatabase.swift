import IntentLinux

/// A database with the fleet's schema.
struct FleetDatabase: Sendable {
    let cluster: PostgresCluster
    let name: String

    /// Runs a statement as a login role, and returns its rows with `|` between columns.
    ///
    /// - Throws: ``PostgresCluster/Failure`` with the server's error.
    @discardableResult
    func sql(_ role: String, _ statement: String) throws -> String { try psql(role, ["-c", statement]) }

    /// The error of a statement that the server must refuse.
    func refusal(_ role: String, _ statement: String) -> String {
        do {
            return "accepted: \(try sql(role, statement))"
        } catch {
            return "\(error)"
        }
    }

    func connectionString(_ role: String) -> String { "host=\(cluster.folder) user=\(role) dbname=\(name)" }

    /// A statement as a command of a shell.
    func command(_ role: String, _ statement: String) -> String {
        "\(PostgresCluster.programs ?? "")/psql -X -q -h \(cluster.folder) -U \(role) -d \(name) -c '\(statement)'"
    }

    @discardableResult
    func psql(_ role: String, _ arguments: [String]) throws -> String {
        guard let programs = PostgresCluster.programs else { throw PostgresCluster.Failure(text: "no server programs") }
        let (text, isSuccess) = try ChildProcess.output(
            of: "\(programs)/psql",
            arguments: ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", cluster.folder, "-U", role, "-d", name]
                + arguments
        )
        guard isSuccess else { throw PostgresCluster.Failure(text: text) }
        return text
    }
}
