/// A statement about an ``Errand``. Repeating a statement has no further effect, except for ``ask`` and ``askOrigin``,
/// which create another errand.
package enum ErrandStatement: Sendable, Equatable {
    case ask(run: Int64, Errand.Kind, number: Int64)
    /// Requests a file that a run receives, from the host on which the run was submitted. Only the host that holds the
    /// attempt may request it.
    case askOrigin(run: Int64, attempt: Int, index: Int)
    /// Lists the errands that the calling host has to answer.
    case list
    case deliver(errand: Int64, Parcel)
    case collect(errand: Int64, from: Int)
    case forget(errand: Int64)
    /// Notifies a host that it has errands to answer, or that parts of an answer are ready for it to collect.
    case hint(host: String)

    /// The channel for notifications about errands. The payload is the name of the notified host.
    package static let channel = "fleet_errand"

    package var sql: SQLStatement {
        switch self {
        case .ask(let run, let kind, let number):
            SQLStatement(
                "select * from fleet.ask_host($1::bigint, $2, $3::bigint)",
                ["\(run)", kind.rawValue, "\(number)"]
            )
        case .askOrigin(let run, let attempt, let index):
            SQLStatement(
                "select * from fleet.ask_origin($1::bigint, $2::int, $3::bigint)",
                ["\(run)", "\(attempt)", "\(index)"]
            )
        case .list: SQLStatement("select * from fleet.errands()")
        case .deliver(let errand, let parcel):
            SQLStatement(
                "select fleet.deliver($1::bigint, $2::int, $3, $4::boolean)",
                ["\(errand)", "\(parcel.number)", parcel.bytes.hexadecimal, parcel.isLast ? "t" : "f"]
            )
        case .collect(let errand, let number):
            SQLStatement("select * from fleet.collect($1::bigint, $2::int)", ["\(errand)", "\(number)"])
        case .forget(let errand): SQLStatement("select fleet.forget_errand($1::bigint)", ["\(errand)"])
        case .hint(let host): SQLStatement("select pg_notify($1, $2)", [Self.channel, host])
        }
    }
}
