import Glibc
import IntentConfiguration
import IntentFleet
import IntentLinux
import IntentProtocol

/// The commands for a fleet's operator, which `intentctl fleet` starts.
enum AdminCommand: String, CaseIterable {
    case initialize = "init"
    case upgrade
    case addHost = "add-host"
    case removeHost = "remove-host"
    case allow
    case disallow
    case drain
    case nodes
    case runs
    case lost
    case retry

    /// The exit codes, which intentctl uses too.
    private enum Code {
        static let failed: Int32 = 1
        static let usage: Int32 = 64
        static let notFound: Int32 = 66
        static let unavailable: Int32 = 69
        static let notPermitted: Int32 = 77
    }

    private var wordCount: Int {
        switch self {
        case .initialize, .upgrade, .nodes, .runs, .lost: 0
        case .addHost, .removeHost, .drain, .retry: 1
        case .allow, .disallow: 2
        }
    }

    func run(_ arguments: [String]) -> Int32 {
        do {
            let given = try Arguments(arguments, for: self)
            return try perform(given, AdminSession(given.database))
        } catch let error as UsageError {
            return Self.fail(Code.usage, "\(error)\n  see 'intentctl help fleet'")
        } catch let error as AdminSession.Failure {
            let code = error.state.isEmpty ? Code.unavailable : error.state == "42501" ? Code.notPermitted : Code.failed
            let hint =
                error.state == "3F000" || error.state == "42P01"
                ? "\n  the database contains no fleet: 'intentctl fleet init' creates one" : ""
            return Self.fail(code, "fleet \(rawValue): \(error)\(hint)")
        } catch {
            return Self.fail(Code.failed, "fleet \(rawValue): \(error)")
        }
    }

    private struct Arguments {
        var database: String
        var words: [String] = []
        var isUndo = false
        var wantsJSON = false
        /// The folder with the fleet's certificate authority.
        var certificates: CertificateFolder?
        var servers: [CertificateFolder.Server] = []

        init(_ arguments: [String], for command: AdminCommand) throws {
            database = getenv("INTENTD_FLEET_DATABASE").map { String(foreign: $0) } ?? "dbname=fleet"
            var rest = arguments[...]
            while let word = rest.popFirst() {
                func value<Value>(_ expected: String, _ parse: (String) -> Value?) throws -> Value {
                    guard let value = rest.popFirst().flatMap(parse) else {
                        throw UsageError("\(word): expected \(expected)")
                    }
                    return value
                }
                switch word {
                case "--database": database = try value("a connection string") { $0 }
                case "--certificates" where [.initialize, .addHost, .removeHost].contains(command):
                    certificates = try CertificateFolder(value("a folder") { $0 })
                case "--server" where command == .initialize:
                    servers.append(try value("NAME=ADDRESS of the database's server") { CertificateFolder.Server($0) })
                case "--undo" where command == .drain: isUndo = true
                case "--json" where [.nodes, .runs, .lost].contains(command): wantsJSON = true
                case _ where word.hasPrefix(utf8: "-"):
                    throw UsageError("fleet \(command.rawValue): unknown option '\(word)'")
                default: words.append(word)
                }
            }
            guard words.count == command.wordCount else {
                throw UsageError(
                    "fleet \(command.rawValue): expected \(command.wordCount) arguments, got \(words.count)"
                )
            }
            if [.addHost, .removeHost, .drain].contains(command), !FleetSettings.isHostName(words[0]) {
                throw UsageError(
                    "fleet \(command.rawValue): expected a host name of 1 to 63 lower-case letters, digits, '.', '_' and '-' that "
                        + "begins and ends with a letter or digit, got "
                        + "'\(words[0])'"
                )
            }
        }
    }

