import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Which setting, and which line of a file, the end of a run names.
@Suite struct SettingOfDenialTests {
    private static let settings = [
        SettingInEffect("Limits", "MemoryMax", value: "1G", source: "Probe.conf:2"),
        SettingInEffect("Sandbox", "TasksMax", value: "7", source: "Probe.conf:4"),
        SettingInEffect("Sandbox", "MemoryMax", value: "64M", source: "Probe.conf:5"),
        SettingInEffect("Sandbox", "DiskMax", value: "9M", source: "Probe.conf:6"),
        SettingInEffect("Intent Other", "MemoryMax", value: "96M", source: "Probe.conf:8"),
    ]

    /// The denial of a run of `Echo` that exceeded the memory limit.
    private static func denial(_ settings: [SettingInEffect]) throws -> SandboxDenial? {
        var app = Scene.app
        app.settings = settings
        var scene = try Scene.ready()
        let slot = try scene.launchedSlot(scene.echo(1, app: app), mode: .once)
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        let end = SlotEnd(processEnd: .signaled(signal: 9), exceeded: .memory)
        let actions = scene.runTable.handle(.ended(slot, end, lastLine: nil), at: at(1))
        return actions.lazy.compactMap { action in
            if case .record(let record) = action, case .ended(let end) = record.fact { return end.account }
            return nil
        }.first?.details?.denial
    }

    @Test func `the value and the line are those of the key, in the section of the app`() throws {
        let denial = try #require(try Self.denial(Self.settings))
        #expect(denial.key == "MemoryMax" && denial.value == "64M" && denial.source == "Probe.conf:5")
        #expect(denial.section == nil)
    }

    @Test func `the section of the intent itself has priority`() throws {
        let own = SettingInEffect("Intent Echo", "MemoryMax", value: "32M", source: "Probe.conf:9")
        let denial = try #require(try Self.denial(Self.settings + [own]))
        #expect(denial.value == "32M" && denial.section == "Intent Echo")
    }
}
