import Glibc
import IntentConfiguration
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentProtocol

/// A check of the apps' own intents: a private daemon lets each app describe its intents in its sandbox, and reports
/// what `intentctl reload` would report.
struct CatalogCheck {
    private let socket: SharedFileDescriptor
    private let daemon: ChildProcess
    private var decoder = FrameDecoder(payloadLimit: Frame.clientPayloadLimit)

    /// Starts the private daemon.
    private init(_ installation: Installation) throws {
        let ends = try UnixSocket.Pair(.stream).shared()
        socket = ends.first
        daemon = try ChildProcess.start(
            ProcessFacts.executablePath(),
            arguments: ["--connection", "3"] + installation.arguments,
            socket: ends.second,
            isSilent: true
        )
    }

    /// Returns the apps that cannot be used, each with the reason, the other mistakes that a reload reports, and schedules
    /// that name what does not exist.
    static func problems(in installation: Installation, _ schedules: [ScheduleFile.Target]) throws -> [String] {
        var check = try CatalogCheck(installation)
        defer { check.end() }
        guard case .hello = try check.ask(.hello(Hello(software: "intentd --check"))),
            case .apps(let apps) = try check.ask(.list)
        else { throw DaemonEnded() }
        let broken =
            apps.compactMap { app in app.problem.map { "\(app.name): \($0)" } }
            + schedules.flatMap { problems(of: $0, in: apps) }
        // intentd-command itself reports the warnings about its files.
        let warnings = apps.filter { !$0.executable.hasSuffix(utf8: "/intentd-command") }.flatMap(\.warnings)
            .map { ConfigurationCheck.warningPrefix + $0 }
        // A reload is refused for a mistake in a file, which the check of the files has reported.
        guard case .reloaded(let report) = try check.ask(.reload) else { return broken + warnings }
        let known = Set(apps.flatMap(\.warnings))
        return broken + report.warnings.filter { !known.contains($0) && !broken.contains($0) } + warnings
    }

    private static func problems(of schedule: ScheduleFile.Target, in apps: [AppDescription]) -> [String] {
        var problems: [String] = []
        if let user = schedule.user, Accounts.user(user) == nil { problems.append("unknown user '\(user)'") }
        if let app = apps.first(where: { $0.name == schedule.app }) {
            if app.problem == nil, app.intent(named: schedule.intent) == nil {
                problems.append("the app '\(app.name)' has no intent '\(schedule.intent)'")
            }
        } else {
            problems.append("no app with the name '\(schedule.app)' can be used")
        }
        return problems.map { "schedule \(schedule.name): \($0); correct it with 'intentctl schedule'" }
    }

    private mutating func ask(_ request: ClientRequest) throws -> ClientAnswer {
        let frame = try Frame.encode(
            WireCoding.encode(NumberedRequest(id: 1, request)),
            limit: Frame.clientPayloadLimit
        )
        try File.write(socket.rawValue, frame[...])
        while true {
            while let payload = try decoder.next() {
                if case .answer(_, let answer) = try WireCoding.decode(ClientMessage.self, from: payload) {
                    return answer
                }
            }
            guard let bytes = try File.read(socket.rawValue, upTo: 64 << 10), !bytes.isEmpty else {
                throw DaemonEnded()
            }
            decoder.append(bytes)
        }
    }

    private func end() {
        shutdown(socket.rawValue, Int32(SHUT_RDWR))
        _ = daemon.waitForEnd()
    }

    private struct DaemonEnded: Error, CustomStringConvertible {
        var description: String {
            "the daemon that asks the apps for their intents ended; 'intentd --connection 3 3<>/dev/null' shows the reason"
        }
    }
}
