import IntentText
import Testing

@Suite struct ListWordsTests {
    @Test(arguments: ["a", "a b", "a\tb", "it's", "\"", "\\", #"DOMAIN\user"#, #"a\\b"#, #"\x20"#, ""])
    func `a quoted word is read as it was`(word: String) {
        #expect(ListWords.split("x \(ListWords.quote(word)) y") == ["x", word, "y"])
    }

    @Test(arguments: [
        (#"DOM\user"#, [#"DOM\user"#]), (#""domain users" 'b c'"#, ["domain users", "b c"]), ("a\t b", ["a", "b"]),
        (#"DOM\nancy DOM\xavier"#, [#"DOM\nancy"#, #"DOM\xavier"#]), (#"a="b c"d"#, ["a=b cd"]), ("", []),
    ])
    func `blanks in quotes and most backslashes are literal`(text: String, words: [String]) {
        #expect(ListWords.split(text) == words)
    }
}
