import Foundation
import Glibc
import IntentLinux
import Testing

/// A daemon that may have few descriptors, and others who take all of them.
@Suite(.timeLimit(.minutes(5))) struct DescriptorExhaustionTests {
    private static let limit = 160

    @Test func `out of descriptors, intentd keeps its launcher and its runs, and serves again when there are some`()
        throws
    {
        let daemon = try Daemon(limits: ["Spare=0"], descriptorLimit: Self.limit)
        let launcher = try daemon.launcher()
        let owner = try SocketClient(daemon)
        let live = try owner.perform("Slow")
        #expect(try daemon.run() == live)
        let descriptors = daemon.descriptorCount
        do {
            // More than it can take, so that some wait at the door when it has none left.
            let crowd = try (0..<Self.limit).map { _ in try SocketClient(daemon, greets: false) }
            try eventually("no connection can be taken any more; it says: \(daemon.errors)") {
                // Said of the connection, or of the look at its peer: whichever found no descriptor.
                daemon.errors.contains("Too many open files")
            }
            // All this fails or goes well, and is answered either way.
            let files = [SharedFileDescriptor](repeating: SharedFileDescriptor(try File.open("/dev/zero")), count: 16)
            for _ in 0..<4 {
                let answer = try owner.ask(SocketClient.performance(of: "Echo", ["text": "hello"]))
                if let run = answer["run"] as? String { _ = try #require(owner.outcome(of: run)["kind"] as? String) }
                var flood = SocketClient.performance(of: "Echo", ["text": "hello"])
                flood["files"] = files.count
                #expect(try owner.ask(flood, descriptors: files)["type"] as? String == "error")
                #expect(try owner.ask(["type": "list"])["id"] != nil)
            }
            #expect(try owner.ask(["type": "status"])["type"] as? String == "status")
            withExtendedLifetime(crowd) {}
        }
        try eventually("all are closed: \(daemon.descriptorCount), before \(descriptors)") {
            daemon.descriptorCount <= descriptors
        }
        #expect(daemon.isRunning)
        #expect(try daemon.launcher() == launcher)
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "on").output == "on\n")
        #expect(try daemon.run() == live)
        #expect(try daemon.intentctl("cancel", live).code == 0)
        #expect(try owner.outcome(of: live)["kind"] as? String == "cancelled")
        try eventually("no worker is left") { daemon.workers.isEmpty && daemon.isCleared }
    }

    @Test func `with few descriptors left, a run starts whole or not at all`() throws {
        let daemon = try Daemon(limits: ["Spare=0"], descriptorLimit: Self.limit)
        let launcher = try daemon.launcher()
        let client = try SocketClient(daemon)
        #expect(try client.outcome(of: client.perform("Echo", ["text": "first"]))["kind"] as? String == "done")
        let descriptors = try daemon.settledDescriptorCount()
        do {
            var crowd: [SocketClient] = []
            for left in (0...6).reversed() {
                // Each connection takes two: its socket, and the process that made it. More are taken for the moment in which
                // the parents of that process are looked at.
                while descriptors + 2 * crowd.count + 5 <= Self.limit - left {
                    // One that finds a socket left and nothing to know its process by is turned away with the reason.
                    try eventually("one more is served; it says: \(daemon.errors)") {
                        guard let next = try? SocketClient(daemon) else { return false }
                        crowd.append(next)
                        return true
                    }
                }
                try eventually("\(left) or some more are left: \(daemon.descriptorCount); it says: \(daemon.errors)") {
                    daemon.workers.isEmpty && daemon.descriptorCount == descriptors + 2 * crowd.count
                }
                let answer = try client.ask(SocketClient.performance(of: "Echo", ["text": "hello"]))
                // Refused, because not even the app's files can be read: that is an answer.
                guard let run = answer["run"] as? String else { continue }
                let outcome = try client.outcome(of: run)
                #expect(["done", "notStarted"].contains(outcome["kind"] as? String), "\(outcome)")
            }
            withExtendedLifetime(crowd) {}
        }
        try eventually("all are closed: \(daemon.descriptorCount), before \(descriptors)") {
            daemon.descriptorCount <= descriptors && daemon.isCleared
        }
        #expect(try daemon.launcher() == launcher)
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "on").output == "on\n")
    }

    @Test func `more runs than there are descriptors end with the truth, and the launcher stays`() throws {
        let daemon = try Daemon(limits: ["Spare=0"], descriptorLimit: Self.limit)
        let launcher = try daemon.launcher()
        let client = try SocketClient(daemon)
        // Known before there is a crowd.
        #expect(try client.outcome(of: client.perform("Echo", ["text": "first"]))["kind"] as? String == "done")
        let descriptors = try daemon.settledDescriptorCount()
        for _ in 0..<2 {
            var open: Set<String> = []
            for _ in 0..<30 {
                let answer = try client.ask(SocketClient.performance(of: "Slow"))
                if let run = answer["run"] as? String { open.insert(run) }
            }
            var kinds: [String: Int] = [:]
            for run in open {
                // One that could not start has ended already, with its own truth.
                #expect(try client.ask(["type": "cancel", "run": run])["type"] as? String == "ended")
            }
            while !open.isEmpty {
                let event = try client.nextEvent()
                guard event["type"] as? String == "finished", let run = event["run"] as? String else { continue }
                open.remove(run)
                let kind = (event["outcome"] as? [String: Any])?["kind"] as? String ?? "none"
                kinds[kind, default: 0] += 1
            }
            #expect(Set(kinds.keys).isSubset(of: ["cancelled", "notStarted"]), "\(kinds)")
        }
        try eventually("all is cleared: \(daemon.workers) \(daemon.runFolders) \(daemon.descriptorCount)") {
            daemon.workers.isEmpty && daemon.isCleared && daemon.descriptorCount <= descriptors
        }
        #expect(daemon.isRunning)
        #expect(try daemon.launcher() == launcher)
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "on").output == "on\n")
    }
}
