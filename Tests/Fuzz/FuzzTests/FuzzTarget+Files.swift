import Glibc
import IntentCommandLine
import IntentCommands
import IntentLauncherMessages
import IntentLinux
import IntentProtocol
import IntentSharedTypes

@testable import IntentConfiguration

// Files of operators and authors.
extension FuzzTarget {
    static let files = [
        FuzzTarget("unit-file", .unit, 1 << 18) { bytes in
            let unit = UnitFile(bytes, file: "f")
            let settings = DaemonSettings([unit])
            _ = try? AppUnit([unit], defaults: DaemonSettings([]), on: emptyDisk)
            _ = try? AppUnit([unit], defaults: settings, on: emptyDisk)
            _ = try? SandboxSettings(ofCommands: unit)
            _ = try? FleetServiceSettings(unit)
        },
        FuzzTarget("command-file", .unit, 1 << 18) { bytes in
            guard let file = try? CommandFile(bytes, file: "f.intents") else { return }
            for intent in file.intents {
                let values = intent.parameters.map { ($0.name, IntentValue.string("-x")) }
                let named = Dictionary(values) { first, _ in first }
                if let values = try? CommandValues(named, of: intent, path: { _ in "/p" }) {
                    _ = try? values.arguments(intent.exec)
                }
            }
            let written = WireCoding.encode(file.catalog)
            guard let catalog = try? WireCoding.decode(IntentCatalog.self, from: written) else {
                throw Finding("the catalogue of a command file is refused", written.text ?? "")
            }
            try require(WireCoding.encode(catalog), equals: written, "the catalogue of a command file")
        },
        FuzzTarget("shortcut-file", .unit, ShortcutPlan.byteLimit) { bytes in
            if let file = try? ShortcutFile(bytes, file: "f.shortcut") {
                let written = WireCoding.encode(file.plan)
                guard let plan = try? WireCoding.decodeFile(ShortcutPlan.self, from: written) else {
                    throw Finding("a recorded plan is refused", written.text ?? "")
                }
                try require(plan, equals: file.plan, "a recorded plan")
                _ = ShortcutTypes(of: file, file: "f.shortcut", catalogs: ["f": file.catalog])
                for step in plan.steps where step.text.unicodeScalars.contains("\n") {
                    throw Finding("the text of a step has several lines", step.text)
                }
            }
            guard (try? ShortcutFile(ofUser: bytes, file: "f.shortcut")) != nil else { return }
            for section in UnitFile(bytes, file: "f").sections where ShortcutSection(section.name) == nil {
                throw Finding("a user's shortcut has settings", section.name)
            }
        },
        FuzzTarget("elf", .bytes, 1 << 16) { bytes in
            guard let file = try? MemoryFile.unsealed(name: "elf", bytes[...]) else { return }
            let path = "/proc/self/fd/\(file.rawValue)"
            _ = try? ElfImage(at: path)
            _ = try? ElfImage.sectionNames(at: path)
        },
    ]

    private static var emptyDisk: DiskView {
        DiskView(
            facts: { _ in FileFacts(isRegular: true, isFolder: false, owner: 0, permissions: 0o755) },
            bytes: { _ in nil },
            names: { _ in [] }
        )
    }
}
