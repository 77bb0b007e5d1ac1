import FoundationEssentials
import IntentCommands
import IntentHash
import IntentLinux

/// Implements `intentctl shortcut add FILE | list | remove NAME...`, which manages the user's own shortcuts.
struct ShortcutCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        let words = Array(invocation.words.dropFirst())
        switch (invocation.words[0], words.count) {
        case ("add", 1): try await add(words[0])
        case ("list", 0): try await list()
        case ("remove", 1...): try await remove(words)
        default:
            throw CommandFailure.usage(
                "expected add FILE, list or remove NAME, got '\(invocation.words.joined(separator: " "))'",
                hint: HelpText.pointer(.shortcut)
            )
        }
        return .done
    }

    private func add(_ word: String) async throws {
        let path = URL(filePath: word).standardizedFileURL.path(percentEncoded: false)
        guard path.hasSuffix(utf8: ShortcutFile.suffix) else {
            throw CommandFailure.usage("expected a file NAME\(ShortcutFile.suffix), got '\(word)'", hint: "rename it")
        }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try File.bytes(at: path)
        } catch {
            throw CommandFailure(
                .notFound,
                code: "notFound",
                "cannot read '\(word)': \(error)",
                hint: "specify a file that you may read"
            )
        }
        let name = String((path.split(scalar: "/").last ?? "").dropLast(scalars: ShortcutFile.suffix.scalarCount))
        do throws(CommandFileProblems) {
            _ = try ShortcutFile(ofUser: bytes, file: word)
        } catch {
            throw CommandFailure(
                .configuration,
                code: "badConfiguration",
                error.description,
                hint: "'intentctl verify \(word)' checks the file"
            )
        }
        let shortcut = OwnShortcutText(name: name, text: String(foreign: bytes), path: path)
        let added = try await invocation.connect().addShortcut(shortcut)
        try invocation.output(
            json: JSONValue(added),
            text: "stored \(added.name). Perform it with 'intentctl run \(added.name)/\(added.intent)'"
        )
    }

    private func list() async throws {
        let all = try await invocation.connect().ownShortcuts()
        let states = all.map(Self.state)
        try invocation.output(
            json: .object([
                "shortcuts": .array(
                    zip(all, states).map { JSONValue($0).adding(["file": .string($1.rawValue)]) }
                )
            ]),
            text: all.isEmpty
                ? "no shortcut is stored; 'intentctl shortcut add FILE' stores one"
                : TextTable.render(
                    ["NAME", "INTENT", "FILE", "TITLE"],
                    zip(all, states).map { shortcut, state in
                        let hidden = shortcut.isHidden == true ? " (hidden by the installed app \(shortcut.name))" : ""
                        return [
                            shortcut.name, "\(shortcut.name)/\(shortcut.intent)",
                            state == .unknown ? "-" : "\(shortcut.path ?? "") \(state.words)", shortcut.title + hidden,
                        ]
                    }
                )
        )
    }

    private func remove(_ names: [String]) async throws {
        let connection = try await invocation.connect()
        for name in names { try await connection.removeShortcut(named: name) }
        let removed = JSONValue.array(names.map { .string($0) })
        try invocation.output(json: .object(["removed": removed]), text: "removed \(names.joined(separator: ", "))")
    }

    /// Whether the file from which a shortcut was stored still has its text.
    enum State: String {
        case unchanged, differs, missing, unknown

        var words: String {
            switch self {
            case .unchanged: "(unchanged)"
            case .differs: "(differs: add it again)"
            case .missing: "(missing)"
            case .unknown: ""
            }
        }
    }

    static func state(of shortcut: OwnShortcut) -> State {
        guard let path = shortcut.path else { return .unknown }
        // A file that cannot be read says nothing, and neither does one that is too large.
        guard let bytes = try? File.bytes(at: path) else { return .missing }
        return SHA256.hexadecimal(of: bytes) == shortcut.digest ? .unchanged : .differs
    }
}
