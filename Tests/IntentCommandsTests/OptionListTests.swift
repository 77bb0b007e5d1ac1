import Testing
import intentd_command

@Suite struct OptionListTests {
    @Test func `each line feed ends an option, and each first tab ends a value`() {
        let list = OptionList(output: Array("a\t\u{301}Alpha\r\n\u{301}b\nc\n\u{20DD}d".utf8))
        #expect(list.options.map(\.value) == ["a", "\u{301}b", "c", "\u{20DD}d"])
        #expect(list.options.map(\.title) == ["\u{301}Alpha", "\u{301}b", "c", "\u{20DD}d"])
    }
}