    private func perform(_ given: Arguments, _ database: AdminSession) throws -> Int32 {
        let newest = FleetSchema.current.version
        switch self {
        case .initialize:
            if try database.query(SQLStatement("select to_regclass('fleet.version')")) != [[nil]] {
                _ = Self.say("the database already contains a fleet, version \(try database.fleetVersion())")
            } else {
                try database.upgrade(from: 0, to: .current)
                _ = Self.say("created a fleet, version \(newest); next: intentctl fleet add-host HOST")
            }
            guard let folder = given.certificates else { return 0 }
            let name = try Self.name(database)
            try folder.create(for: name, given.servers)
            return Self.say(
                """
                created an authority in '\(folder.path)'; keep ca.key there. On the server, copy server.crt, server.key, ca.crt and
                ca.crl to the data folder, and add:
                  postgresql.conf: ssl=on ssl_cert_file='server.crt' ssl_key_file='server.key' ssl_ca_file='ca.crt' ssl_crl_file='ca.crl'
                  pg_hba.conf:     hostssl \(name) +fleet_node all cert
                """
            )
        case .upgrade:
            let version = try database.fleetVersion()
            guard version <= newest else {
                return Self.fail(
                    Code.failed,
                    "the fleet has version \(version), but this program supports \(newest): update it"
                )
            }
            guard version < newest else { return Self.say("the fleet already has the newest version, \(version)") }
            try database.upgrade(from: version, to: .current)
            return Self.say("upgraded the fleet from version \(version) to \(newest)")
        case .addHost:
            let host = given.words[0]
            let roles = SQLStatement(
                "select pg_has_role(oid, 'fleet_node', 'member') from pg_roles where rolname = $1",
                [host]
            )
            switch try database.query(roles) {
            // The name has been checked, and contains no character that must be escaped.
            case []: try database.query(SQLStatement("create role \"\(host)\" login in role fleet_node"))
            case [["t"]]: break
            default: try database.query(SQLStatement("grant fleet_node to \"\(host)\""))
            }
            try database.query(SQLStatement("select fleet.add_host($1)", [host]))
            guard let folder = given.certificates else {
                return Self.say("added '\(host)', which may act for *@\(host); set Name=\(host) in its fleet.conf")
            }
            let archive = try folder.issueHost(host, database: Self.name(database))
            return Self.say(
                """
                added '\(host)', which may act for *@\(host). Its certificate is valid for a year. Next:
                  ssh root@\(host) 'tar -xC / && systemctl reload intentd && systemctl enable intentd-fleet \
                    && systemctl restart intentd-fleet' <'\(archive)'
                """
            )
        case .removeHost:
            let host = given.words[0]
            let found = try database.query(SQLStatement("select fleet.remove_host($1)", [host])) == [["t"]]
            try database.query(SQLStatement("drop role if exists \"\(host)\""))
            if let folder = given.certificates {
                let list = try folder.revokeHost(host)
                _ = Self.say("revoked the certificates of '\(host)'; copy '\(list)' to the server, and reload it")
            }
            return found ? Self.say("removed '\(host)'") : Self.fail(Code.notFound, "unknown host '\(host)'")
        case .allow:
            try database.query(SQLStatement("select fleet.allow($1, $2)", given.words))
            return Self.say("'\(given.words[0])' may act for '\(given.words[1])'")
        case .disallow:
            let statement = SQLStatement("select fleet.disallow($1, $2)", given.words)
            guard try database.query(statement) == [["t"]] else {
                return Self.fail(Code.notFound, "'\(given.words[0])' may not act for '\(given.words[1])'")
            }
            return Self.say("'\(given.words[0])' may no longer act for '\(given.words[1])'")
        case .drain:
            let flag = given.isUndo ? "false" : "true"
            let statement = SQLStatement("select fleet.drain($1, $2::boolean)", [given.words[0], flag])
            guard try database.query(statement) == [["t"]] else {
                return Self.fail(Code.notFound, "unknown host '\(given.words[0])'")
            }
            return Self.say("'\(given.words[0])' \(given.isUndo ? "takes runs again" : "takes no more runs")")
        case .nodes, .runs, .lost: return try list(database, asJSON: given.wantsJSON)
        case .retry:
            guard let run = RunID(given.words[0]) else {
                throw UsageError("fleet retry: expected a run, got '\(given.words[0])'")
            }
            guard let made = try database.query(ClientStatement.retry(run: run.fleetNumber).sql).first?.first,
                let number = made.flatMap({ Int64($0) })
            else { return Self.fail(Code.notFound, "unknown ended run '\(run)'") }
            try database.query(ClientStatement.hint(host: "").sql)
            return Self.say("\(RunID(fleet: number))")
        }
    }

