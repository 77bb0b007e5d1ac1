import Foundation
import TestSupport
import Testing

/// Upgrades during attacks and concurrent requests.
@Suite(.ownThread) struct AttackOnUpgradeTests {
    // The arguments name a fork server's behaviour; see Tests/Apps/Attacker/CAttacker/ForkServer.c.
    @Test(arguments: ["silent", "siblings", "garbage", "record:SSSSSSSS"])
    func `concurrent upgrades beside a hostile fork server cost no other run`(
        _ manner: String
    ) throws {
        let daemon = try Daemon(sharesLauncher: true, hasOwnPrograms: true)
        try daemon.install("Attacker", as: "Hostile", app: ["Environment=ATTACKER_SERVER=\(manner)"])
        let launcher = try #require(daemon.sharedLauncherNumber)
        let long = try daemon.start(["run", "Probe/TickUntilFile"])
        _ = try daemon.run()
        for round in 0..<2 {
            try daemon.replace("intentd", with: Programs.intentd)
            try daemon.replace("intentd-launcher", with: Programs.url("intentd-launcher"))
            let hostile = try daemon.start(["run", "--limit", "30s", "Hostile/Attack", "--attempt", "processes"])
            let short = try (0..<4).map { try daemon.start(["run", "Probe/Echo", "--text", "\(round) \($0)"]) }
            let upgrades = try (0..<3).map { _ in try daemon.start(["upgrade"]) }
            for upgrade in upgrades where upgrade.exitCode() != 0 {
                // Without systemd's socket, nothing listens for a moment.
                let words = ["another upgrade is in progress", "Connection refused"]
                #expect(words.contains { upgrade.errors.contains($0) }, "\(upgrade.errors)")
            }
            #expect(upgrades.contains { $0.exitCode() == 0 })
            for (number, first) in short.enumerated() {
                var run = first
                if run.exitCode() == 69, run.errors.contains("Connection refused") {
                    run = try daemon.start(["run", "Probe/Echo", "--text", "\(round) \(number)"])
                }
                #expect(run.exitCode() == 0, "\(run.errors)")
                #expect(run.output == "\(round) \(number)\n")
            }
            #expect(hostile.exitCode() != 0)
            #expect(daemon.runs("intentd", in: daemon.number))
            #expect(daemon.runs("intentd-launcher", in: launcher))
        }
        try daemon.bring()
        #expect(long.exitCode() == 0, "\(long.errors)")
        // Processes that the hostile fork server created may live as long as its sandbox, which the next upgrade ends.
        try daemon.replace("intentd-launcher", with: Programs.url("intentd-launcher"))
        #expect(try daemon.intentctl("upgrade").code == 0)
        try eventually("no worker and no run folder remains") { daemon.workers.isEmpty && daemon.isCleared }
    }
}
