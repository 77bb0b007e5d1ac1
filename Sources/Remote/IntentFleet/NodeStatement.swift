package import IntentProtocol

/// A statement that a host sends to the database. Every statement can be repeated, because its effect is unknown if the
/// answer is lost.
package enum NodeStatement: Sendable, Equatable {
    case beat(free: Int)
    case take(free: Int)
    case finish([FleetRunEnd])
    case sweep
    case maintain
    case leave

    package func sql(_ settings: NodeSettings) -> SQLStatement {
        switch self {
        // A beat does not wait for the disk. A server that loses it after a crash, or a promoted standby that never
        // received it, has only sessions that are younger than a lease, and none of them sweeps this host's runs.
        case .beat(let free):
            SQLStatement(
                """
                select b.* from set_config('synchronous_commit', 'off', true) \
                cross join lateral fleet.beat($1, $2::jsonb, $3::int, $4::interval) b
                """,
                [settings.epoch, WireCoding.text(settings.offers), "\(free)", "\(settings.lease.milliseconds) ms"]
            )
        case .take(let free): SQLStatement("select * from fleet.take($1::int, $2)", ["\(free)", settings.epoch])
        case .finish(let ends):
            SQLStatement("select * from fleet.finish($1::json)", ["[\(ends.map(Self.object).joined(separator: ","))]"])
        case .sweep: SQLStatement("select (select count(*) from fleet.sweep()), fleet.sweep_due()")
        case .maintain: SQLStatement("select fleet.maintain()")
        case .leave: SQLStatement("select fleet.leave()")
        }
    }

    /// Converts the rows of the answer to an event. Returns nil if the rows do not match this statement.
    package func event(_ rows: [[String?]]) -> NodeLoop.Event? {
        switch self {
        case .beat:
            let held = rows.compactMap { row in
                row.count == 9 ? FleetRun(row).map { HeldRun($0, cancellation: row[7], answer: row[8]) } : nil
            }
            return held.count == rows.count ? .beaten(held) : nil
        case .take(let free):
            let taken = rows.compactMap { FleetRun($0) }
            return taken.count == rows.count && taken.count <= free ? .took(taken) : nil
        case .finish:
            let verdicts = rows.compactMap { row -> EndVerdict? in
                guard row.count == 2, let run = row[0].flatMap({ Int64($0) }),
                    let kind = row[1].flatMap(EndVerdict.Kind.init)
                else { return nil }
                return EndVerdict(run, kind)
            }
            return verdicts.count == rows.count ? .committed(verdicts) : nil
        case .sweep:
            guard rows.count == 1, rows[0].count == 2, let count = rows[0][0].flatMap({ Int($0) }) else { return nil }
            return .swept(count, due: rows[0][1].flatMap { Int64($0) }.map { .milliseconds($0) })
        case .maintain: return .maintained
        // The database refuses the request while this host has runs.
        case .leave: return rows == [["t"]] ? .left : .refused(.leave)
        }
    }

    private static func object(_ end: FleetRunEnd) -> String {
        // The result is already JSON.
        var members = ["\"run\":\(end.run)", "\"attempt\":\(end.attempt)", "\"state\":\"\(end.state.rawValue)\""]
        if let result = end.result { members.append("\"result\":\(result)") }
        if let reason = end.reason { members.append("\"reason\":\(WireCoding.text(reason))") }
        return "{" + members.joined(separator: ",") + "}"
    }
}

/// The text of a statement with its parameters.
package struct SQLStatement: Sendable, Equatable {
    package var text: String
    package var parameters: [String?]

    package init(_ text: String, _ parameters: [String?] = []) {
        self.text = text
        self.parameters = parameters
    }
}

extension WireCoding {
    /// Encodes a value as the text of a JSON column.
    package static func text(_ value: some Encodable) -> String { String(foreign: encode(value)) }

    /// Decodes the text of a JSON column, which another host may have written. Returns nil if it is malformed or NULL.
    static func value<Value: Decodable>(_ type: Value.Type = Value.self, in text: String?) -> Value? {
        text.flatMap { try? decode(type, from: Array($0.utf8)) }
    }
}
