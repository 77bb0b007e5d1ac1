import AppIntents
import Testing

private struct Pour: AppIntent {
    static let title: LocalizedStringResource = "Pour"

    @Parameter(title: "Cups") var cups: Int?
    @Parameter(title: "Kind", default: "tea") var kind: String
    @Parameter(title: "Size") var size: Int

    func perform() async throws -> some IntentResult { .result() }
}

@Suite struct ValueStateTests {
    @Test func `a parameter reports whether it is set`() {
        let pour = Pour()
        #expect(pour.$cups.valueState == .unset)
        #expect(pour.$kind.valueState == .set)
        #expect(pour.$size.valueState == .unset)
        pour.size = 3
        #expect(pour.$size.valueState == .set)
    }

    @Test func `a parameter with a given null is set`() {
        let pour = Pour()
        pour.cups = nil
        #expect(pour.$cups.valueState == .set)
    }
}