    private static func name(_ database: AdminSession) throws -> String {
        try database.query(SQLStatement("select current_database()")).first?.first.flatMap { $0 } ?? "fleet"
    }

    // MARK: Lists

    private var columns: [String] {
        switch self {
        case .nodes: ["HOST", "STATE", "SEEN", "FREE", "RUNNING", "INTENTS"]
        case .runs: ["RUN", "USER", "INTENT", "STATE", "HOST", "ATTEMPT", "AGE"]
        case .lost: ["RUN", "USER", "INTENT", "HOST", "ATTEMPT", "ENDED"]
        case .initialize, .upgrade, .addHost, .removeHost, .allow, .disallow, .drain, .retry: []
        }
    }

    private var listing: SQLStatement {
        let state = """
            case when seen is null then 'left' when seen + lease < clock_timestamp() then 'lost' \
            when draining then 'draining' else 'alive' end
            """
        return switch self {
        case .nodes:
            SQLStatement(
                """
                select name, \(state), coalesce(round(extract(epoch from clock_timestamp() - seen))::text || ' s ago', 'never'), \
                free, (select count(*) from fleet.run r where r.node = n.name), cardinality(intents) from fleet.node n \
                order by name
                """
            )
        case .runs:
            SQLStatement(
                """
                select id, owner, intent, case when state = 'running' and cancel is not null then 'stopping' else state end, \
                coalesce(node, '-'), attempt, round(extract(epoch from clock_timestamp() - submitted))::text || ' s' \
                from fleet.run order by id limit 1000
                """
            )
        case .lost:
            SQLStatement(
                """
                select id, owner, intent, coalesce(node, '-'), attempt, to_char(finished at time zone 'UTC', \
                'YYYY-MM-DD"T"HH24:MI:SS"Z"') from fleet.history where reason = 'hostLost' order by finished desc limit 100
                """
            )
        case .initialize, .upgrade, .addHost, .removeHost, .allow, .disallow, .drain, .retry:
            preconditionFailure("'\(rawValue)' lists nothing")
        }
    }

    private func list(_ database: AdminSession, asJSON: Bool) throws -> Int32 {
        let isOfRuns = self != .nodes
        let rows = try database.query(listing).map { row in
            row.enumerated().map { index, text in
                guard index == 0, isOfRuns, let number = text.flatMap({ Int64($0) }) else { return text ?? "-" }
                return RunID(fleet: number).text
            }
        }
        if asJSON {
            let objects = rows.map { row in
                Dictionary(uniqueKeysWithValues: zip(columns.map { $0.lowercased() }, row))
            }
            return Self.say(WireCoding.text(objects))
        }
        let table = [columns] + rows.map { $0.map(SafeText.line) }
        let widths = columns.indices.map { column in table.map { $0[column].scalarCount }.max() ?? 0 }
        for row in table {
            let cells = zip(row, widths).map { text, width in
                text + String(repeating: " ", count: max(0, width - text.scalarCount))
            }
            var line = cells.joined(separator: "  ")
            while line.hasSuffix(utf8: " ") { line.unicodeScalars.removeLast() }
            _ = Self.say(line)
        }
        return 0
    }

    private static func say(_ line: String) -> Int32 {
        print(line)
        return 0
    }

    private static func fail(_ code: Int32, _ message: String) -> Int32 {
        let line = "intentctl: \(SafeText.printed(message))\n"
        // If writing to standard error fails, the failure cannot be reported.
        _ = line.withCString { write(2, $0, strlen($0)) }
        return code
    }
}
