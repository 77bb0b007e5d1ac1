import Glibc
import IntentHash
import IntentLinux

/// A file of decisions, one a line, to which `intentctl audit --append` adds.
///
/// Each line contains the SHA-256 of the line before it, so that no line can be changed, inserted or removed without
/// changing all later lines. The head, which is the number and the SHA-256 of the last line, shows a cut end if it is
/// kept elsewhere. The lines remain after history has removed their runs.
enum AuditFile {
    /// What the first line contains in place of the SHA-256 of an earlier line.
    private static let start = String(repeating: "0", count: 64)
    /// The maximum size of the file, in bytes.
    private static let byteLimit = 1 << 30

    /// The state of a chain after some lines.
    private struct Chain {
        var count = 0
        var hash = AuditFile.start
        /// The run and the question of each decision.
        var keys: Set<String> = []

        /// Adds a line. Throws the reason why it does not continue the chain.
        mutating func add(_ line: ArraySlice<UInt8>) throws(Break) {
            guard let members = JSONValue(parsing: Array(line))?.members,
                case .string(let previous)? = members["previous"],
                case .string(let run)? = members["run"], case .int(let number)? = members["number"]
            else { throw Break(reason: "it is not a decision") }
            guard previous == hash else { throw Break(reason: "it does not contain the SHA-256 of the line before it") }
            count += 1
            hash = SHA256.hexadecimal(of: line)
            keys.insert("\(run) \(number)")
        }

        var head: String { "\(count):\(hash)" }
    }

    private struct Break: Error { var reason: String }

    /// Appends the decisions that the file does not contain, and prints the head.
    static func append(_ decisions: [(key: String, json: JSONValue)], to path: String) throws {
        let file = FileDescriptor(
            owning: try syscall("open", on: path) { open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
        )
        // Two exports at a time would fork the chain.
        try syscall("flock", on: path) { flock(file.rawValue, LOCK_EX) }
        var chain = try read(file.rawValue, path)
        var lines: [UInt8] = []
        for (key, json) in decisions where !chain.keys.contains(key) {
            let line = Array(json.adding(["previous": .string(chain.hash)]).text().utf8)
            do throws(Break) {
                try chain.add(line[...])
            } catch {
                preconditionFailure("the line continues the chain: \(error.reason)")
            }
            lines += line + [UInt8(ascii: "\n")]
        }
        try File.write(file.rawValue, lines[...])
        try File.sync(file.rawValue)
        try Console.output(chain.head)
    }

    /// Checks a file, and prints its head.
    ///
    /// - Parameter head: The head that was printed earlier; nil to check the chain alone.
    static func verify(_ path: String, head: String?) throws -> ExitCode {
        let file = try File.open(path)
        let chain = try read(file.rawValue, path, until: head)
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
