import Foundation
import TestSupport
import Testing

/// Injection through names and titles in an app's catalogue.
@Suite(.ownThread) struct AttackByNamesTests {
    typealias Owner = Daemon.Owner

    /// Names, titles and categories with a special meaning where they are displayed or stored.
    private static let hostileNames = [
        // An OpenMetrics line, the end of a label and a sample; a journal field; shell commands; paths; options.
        #"x\nintentd_owned 1"#, #"x\"} 1\nintentd_owned 1\nx{a=\""#, #"x\n_SYSTEMD_UNIT=owned"#, #"x\u0000y"#,
        "$(touch owned)", "`touch owned`", "';touch owned;'", "../../owned", "/owned", ".", "..", "", " ", "-x",
        "--help",
        // Terminal sequences, bidirectional overrides and invisible characters.
        #"\u001b]0;owned\u0007"#, #"\u009b2J"#, #"a\u202eb"#, #"a\u2066b"#, #"a\u2028intentd_owned 1"#,
        #"a\u0085b"#, #"\r\nb"#,
        // A lone surrogate, and a very long name.
        #"\ud800"#, String(repeating: "x", count: 1500),
    ]

    private static func catalogue(_ name: String) -> String {
        #"{"type":"catalog","catalog":{"intents":[{"name":"\#(name)","title":"\#(name)","isDiscoverable":true,"#
            + #""summary":"\#(name)","details":{"category":"\#(name)","keywords":["\#(name)"]},"traits":[],"#
            + #""parameters":[{"name":"\#(name)","title":"\#(name)","type":"string","isOptional":true}]}]}}"#
    }

    @Test(arguments: Owner.testable)
    func `names in an app's catalogue inject nothing where they are displayed, completed and counted`(
        _ owner: Owner
    ) throws {
        let daemon = try Daemon(owner: owner)
        for (number, name) in (Self.hostileNames + ["Harmless"]).enumerated() {
            let text = Self.catalogue(name).utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            try daemon.install("Attacker", as: "Named\(number)", app: ["Environment=ATTACKER_CATALOG=\(text)"])
        }
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "here").output == "here\n")
        // A harmless name proves that the app's catalogue is accepted.
        let harmless = try daemon.intentctl("describe", "Named\(Self.hostileNames.count)")
        #expect(harmless.output.contains("/Harmless"), "\(harmless)")
        for (number, name) in Self.hostileNames.enumerated() {
            // The app may be refused or accepted. Either way, all output about it must be harmless.
            for words in [["describe", "Named\(number)"], ["run", "Named\(number)/x"]] {
                let command = try daemon.start(words)
                command.exitCode()
                #expect(TerminalText.commands(in: command.output + command.errors) == [], "\(name): \(words)")
                #expect(!Self.hasOwnedLine(command.output + command.errors), "\(name): \(words) \(command.output)")
            }
        }
        for words in [["list"], ["metrics"], ["history"], ["status"], ["ps"], ["--output", "json", "list"]] {
            let command = try daemon.start(words)
            // Apps with some of the names are refused.
            #expect(command.exitCode() == (words == ["status"] ? 78 : 0), "\(words) \(command.errors)")
            #expect(TerminalText.commands(in: command.output) == [], "\(words)")
            #expect(!Self.hasOwnedLine(command.output), "\(words) \(command.output)")
        }
        #expect(!FileManager.default.fileExists(atPath: daemon.folder.appending("owned").path))
    }

    private static func hasOwnedLine(_ text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).contains {
            $0.hasPrefix("intentd_owned") || $0.hasPrefix("_SYSTEMD_UNIT=owned")
        }
    }
}
