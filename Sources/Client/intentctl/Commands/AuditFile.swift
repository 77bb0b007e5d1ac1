import Glibc
import IntentHash
import IntentLinux

/// A file of decisions, one a line, to which `intentctl audit --append` adds.
///
/// Each line contains the SHA-256 of the line before it, so that no line can be changed, inserted or removed without
/// changing all later lines. The head, which is the number and the SHA-256 of the last line, shows a cut end if it is
/// kept elsewhere. The lines remain after history has removed their runs.
///
/// History itself chains the decisions of each user (``DecisionLink``). If it has removed decisions before they were
/// exported, a line with `continues` states the last decision that is missing.
enum AuditFile {
    /// A decision, or the gap before the next one, without the SHA-256 of the line before it.
    struct Entry {
        var json: JSONValue
        /// The run and the question of a decision.
        var key: String
        var owner = Owner(user: 0, account: "")
        /// The decision's place in the history's chain; nil for a decision from an earlier release or an imported run.
        var link: DecisionLink?
    }

    /// The user of a chain of decisions.
    struct Owner: Hashable {
        var user: UInt32
        var account: String

        var json: [String: JSONValue] { ["user": .int(Int64(user)), "account": .string(account)] }
    }

    /// The last decision of an owner in the file.
    struct Position: Equatable {
        var number: Int64 = 0
        var hash = DecisionLink.start
    }

    /// What the first line contains in place of the SHA-256 of an earlier line.
    private static let start = DecisionLink.start
    /// The maximum size of the file, in bytes.
    private static let byteLimit = 1 << 30

    /// The state of a chain after some lines.
    private struct Chain {
        var count = 0
        var hash = AuditFile.start
        /// The run and the question of each decision.
        var keys: Set<String> = []
        var positions: [Owner: Position] = [:]
        /// Descriptions of the gaps.
        var gaps: [String] = []

        /// Adds a line. Throws the reason why it does not continue the chain.
        mutating func add(_ line: ArraySlice<UInt8>) throws(Break) {
            guard let members = JSONValue(parsing: Array(line))?.members,
                case .string(let previous)? = members["previous"]
            else { throw Break(reason: "it is not a decision") }
            guard previous == hash else { throw Break(reason: "it does not contain the SHA-256 of the line before it") }
            if let gap = members["continues"] {
                try skip(gap.members)
            } else {
                guard case .string(let run)? = members["run"], case .int(let number)? = members["number"] else {
                    throw Break(reason: "it is not a decision")
                }
                if let link = members["chain"] { try advance(link.members, members) }
                keys.insert("\(run) \(number)")
            }
            count += 1
            hash = SHA256.hexadecimal(of: line)
        }

        private mutating func skip(_ gap: [String: JSONValue]) throws(Break) {
            guard let (owner, position) = Self.place(gap) else { throw Break(reason: "it is not a decision") }
            let (last, next) = (positions[owner] ?? Position(), position.number + 1)
            let account = owner.account.isEmpty ? "" : " (\(SafeText.line(owner.account)))"
            gaps.append(
                position.number > last.number
                    ? "user \(owner.user)\(account): decisions \(last.number + 1) to \(position.number) are missing, "
                        + "because history had removed them before the export"
                    : "user \(owner.user)\(account): after decision \(last.number), history has other decisions, from \(next) on"
            )
            positions[owner] = position
        }

        private mutating func advance(_ link: [String: JSONValue], _ members: [String: JSONValue]) throws(Break) {
            guard let (owner, position) = Self.place(link), case .string(let previous)? = link["previous"] else {
                throw Break(reason: "it is not a decision")
            }
            let last = positions[owner] ?? Position()
            guard position.number == last.number + 1, previous == last.hash else {
                throw Break(reason: "it does not follow decision \(last.number) of user \(owner.user)")
            }
            guard SHA256.hexadecimal(of: AuditFile.bytes(position.number, previous, members)) == position.hash else {
                throw Break(reason: "it does not match the SHA-256 that history has computed")
            }
            positions[owner] = position
        }

        private static func place(_ members: [String: JSONValue]) -> (Owner, Position)? {
            guard case .int(let user)? = members["user"], let uid = UInt32(exactly: user),
                case .string(let account)? = members["account"], case .int(let number)? = members["number"],
                case .string(let hash)? = members["hash"]
            else { return nil }
            return (Owner(user: uid, account: account), Position(number: number, hash: hash))
        }

        var head: String { "\(count):\(hash)" }
    }

    /// Returns the bytes that history has hashed for a decision (``DecisionLink``), from the members of its line.
    private static func bytes(_ number: Int64, _ previous: String, _ members: [String: JSONValue]) -> [UInt8] {
        func part(_ name: String) -> String {
            switch members[name] {
            case .string(let text)?: text
            case .int(let number)?: "\(number)"
            case .null?, .bool?, .double?, .array?, .object?, nil: ""
            }
        }
        let standing = if case .string(let run)? = members["standing"]?.members["run"] { run } else { "" }
        return DecisionLink.bytes(
            of: [
                previous, "\(number)", part("run"), part("app"), part("intent"), part("number"), part("question"),
                members["isApproved"] == .bool(true) ? "approved" : "refused", part("timeMilliseconds"), part("user"),
                part("software"), part("digest"), part("entryPoint"),
                members["isSameUser"] == .bool(true) ? "own user" : "", standing,
            ]
        )
    }

