import IntentLauncherMessages
import IntentLifecycle
import Testing

@Suite struct CopyBudgetTests {
    private static let ann = Account.local(user: 1000, account: "ann")
    private static let ben = Account.local(user: 1001, account: "ben")
    private static let largest = UInt64(CopyBudget.fileLimit)
    private static let shareCount = CopyBudget.limit / CopyBudget.fileLimit / 2

    @Test func `a file or a request that is too large is refused, and takes no bytes`() {
        var budget = CopyBudget()
        for sizes in [[Self.largest + 1], [1, .max], Array(repeating: Self.largest, count: Self.shareCount + 1)] {
            let refusal = budget.hold(sizes, for: Scene.run(1), of: Self.ann)
            #expect(refusal?.code == .tooLarge && refusal?.hint?.contains("ReadPaths=") == true)
        }
        #expect(budget.total == 0)
        // The largest request is half of the limit.
        let largest = Array(repeating: Self.largest, count: Self.shareCount)
        #expect(budget.hold(largest, for: Scene.run(2), of: Self.ann) == nil)
    }

    @Test func `a user who fills a share is refused, and another user is not`() {
        var budget = CopyBudget()
        for number in 1...UInt64(Self.shareCount) {
            #expect(budget.hold([Self.largest], for: Scene.run(number), of: Self.ann) == nil)
        }
        #expect(budget.hold([1], for: Scene.run(99), of: Self.ann)?.code == .busy)
        #expect(budget.hold([Self.largest], for: Scene.run(98), of: Self.ben) == nil)
        budget.release(Scene.run(1))
        budget.release(Scene.run(2))
        #expect(budget.hold([1], for: Scene.run(99), of: Self.ann) == nil)
    }

    @Test func `bytes are released with their run, or when the run did not receive them`() {
        var budget = CopyBudget()
        _ = budget.hold([10, 20], for: Scene.run(1), of: Self.ann)
        _ = budget.hold([5], for: Scene.run(1), of: Self.ben)
        budget.inherit(7, for: Scene.run(2))
        budget.release(20, for: Scene.run(1), of: Self.ann)
        #expect(budget.total == 22)
        budget.release(Scene.run(1))
        #expect(budget.total == 7)
        // The run ended while its files were copied.
        budget.release(Scene.run(1))
        budget.release(10, for: Scene.run(1), of: Self.ann)
        budget.release(Scene.run(2))
        #expect(budget.total == 0)
    }

    @Test func `copies of an earlier intentd count for their account once it is known`() {
        var budget = CopyBudget()
        let half = UInt64(CopyBudget.limit / 4)
        budget.inherit(Int(half), for: Scene.run(1))
        budget.assign(Scene.run(1), to: Self.ann)
        #expect(budget.hold([half / 2, half / 2], for: Scene.run(2), of: Self.ann) == nil)
        #expect(budget.hold([1], for: Scene.run(3), of: Self.ann)?.code == .busy)
        #expect(budget.hold([half / 2, half / 2], for: Scene.run(4), of: Self.ben) == nil)
        budget.release(Scene.run(1))
        #expect(budget.total == CopyBudget.limit / 2)
    }
}
