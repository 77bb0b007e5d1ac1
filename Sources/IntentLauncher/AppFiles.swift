import IntentConfiguration
import IntentDaemon
import IntentWire

/// The operator's files as values. The launcher reads them itself and does not rely on intentd for them.
final class AppFiles {
    private let installation: Installation
    private var memory = InstallationMemory()

    init(_ installation: Installation) { self.installation = installation }

    var forkServerCount: Int { memory.daemon(in: installation, on: .kernel).forkServerCount }

    func app(_ name: AppName) -> AppSearch { memory.app(name, in: installation, on: .kernel) }

    func read() { memory.read(in: installation, on: .kernel) }

    func reload() -> [ConfigurationProblem] { memory.reload(in: installation, on: .kernel) }
}