    private struct Break: Error { var reason: String }

    /// Appends the decisions that the file does not contain, and prints the head.
    ///
    /// - Parameter heads: The last decision of each owner, which history keeps; nil if they are unknown.
    static func append(_ decisions: [Entry], _ heads: [DecisionHead]?, to path: String) throws {
        let file = FileDescriptor(
            owning: try syscall("open", on: path) { open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
        )
        // Two exports at a time would fork the chain.
        try syscall("flock", on: path) { flock(file.rawValue, LOCK_EX) }
        var chain = try read(file.rawValue, path)
        chain.gaps = []
        var lines: [UInt8] = []
        for json in missing(decisions, heads, in: chain) {
            let line = Array(json.adding(["previous": .string(chain.hash)]).text().utf8)
            do throws(Break) {
                try chain.add(line[...])
            } catch {
                throw failure(path, "cannot continue it: \(error.reason)", hint: "continue in another file")
            }
            lines += line + [UInt8(ascii: "\n")]
        }
        try File.write(file.rawValue, lines[...])
        try File.sync(file.rawValue)
        for gap in chain.gaps { Console.note(gap) }
        try Console.output(chain.head)
    }

    /// Returns the lines that the file lacks: decisions, and gaps between them.
    private static func missing(_ decisions: [Entry], _ heads: [DecisionHead]?, in chain: Chain) -> [JSONValue] {
        var lines = decisions.filter { $0.link == nil && !chain.keys.contains($0.key) }.map(\.json)
        var groups = Dictionary(grouping: decisions.filter { $0.link != nil }, by: \.owner)
        var ends: [Owner: Position] = [:]
        for head in heads ?? [] {
            let owner = Owner(user: head.user, account: head.userName)
            ends[owner] = Position(number: head.number, hash: head.hash)
            groups[owner, default: []] += []
        }
        for (owner, group) in groups.sorted(by: { ($0.key.user, $0.key.account) < ($1.key.user, $1.key.account) }) {
            var position = chain.positions[owner] ?? Position()
            func reach(_ other: Position) {
                guard other != position else { return }
                let place = owner.json.merging(["number": .int(other.number), "hash": .string(other.hash)]) { $1 }
                lines.append(["continues": .object(place)])
                position = other
            }
            let links = group.compactMap { entry in entry.link.map { (entry, $0) } }.sorted {
                $0.1.number < $1.1.number
            }
            let end = ends[owner]
            let hasRestarted =
                end.map { $0.number < position.number || $0.number == position.number && $0 != position } == true
                || links.contains { $1.number == position.number && $1.hash != position.hash }
            for (entry, link) in links where hasRestarted || link.number > position.number {
                guard !chain.keys.contains(entry.key) else { continue }
                reach(Position(number: link.number - 1, hash: link.previous))
                lines.append(entry.json)
                position = Position(number: link.number, hash: link.hash)
            }
            if let end, hasRestarted ? end != position : end.number > position.number { reach(end) }
        }
        return lines
    }

    /// Checks a file, and prints its head.
    ///
    /// - Parameter head: The head that was printed earlier; nil to check the chain alone.
    static func verify(_ path: String, head: String?) throws -> ExitCode {
        let file = try File.open(path)
        let chain = try read(file.rawValue, path, until: head)
        for gap in chain.gaps { Console.note(gap) }
        try Console.output(chain.head)
        return .done
    }

    /// Reads a whole chain, which must contain the head.
    private static func read(_ descriptor: Int32, _ path: String, until head: String? = nil) throws -> Chain {
        guard let bytes = try File.readAll(descriptor, limit: byteLimit) else {
            throw failure(path, "it has more than \(byteLimit) bytes", hint: "continue in another file")
        }
        guard bytes.isEmpty || bytes.last == UInt8(ascii: "\n") else {
            throw failure(path, "its last line is incomplete")
        }
        var chain = Chain()
        var hasHead = head == nil || head == chain.head
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            .enumerated()
        {
            do throws(Break) {
                try chain.add(line)
            } catch {
                throw failure(path, "line \(index + 1): \(error.reason)")
            }
            if chain.head == head { hasHead = true }
        }
        guard hasHead else {
            throw failure(path, "it does not contain the head \(head ?? ""): lines are missing at its end")
        }
        return chain
    }

    private static func failure(
        _ path: String,
        _ reason: String,
        hint: String = "compare it with a copy, and find out who can write it"
    ) -> CommandFailure {
        CommandFailure(.failed, code: "brokenChain", "'\(path)': \(reason)", hint: hint)
    }
}
