import IntentConfiguration
import IntentLauncherMessages
import TestSupport
import Testing

/// Changes one byte of an operator's file, at every position and in many ways. No change may lose a rule silently.
@Suite(.ownThread) struct RuleLossTests {
    private let installation = Installation(appFolders: ["/apps"], unitFolders: ["/etc/apps.d"], user: 0)

    /// Every kind of rule, with different kinds of lines before and after it.
    private static let lines = [
        "# soup",
        "[Access]",
        "AllowUsers=ada bob",
        "AllowGroups=kitchen",
        "Confirm=other",
        "[App]",
        "State=no",
        "Environment=AB=12 \\",
        "  CD=34",
        "LoadCredential=key:/etc/key",
        "[Limits]",
        "Runtime=12s",
        "",
        "[History]",
        "Secret=pin",
        "[Sandbox]",
        "AllowHosts=api.example:443",
        "MemoryMax=25M",
        "[Intent Wipe]",
        "AllowUsers=root",
        "Secret=word",
        "; salt",
        "[Intent Order]",
        "ConfirmGroups=bar",
        "Runtime=11s",
    ]

    private static let bytes: [UInt8] =
        Array("\0\t\n\u{0B}\r\u{1B} \"#',-./0:;=A[\\]a".utf8) + [0x7F, 0x80, 0x85, 0xA0, 0xC2, 0xE2, 0xFF]

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `no change of one byte loses a rule without an error`(end: String) throws {
        let original = Array((Self.lines.joined(separator: end) + end).utf8)
        guard case .rules(let rules) = outcome(of: original) else {
            Issue.record("the file has a mistake")
            return
        }
        #expect(rules.count == 15)
        let comments = Self.comments(of: original)
        var count = 0
        for place in original.indices {
            var edits = [original]
            edits[0].remove(at: place)
            // A third of the bytes at each position, and each byte at a third of the positions, unless the test is
            // whole.
            let bytes = Self.bytes.indices.filter { Endurance.isWhole || ($0 + place) % 3 == 0 }.map { Self.bytes[$0] }
            for byte in bytes where byte != original[place] {
                var (inserted, replaced) = (original, original)
                inserted.insert(byte, at: place)
                replaced[place] = byte
                edits += [inserted, replaced]
            }
            for edit in edits {
                count += 1
                guard case .rules(let left) = outcome(of: edit), !left.isSuperset(of: rules) else { continue }
                // A user who reads the file sees that the line is a comment.
                if Self.comments(of: edit) != comments { continue }
                let text = String(decoding: edit, as: UTF8.self)
                Issue.record("byte \(place): \(rules.subtracting(left).sorted()) are missing from\n\(text)")
                return
            }
        }
        #expect(count > (Endurance.isWhole ? 15_000 : 5_000))
    }

    private enum Outcome {
        /// An error is reported.
        case told
        case rules(Set<String>)
    }

    /// Returns the names of the rules in effect. Their values are not included, because a changed value is not a lost
    /// rule.
    private func outcome(of bytes: [UInt8]) -> Outcome {
        var disk = FakeDisk()
        disk.add("/apps/Soup")
        disk.add("/etc/apps.d/Soup.conf", bytes)
        guard let name = AppName("Soup"), case .found(let app) = installation.app(name, on: disk.view),
            app.unit.problems.isEmpty
        else { return .told }
        var rules: Set<String> = []
        func add(_ name: String, _ holds: Bool) { if holds { rules.insert(name) } }
        add("access", app.unit.access.isRestricted)
        add("users", !app.unit.access.users.isEmpty)
        add("groups", !app.unit.access.groups.isEmpty)
        add("confirm", app.unit.confirm.isByOther)
        add("state", app.unit.state == .none)
        add("environment", app.unit.environment.count >= 2)
        add("credential", !app.unit.credentials.isEmpty)
        add("limit", app.unit.limits.runtime != RunLimits().runtime)
        add("secret", !app.unit.secretNames.isEmpty)
        add("hosts", !app.unit.sandbox.allowHosts.isEmpty)
        add("memory", app.unit.sandbox.memoryMax != SandboxSettings().memoryMax)
        // The name of the intent is not compared, because only the catalogue contains the valid names.
        add("access of an intent", app.unit.intents.contains { $0.value.access?.isRestricted == true })
        add("secret of an intent", app.unit.intents.contains { $0.value.secretNames?.isEmpty == false })
        add("confirm of an intent", app.unit.intents.contains { $0.value.confirm?.groups?.isEmpty == false })
        add(
            "limit of an intent",
            app.unit.intents.contains { $0.value.limits.map { $0.runtime != app.unit.limits.runtime } ?? false }
        )
        return .rules(rules)
    }

    /// Returns the comments as an editor shows them.
    private static func comments(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split { $0 == 10 || $0 == 13 }.map { line in line.drop { $0 == 32 || $0 == 9 } }
            .filter { $0.first == UInt8(ascii: "#") || $0.first == UInt8(ascii: ";") }
    }
}
