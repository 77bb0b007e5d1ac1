import Foundation
import Glibc
import IntentLinux
import TestSupport
import Testing

/// Tests a daemon with a low descriptor limit, with clients that use up all descriptors.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct DescriptorExhaustionTests {
    private static let limit = 160

    @Test func `an intentd out of descriptors keeps its launcher and runs, and recovers when some are free`() throws {
        let daemon = try Daemon(limits: ["Spare=0"], descriptorLimit: Self.limit)
        let launcher = try daemon.launcher()
        let owner = try SocketClient(daemon)
        let live = try owner.perform("Slow")
        #expect(try daemon.run() == live)
        let descriptors = daemon.descriptorCount
        do {
            // More connections than it can accept, so that some stay in the listener's backlog.
            let crowd = try (0..<Self.limit).map { _ in try SocketClient(daemon, greets: false) }
            try eventually("the daemon is out of descriptors; it logged: \(daemon.errors)") {
                // The error concerns the connection or its peer, depending on which of them found no free descriptor.
                daemon.errors.contains("Too many open files")
            }
            // Each of these requests may fail or succeed, but gets an answer.
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
        try eventually("the connections are closed: \(daemon.descriptorCount), before \(descriptors)") {
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

    @Test func `with few free descriptors, a run starts completely or not at all`() throws {
        let daemon = try Daemon(limits: ["Spare=0"], descriptorLimit: Self.limit)
        let launcher = try daemon.launcher()
        let client = try SocketClient(daemon)
        #expect(try client.outcome(of: client.perform("Echo", ["text": "first"]))["kind"] as? String == "done")
        let descriptors = try daemon.settledDescriptorCount()
        do {
            var crowd: [SocketClient] = []
            for left in (0...6).reversed() {
                // Each connection uses two descriptors, for its socket and its process, and more for a moment while the
                // daemon inspects the parents of that process.
                while descriptors + 2 * crowd.count + 5 <= Self.limit - left {
                    // A connection that gets the last descriptor is refused with the reason, because none is left to
                    // identify its process.
                    try eventually("one more connection is served; it logged: \(daemon.errors)") {
                        guard let next = try? SocketClient(daemon) else { return false }
                        crowd.append(next)
                        return true
                    }
                }
                try eventually("\(left) or more are free: \(daemon.descriptorCount); it logged: \(daemon.errors)") {
                    daemon.workers.isEmpty && daemon.descriptorCount == descriptors + 2 * crowd.count
                }
                let answer = try client.ask(SocketClient.performance(of: "Echo", ["text": "hello"]))
                // The request may be refused because the app's files cannot be read.
                guard let run = answer["run"] as? String else { continue }
                let outcome = try client.outcome(of: run)
                #expect(["done", "busy"].contains(outcome["kind"] as? String), "\(outcome)")
            }
            withExtendedLifetime(crowd) {}
        }
        try eventually("the connections are closed: \(daemon.descriptorCount), before \(descriptors)") {
            daemon.descriptorCount <= descriptors && daemon.isCleared
        }
        #expect(try daemon.launcher() == launcher)
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "on").output == "on\n")
    }

    @Test func `runs beyond the number of descriptors fail to start, and the launcher survives`() throws {
        let daemon = try Daemon(limits: ["Spare=0"], descriptorLimit: Self.limit)
        let launcher = try daemon.launcher()
        let client = try SocketClient(daemon)
        // The app is described before the descriptors are used up.
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
                // A run that could not start has ended already.
                #expect(try client.ask(["type": "cancel", "run": run])["type"] as? String == "ended")
            }
            while !open.isEmpty {
                let event = try client.nextEvent()
                guard event["type"] as? String == "finished", let run = event["run"] as? String else { continue }
                open.remove(run)
                let kind = (event["outcome"] as? [String: Any])?["kind"] as? String ?? "none"
                kinds[kind, default: 0] += 1
            }
            #expect(Set(kinds.keys).isSubset(of: ["cancelled", "busy"]), "\(kinds)")
        }
        try eventually("all is released: \(daemon.workers) \(daemon.runFolders) \(daemon.descriptorCount)") {
            daemon.workers.isEmpty && daemon.isCleared && daemon.descriptorCount <= descriptors
        }
        #expect(daemon.isRunning)
        #expect(try daemon.launcher() == launcher)
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "on").output == "on\n")
    }
}
