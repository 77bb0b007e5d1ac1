import Glibc
import IntentLauncherMessages
import IntentLinux

/// Measures `intentd`, the kernel and the peers, and prints one table.
@main
struct Benchmarks {
    static func main() {
        do {
            let options = try BenchmarkOptions(Array(CommandLine.arguments.dropFirst()))
            if let socket = options.floodedSocket { try Flood(of: socket).run() }
            try Cleanup.watchSignals()
            try ProcessFacts.raiseDescriptorLimit(to: 20_000)
            try run(options)
        } catch {
            Console.say("benchmarks: \(error)")
            exit(1)
        }
    }

    private static func run(_ options: BenchmarkOptions) throws {
        let workbench = try Workbench(options)
        var figures: [Figure] = []
        for group in options.groups {
            Console.say("measuring \(group.rawValue) (load \(ProcessTable.loadAverage()))")
            for var figure in measured(group, on: workbench) {
                figure.load = ProcessTable.loadAverage()
                figures.append(figure)
            }
        }
        Console.show(FigureTable.text(figures))
        guard let path = options.jsonPath else { return }
        let file = try File.open(path, O_WRONLY | O_CREAT | O_TRUNC, permissions: 0o644)
        for figure in figures { try File.write(file.rawValue, (WireCoding.encode(figure) + [UInt8(ascii: "\n")])[...]) }
    }

    /// Measures a group. If that fails, returns a line that reports it, so that the other groups are still measured.
    private static func measured(_ group: FigureGroup, on workbench: Workbench) -> [Figure] {
        do {
            return try group.measure(workbench)
        } catch {
            Console.say("  \(group.rawValue): \(error)")
            return [Figure(group.rawValue, "not measured", .milliseconds, value: nil)]
        }
    }
}

/// The programs and floors that all groups of figures share.
final class Workbench {
    let options: BenchmarkOptions
    let programs: Programs
    let floor: KernelFloor
    private var systemd: [String: Samples]?
    private var systemdProblem: String?

    init(_ options: BenchmarkOptions) throws {
        self.options = options
        programs = try Programs()
        floor = try KernelFloor()
    }

    /// Returns a measurement of systemd-run. The first call measures all of them.
    func systemd(_ name: String, worst: Figure.Unit? = nil) -> Comparison {
        if systemd == nil, systemdProblem == nil {
            do {
                systemd = try SystemdPeer.measure(options, app: programs.app)
            } catch {
                systemdProblem = "\(error)"
                Console.say("  systemd-run is absent: \(error)")
            }
        }
        guard let samples = systemd?[name], samples.count > 0 else {
            return Comparison("systemd-run", problem: systemdProblem ?? "it measured nothing")
        }
        return Comparison("systemd-run", samples, worst: worst)
    }
}

extension FigureGroup {
    func measure(_ workbench: Workbench) throws -> [Figure] {
        switch self {
        case .submit: try SubmitFigures.measure(workbench)
        case .rate: try RateFigures.measure(workbench)
        case .cancel: try CancelFigures.measure(workbench)
        case .limit: try LimitFigures.measure(workbench)
        case .progress: try ProgressFigures.measure(workbench)
        case .idle: try IdleFigures.measure(workbench)
        case .growth: try GrowthFigures.measure(workbench)
        case .start: try StartFigures.measure(workbench)
        case .history: try HistoryFigures.measure(workbench)
        case .files: try FileFigures.measure(workbench)
        case .text: try TextFigures.measure(workbench)
        case .fairness: try FairnessFigures.measure(workbench)
        case .busy: try BusyFigures.measure(workbench)
        case .users: try UserFigures.measure(workbench)
        case .mcp: try MCPFigures.measure(workbench)
        case .http: try HTTPFigures.measure(workbench)
        case .host: try HostFigures.measure(workbench)
        case .fleet: try FleetFigures.measure(workbench)
        case .egress: try EgressFigures.measure(workbench)
        case .command: try CommandFigures.measure(workbench)
        case .shortcut: try ShortcutFigures.measure(workbench)
        case .server: try ServerFigures.measure(workbench)
        }
    }
}
