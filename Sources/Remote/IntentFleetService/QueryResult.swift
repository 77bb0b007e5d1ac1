import CIntentPostgres
import IntentLinux

/// Reads libpq results.
enum QueryResult {
    static func rows(_ result: OpaquePointer) -> DatabaseConnection.Rows {
        (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { column in
                PQgetisnull(result, row, column) == 1 ? nil : String(foreign: PQgetvalue(result, row, column))
            }
        }
    }

    /// Returns the reason why a statement failed. A server that has become read-only or is shutting down is reported as
    /// lost, because another server may be available. A server that no longer has a prepared statement (26000) is also
    /// reported as lost, because a connection pooler may have assigned the session to another client.
    static func failure(_ result: OpaquePointer) -> DatabaseConnection.Failure {
        let state = cpostgres_sqlstate(result).map { String(foreign: $0) } ?? ""
        let message = line(PQresultErrorMessage(result).map { String(foreign: $0) } ?? "")
        if state.isEmpty || ["25006", "26000", "57P", "08"].contains(where: { state.hasPrefix(utf8: $0) }) {
            return .lost(message)
        }
        return .refused(state: state, message: message)
    }

    /// Returns the first line of a libpq message, without its severity.
    static func line(_ text: String) -> String {
        let first = text.split(whereScalar: \.isLineBreak).first ?? ""
        let rest = first.firstRange(utf8: ":  ").map { Substring(first.utf8[$0.upperBound...]) } ?? first
        return String(rest.prefix(scalars: 500))
    }
}
