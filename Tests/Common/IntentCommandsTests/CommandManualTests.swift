import IntentCommands
import IntentConfiguration
import TestSupport
import Testing

/// Tests the manual page intentd.command(5).
@Suite(.ownThread) struct CommandManualTests {
    private let page = SettingsManual.command.page

    @Test func `the page describes every key once`() {
        let described = page.matches(of: /\.It Cm ([A-Za-z]+) Ns =/).map { String($0.1) }
        let keys =
            CommandAppKey.allCases.map(\.rawValue) + CommandIntentKey.allCases.map(\.rawValue)
            + CommandParameterKey.allCases.map(\.rawValue)
        #expect(described == keys)
    }

    @Test func `each example is accepted`() throws {
        let examples = page.matches(of: /\.It Example :\n\.Li ([A-Za-z]+)=(.+)/).map {
            (key: String($0.1), value: String($0.2).replacing("\\e", with: "\\"))
        }
        #expect(examples.count == page.matches(of: /\.It Example :/).count)
        for (key, value) in examples {
            let isOfIntent = CommandIntentKey(rawValue: key) != nil
            let isList = key == "Count" ? "List=yes\n" : ""
            let type = key == "Range" ? "Type=integer\n" : ""
            let exec = key == "Exec" ? "" : "Exec=/bin/a \(key == "Result" ? "" : "%{out:archive.tar}")\n"
            let own = isOfIntent ? "\(key)=\(value)\n" : ""
            guard CommandAppKey(rawValue: key) == nil else {
                let intent = key == "MCPServer" ? "" : "[Intent Create]\nExec=/bin/a\n"
                #expect(CommandFixture.problems("[App]\n\(key)=\(value)\n\(intent)") == [], "\(key)=\(value)")
                continue
            }
            let text = """
                [Intent Create]
                \(exec)\(own)
                [Intent Create.Parameter folder]
                \(isOfIntent ? "" : "\(isList)\(type)\(key)=\(value)\n")
                [Intent Create.Parameter document]
                [Intent Create.Parameter password]
                Secret=yes
                [Intent Restore]
                Exec=/bin/b
                [Intent Restore.Parameter archive]
                [Intent Restore.Parameter folder]
                """
            #expect(CommandFixture.problems(text) == [], "\(key)=\(value)")
        }
    }

    @Test func `the example of the page is a valid file`() throws {
        let block = try #require(page.firstMatch(of: /\.Bd -literal -offset indent\n((?s).*?)\.Ed/))
        #expect(CommandFixture.problems(String(block.1)) == [])
        #expect(throws: Never.self) {
            try SandboxSettings(ofCommands: UnitFile(Array(String(block.1).utf8), file: "x"))
        }
    }

    @Test(.enabled(if: Mandoc.isInstalled, "mandoc is not installed"))
    func `mandoc finds no mistake in the page`() throws {
        #expect(try Mandoc.faults(in: page) == "")
        #expect(try Mandoc.text(of: page).contains("INTENTD.COMMAND(5)"))
    }
}
