import Foundation
import IntentConfiguration
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import TestSupport
import Testing

@testable import IntentLauncher

/// Tests that a workspace has one owner in any order of events, with real folders, and cgroups if the host has them.
@Suite(.timeLimit(.minutes(2))) struct WorkspaceTests {
    private let slots = [1, 2, 3].map { SlotID(number: $0) }

    @Test func `only the owner passes a workspace on`() {
        let owners: [WorkspaceOwner] = [.slot(slots[0]), .slot(slots[1]), .forkServer, .removed]
        let transitions: [(from: WorkspaceOwner, to: WorkspaceOwner, (inout WorkspaceOwner) -> Bool)] = [
            (.slot(slots[0]), .forkServer, { [slots] in $0.keep(from: slots[0]) }),
            (.forkServer, .slot(slots[2]), { [slots] in $0.take(for: slots[2]) }),
            (.slot(slots[0]), .removed, { [slots] in $0.remove(from: .slot(slots[0])) }),
            (.forkServer, .removed, { $0.remove(from: .forkServer) }),
        ]
        for owner in owners {
            for transition in transitions {
                var next = owner
                let hasMoved = transition.2(&next)
                #expect(hasMoved == (owner == transition.from))
                #expect(next == (owner == transition.from ? transition.to : owner))
            }
            var next = owner
            let hasMoved = next.remove(from: .removed)
            #expect(!hasMoved)
            #expect(next == owner)
        }
    }

    @Test(arguments: [false, true])
    func `a workspace is kept once if intentd exits after it has released runs that have ended`(wasKilled: Bool) throws
    {
        let world = try WorkspaceWorld()
        let ended = [world.launch(), world.launch()]
        for slot in ended { world.exit(slot, wasKilled: wasKilled) }
        // The launcher has not received these commands when it reaps the workers. Its first report of an end meets the
        // closed connection.
        for slot in ended { try world.parts.base.send(.release(slot: slot)) }
        world.parts.base.killSupervisor()
        world.workers.finishEnded()
        try world.parts.base.run(milliseconds: 20)
        #expect(world.workers.isEmpty)
        let kept = world.keptPaths()
        #expect(kept.count == 2)
        #expect(Set(kept).count == kept.count)
        #expect(world.problems == [])
    }

    @Test func `launches that begin when intentd is lost do not share the workspaces of runs that end then`() throws {
        let world = try WorkspaceWorld()
        let ended = [world.launch(), world.launch()]
        for slot in ended { world.exit(slot, wasKilled: true) }
        for slot in ended { try world.parts.base.send(.release(slot: slot)) }
        world.backlog = (0..<4).map { _ in world.nextSlot() }
        world.parts.base.killSupervisor()
        world.workers.finishEnded()
        try world.parts.base.run(milliseconds: 20)
        #expect(world.preparations.count == 4)
        world.check()
        for slot in Array(world.preparations.keys) { world.begin(slot) }
        for _ in 0..<4 { _ = world.launch() }
        world.check()
        #expect(world.problems == [])
    }

    @Test func `a leaf that exists does not prevent a run`() throws {
        let world = try WorkspaceWorld()
        guard let group = world.sandbox.group else { return }
        let left = try group.makeLeaf(named: "run-1")
        let slot = world.launch()
        #expect(world.problems == [])
        let workspace = try #require(world.workers[slot]?.workspace)
        let leaf = try #require(workspace.leaf)
        #expect(leaf.path != left.path)
        #expect(leaf.path.hasSuffix("/run-\(workspace.number)"))
        #expect(workspace.directory.name.hasPrefix("\(workspace.number)-"))
        #expect(File.exists(left.path))
    }

    @Test func `a process in the leaf of a removed workspace is killed, and the leaf is removed`() throws {
        let world = try WorkspaceWorld()
        guard let group = world.sandbox.group else { return }
        let intruder = try Process.run(URL(filePath: "/bin/sleep"), arguments: ["1000"])
        let leaf = try group.makeLeaf(named: "run-77")
        try File.put("\(intruder.processIdentifier)", at: "\(leaf.path)/cgroup.procs")
        let workspace = try RunWorkspace(
            for: SlotID(number: 77),
            in: world.parts.base.folders.runs,
            of: nil,
            leaf,
            numbered: 77
        )
        let table = ChildTable()
        table.remove(workspace, from: .slot(SlotID(number: 77)))
        intruder.waitUntilExit()
        _ = table.removeWorker(1)
        #expect(!File.exists(leaf.path))
    }

    @Test func `a leaf that exists does not prevent the reuse of a workspace`() throws {
        let world = try WorkspaceWorld()
        guard let group = world.sandbox.group else { return }
        let first = world.launch()
        world.exit(first, wasKilled: true)
        world.workers.finishEnded()
        world.workers.release(first)
        let left = try group.makeLeaf(named: "run-\(first.number)")
        let slot = world.launch()
        #expect(world.problems == [])
        let workspace = try #require(world.workers[slot]?.workspace)
        #expect(workspace.leaf?.path.hasSuffix("/run-\(workspace.number)") == true)
        #expect(workspace.directory.name.hasPrefix("\(workspace.number)-"))
        #expect(workspace.number != first.number)
        #expect(File.exists(left.path))
        world.check()
        #expect(world.problems == [])
    }

    @Test func `a sandbox number with a folder that exists is skipped`() throws {
        let parts = try SandboxParts()
        try FileManager.default.createDirectory(
            atPath: parts.base.folders.runs + "/1",
            withIntermediateDirectories: false
        )
        let sandbox = try parts.sandboxes.make(
            of: parts.app(),
            for: SandboxOwner(app: parts.app().name, user: 1000, account: nil),
            isolation: parts.isolation.common
        ) { _, _, _ in .remains }
        #expect(sandbox.number == 2)
        parts.sandboxes.remove(sandbox)
    }
}

extension File {
    fileprivate static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
