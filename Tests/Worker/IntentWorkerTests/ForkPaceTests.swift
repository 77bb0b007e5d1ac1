import IntentWorker
import Testing

@Suite struct ForkPaceTests {
    private let second: Int64 = 1_000_000_000

    @Test func `use becomes steady once, with the last of many workers within a minute`() {
        var pace = ForkPace()
        let answers = (0..<200).map { pace.becomesSteady(at: Int64($0) * second / 10) }
        #expect(answers.firstIndex(of: true) == ForkPace.workerCount - 1)
        #expect(answers.filter { $0 }.count == 1)
    }

    @Test func `a worker every few seconds is not steady use`() {
        var pace = ForkPace()
        let answers = (0..<1000).map { pace.becomesSteady(at: Int64($0) * 5 * second) }
        #expect(!answers.contains(true))
    }

    @Test func `use may become steady after days of rare use`() {
        var pace = ForkPace()
        let before = (0..<72).map { pace.becomesSteady(at: Int64($0) * 3600 * second) }
        #expect(!before.contains(true))
        let answers = (0..<100).map { pace.becomesSteady(at: 80 * 3600 * second + Int64($0) * second / 2) }
        #expect(answers.contains(true))
    }
}
