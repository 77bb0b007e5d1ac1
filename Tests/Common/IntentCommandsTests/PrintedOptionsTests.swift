import IntentLauncherMessages
import Testing
import intentd_command

@Suite struct PrintedOptionsTests {
    @Test func `each line feed ends an option, and each first tab ends a value`() {
        let list = PrintedOptions(output: Array("a\t\u{301}Alpha\r\n\u{301}b\nc\n\u{20DD}d".utf8))
        #expect(list.options.map(\.value) == ["a", "\u{301}b", "c", "\u{20DD}d"])
        #expect(list.options.map(\.title) == ["\u{301}Alpha", "\u{301}b", "c", "\u{20DD}d"])
    }

    @Test(arguments: ["CAFÉ", "cafe\u{301}", "\u{E9}", "e\u{301}"])
    func `an option is found in either normal form and case`(_ text: String) {
        for value in ["Caf\u{E9}", "Cafe\u{301}"] {
            let list = PrintedOptions(output: Array("1\t\(value)\n2\tTea\n".utf8))
            guard case .array(let found) = list.value(matching: text) else {
                Issue.record("no options")
                continue
            }
            #expect(found.count == 1)
        }
    }
}
