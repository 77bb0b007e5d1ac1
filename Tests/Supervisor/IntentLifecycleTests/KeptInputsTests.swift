import IntentLauncherMessages
import IntentLifecycle
import Testing

@Suite struct KeptInputsTests {
    private static let ann = Account.local(user: 1000, account: "ann")
    private static let ben = Account.local(user: 1001, account: "ben")

    /// Keeps inputs for runs of an account until its share is full. Returns the number of runs.
    private func fill(_ kept: inout KeptInputs, fileCount: Int = 0, of account: Account) -> UInt64 {
        var number: UInt64 = 0
        while kept.keep(fileCount: fileCount, for: Scene.run(number + 1), of: account) { number += 1 }
        return number
    }

    @Test func `an account that fills its share leaves as many descriptors for others`() {
        var kept = KeptInputs()
        #expect(fill(&kept, of: Self.ann) == UInt64(KeptInputs.limit / 2))
        #expect(kept.keep(fileCount: KeptInputs.limit / 4, for: Scene.run(999), of: Self.ben) == true)
        #expect(kept.keep(fileCount: 1, for: Scene.run(998), of: Self.ben) == false)
        kept.remove(Scene.run(999))
        #expect(kept.keep(fileCount: 1, for: Scene.run(998), of: Self.ben) == true)
    }

    @Test func `each file counts, and a run that is kept again counts once`() {
        var kept = KeptInputs()
        #expect(fill(&kept, fileCount: 16, of: Self.ann) == UInt64(KeptInputs.limit / 32))
        #expect(kept.keep(fileCount: 16, for: Scene.run(1), of: Self.ann) == true)
        #expect(kept.keep(fileCount: 17, for: Scene.run(1), of: Self.ann) == false)
        #expect(kept.contains(Scene.run(1)) == true)
        #expect(kept.keep(fileCount: 1, for: Scene.run(99), of: Self.ann) == false)
        #expect(kept.remove(Scene.run(1)) == true)
        #expect(kept.remove(Scene.run(1)) == false)
        #expect(kept.keep(fileCount: 8, for: Scene.run(1), of: Self.ann) == true)
    }

    @Test func `inputs of an earlier intentd use descriptors of all, and then those of their account`() {
        var kept = KeptInputs()
        kept.inherit(fileCount: 100, for: Scene.run(1))
        #expect(kept.keep(fileCount: 78, for: Scene.run(2), of: Self.ann) == true)
        #expect(kept.keep(fileCount: 1, for: Scene.run(3), of: Self.ann) == false)
        kept.remove(Scene.run(2))
        kept.assign(Scene.run(1), to: Self.ann)
        #expect(kept.keep(fileCount: 28, for: Scene.run(2), of: Self.ann) == true)
        #expect(kept.keep(fileCount: 1, for: Scene.run(3), of: Self.ann) == false)
        #expect(kept.keep(fileCount: 64, for: Scene.run(4), of: Self.ben) == true)
    }
}
