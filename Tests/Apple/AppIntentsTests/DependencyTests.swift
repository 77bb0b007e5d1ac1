import AppIntents
import IntentLauncherMessages
import Synchronization
import TestSupport
import Testing

private let manager = AppDependencyManager()

private struct Sum: AppIntent {
    static let title: LocalizedStringResource = "t"
    @Dependency(key: Side.left, manager: manager) var left: Int
    @Dependency(key: Side.right, manager: manager) var right: Int
    @Dependency(manager: manager, default: 100) var plain: Int

    enum Side { case left, right }

    func perform() async throws -> some IntentResult & ReturnsValue<Int> { .result(value: left + right + plain) }
}

/// Tests dependencies, from registration to use.
@Suite(.ownThread) struct DependencyTests {
    @Test func `values, keys, providers and defaults reach the intent`() throws {
        let worker = try AppProcess.performing("UseDependencies", of: "CompileShapes5")
        #expect(try worker.result().text == "Hello 7 5 1")
        #expect(worker.output == "wound\n")
        #expect(try worker.acknowledge() == 0)
    }

    @Test func `a key distinguishes two dependencies of one type, and a provider runs once`() async throws {
        let count = Atomic(0)
        manager.add(key: Sum.Side.left, dependency: 1)
        manager.add(key: Sum.Side.right) { () async throws -> Int in
            await Task.yield()
            return count.wrappingAdd(10, ordering: .relaxed).newValue
        }
        #expect(try await Sum()() == 111)
        #expect(try await Sum()() == 111)
        let intent = Sum()
        intent.left = 5
        #expect(try await intent() == 115)
    }

    @Test func `protocols and classes of the main actor can be shared`() throws {
        let saved = try AppProcess.run("SaveNote", of: "CompileShapes6", ["text": .string("x")])
        #expect(saved.result.ending == .returned(value: .int(1), dialog: "Saved as 1."))
        let renamed = try AppProcess.run("RenameWindow", of: "CompileShapes6", ["name": .string("side")])
        #expect(renamed.text == "main to side")
    }

    @Test func `providers that belong to the main actor create their values there`() throws {
        #expect(try AppProcess.run("ListPanes", of: "CompileShapes6").text == "left right top bottom spare")
    }

    @Test func `a missing dependency ends the run with an error that names its type and the intent`() throws {
        let message = try AppProcess.run("NeedMissing", of: "CompileShapes5").message
        let start = "cannot perform 'NeedMissing': its dependency of type Cup is not registered"
        #expect(message?.hasPrefix(start) == true)
    }

    @Test func `a provider's error ends the run of the intent that needs it`() throws {
        #expect(try AppProcess.run("NeedBroken", of: "CompileShapes5").message == "the provider is broken")
        #expect(try AppProcess.run("OneRoast", of: "CompileShapes5").message == nil)
    }

    @Test func `providers do not run for the catalogue, or for an intent that does not need them`() throws {
        #expect(try AppProcess.describing("CompileShapes5").output == "")
        let worker = try AppProcess.performing("OneRoast", of: "CompileShapes5")
        _ = try worker.result()
        #expect(worker.output == "")
    }
}
