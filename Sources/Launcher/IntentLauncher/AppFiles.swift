import IntentConfiguration
import IntentDaemon
import IntentLauncherMessages

/// The settings of apps from the operator's configuration files. The launcher reads the files itself instead of
/// trusting a copy from intentd.
final class AppFiles {
    private let installation: Installation
    private var memory = InstallationMemory()

    /// The folder with the units of schedules.
    let scheduleFolder: String

    init(_ installation: Installation, schedules: String) {
        self.installation = installation
        scheduleFolder = schedules
    }

    var forkServerCount: Int { memory.daemon(in: installation, on: .kernel).forkServerCount }

    func app(_ name: AppName) -> AppSearch { memory.app(name, in: installation, on: .kernel) }

    func read() { memory.read(in: installation, on: .kernel) }

    func reload() -> [ConfigurationProblem] { memory.reload(in: installation, on: .kernel) }
}
