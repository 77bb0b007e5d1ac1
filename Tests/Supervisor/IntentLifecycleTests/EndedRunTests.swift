import IntentLauncherMessages
import IntentLifecycle
import Testing

/// How many ends of runs stay in memory, for requests that are repeated and for late requests.
@Suite struct EndedRunTests {
    /// Performs a run with a result of this many bytes.
    private static func end(_ number: UInt64, _ byteCount: Int, user: UInt32 = 1000, in scene: inout Scene) throws {
        let slot = try scene.launchedSlot(scene.echo(number, user: .local(user: user)), mode: .once)
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        let text = IntentValue.string(String(repeating: "a", count: byteCount))
        let result = WorkerResult(ending: .returned(value: text, dialog: nil))
        _ = scene.runTable.handle(.reported(slot, .finished(result)), at: at(0))
        _ = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(0))
    }

    private static func remembered(_ numbers: ClosedRange<UInt64>, in scene: Scene) -> [UInt64] {
        numbers.filter { scene.runTable.remembers(Scene.run($0)) }
    }

    @Test func `above 8 MiB, the oldest ends of the user with the largest results are forgotten`() throws {
        var scene = try Scene.ready()
        try Self.end(1, 1 << 20, user: 1001, in: &scene)
        for number in UInt64(2)...5 { try Self.end(number, 3 << 20, in: &scene) }
        #expect(Self.remembered(1...5, in: scene) == [1, 4, 5])
        try Self.end(6, 3 << 20, in: &scene)
        #expect(Self.remembered(1...6, in: scene) == [1, 5, 6])
    }

    @Test(arguments: [(UInt64(1024), true), (1025, false)])
    func `the ends of 1,024 runs are remembered`(count: UInt64, remembersFirst: Bool) throws {
        var scene = try Scene.ready()
        for number in 1...count { try Self.end(number, 1, in: &scene) }
        #expect(scene.runTable.remembers(Scene.run(1)) == remembersFirst)
        #expect(scene.runTable.remembers(Scene.run(2)))
    }

    @Test func `the end of the only run is remembered, however large its result is`() throws {
        var scene = try Scene.ready()
        try Self.end(1, 9 << 20, in: &scene)
        #expect(Self.remembered(1...1, in: scene) == [1])
        try Self.end(2, 1, in: &scene)
        #expect(Self.remembered(1...2, in: scene) == [2])
    }
}
