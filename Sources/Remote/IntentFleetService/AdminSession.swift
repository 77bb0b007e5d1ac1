import CIntentPostgres
package import IntentFleet
import IntentLinux

/// A blocking connection for one operator command.
package final class AdminSession {
    package struct Failure: Error, CustomStringConvertible {
        /// A SQLSTATE; empty if the server sent none.
        package var state: String
        package var description: String
    }

    private let connection: OpaquePointer

    /// Connects to a server. Keywords that are missing from the string have libpq's defaults, such as `$PGHOST`.
    package init(_ server: String) throws(Failure) {
        let made = PQconnectdb(server + " client_encoding=UTF8 application_name=intentctl-fleet connect_timeout=10")
        guard let made else { throw Failure(state: "", description: "out of memory") }
        guard PQstatus(made) == CONNECTION_OK else {
            let message = PQerrorMessage(made).map { String(foreign: $0) } ?? ""
            PQfinish(made)
            throw Failure(state: "", description: QueryResult.line(message))
        }
        connection = made
        PQsetNoticeProcessor(made, { _, _ in }, nil)
    }

    deinit { PQfinish(connection) }

    /// Sends one statement with parameters.
    @discardableResult
    package func query(_ statement: SQLStatement) throws(Failure) -> [[String?]] {
        if let problem = DatabaseConnection.problem(of: statement) {
            throw Failure(state: problem.state, description: problem.message)
        }
        return try rows(of: DatabaseConnection.execute(statement, on: connection))
    }

    /// Sends several statements as one transaction.
    package func execute(_ script: String) throws(Failure) {
        _ = try rows(of: PQexec(connection, "begin"))
        do {
            _ = try rows(of: PQexec(connection, script))
            _ = try rows(of: PQexec(connection, "commit"))
        } catch {
            // Ignore a failure, because the end of the connection also ends the transaction.
            PQclear(PQexec(connection, "rollback"))
            throw error
        }
    }

    /// The version of the database's schema.
    package func fleetVersion() throws(Failure) -> Int {
        let rows = try query(SQLStatement("select max(number) from fleet.version"))
        return rows.first?.first.flatMap { $0 }.flatMap { Int($0) } ?? 0
    }

    /// Upgrades the database from its version to the version of a schema.
    package func upgrade(from version: Int, to schema: FleetSchema) throws(Failure) {
        for script in schema.scripts.dropFirst(version) { try execute(script) }
    }

    private func rows(of result: OpaquePointer?) throws(Failure) -> [[String?]] {
        defer { PQclear(result) }
        guard let result else { throw Failure(state: "", description: "the connection was lost") }
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK: return QueryResult.rows(result)
        case PGRES_COMMAND_OK: return []
        default:
            let state = cpostgres_sqlstate(result).map { String(foreign: $0) } ?? ""
            let message = PQresultErrorMessage(result).map { String(foreign: $0) } ?? ""
            throw Failure(state: state, description: QueryResult.line(message))
        }
    }
}
