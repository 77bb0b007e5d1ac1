import IntentConfiguration
import Testing

@Suite struct HistorySettingsTests {
    private let installation = Installation(appFolders: [], configurationFolders: ["/etc/intentd"], user: 1000)

    private func settings(_ text: String) -> DaemonSettings {
        var disk = FakeDisk()
        disk.add("/etc/intentd/intentd.conf", text: text)
        return installation.daemon(on: disk.view)
    }

    @Test func `the operator configures the history, with systemd's syntax for times and sizes`() {
        let history = settings(
            "[History]\nDurability=power\nKeep=90d\nKeepOutput=infinity\nMaxRuns=1000\nMaxSize=infinity\n"
        ).history
        #expect(history.durability == .power)
        #expect(history.keep == .seconds(90 * 86_400))
        #expect(history.byteCountMax == nil)
        #expect(history.runCountMax == 1000)
        #expect(settings("[History]\nMaxRuns=9\nMaxRuns=infinity\n").history.runCountMax == nil)
        #expect(settings("[History]\nKeep=90d\nKeep=\n").history == HistorySettings())
    }

    @Test(arguments: ["Durability=maybe", "Keep=soon", "MaxSize=0", "MaxRuns=0", "MaxRuns=-1", "Colour=red"])
    func `a mistake is reported with its line, and changes no setting`(line: String) {
        let settings = settings("[History]\n\(line)\n")
        #expect(settings.history == HistorySettings())
        #expect(settings.problems.map(\.line) == [2])
    }
}
