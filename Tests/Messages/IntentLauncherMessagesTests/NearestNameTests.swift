import IntentLauncherMessages
import Testing

@Suite struct NearestNameTests {
    private let names = ["Compress", "Decompress", "List", "tags"]

    @Test(arguments: [
        ("Compres", "Compress"), ("compress", "Compress"), ("COMRPESS", "Compress"), ("Lsit", "List"), ("tag", "tags"),
        ("Dekompress", "Decompress"),
    ])
    func `a mistyped name finds the intended one`(_ text: String, _ name: String) {
        #expect(NearestName.of(text, among: names) == name)
    }

    @Test(arguments: ["", "x", "Soup", "CompressEverythingNow", String(repeating: "a", count: 129)])
    func `a dissimilar name finds nothing`(_ text: String) {
        #expect(NearestName.of(text, among: names) == nil)
    }

    @Test func `the first of two equally near names in the alphabet is returned, in any order of the list`() {
        #expect(NearestName.of("cat", among: ["hat", "bat"]) == "bat")
        #expect(NearestName.of("cat", among: ["bat", "hat"]) == "bat")
    }

    @Test func `an empty list has no nearest name`() {
        #expect(NearestName.of("cat", among: []) == nil)
        #expect(NearestName.of("ca", among: [""]) == nil)
    }

    @Test func `a very long candidate takes no time`() {
        #expect(NearestName.of("cat", among: [String(repeating: "cat", count: 100_000), "cut"]) == "cut")
    }

    @Test func `a hint is a question at the end of the message`() {
        #expect(NearestName.hint(for: "Lst", among: names) == "did you mean 'List'?")
        #expect(NearestName.hint(for: "Soup", among: names) == nil)
    }
}
