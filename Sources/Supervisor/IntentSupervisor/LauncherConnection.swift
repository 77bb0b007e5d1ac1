import IntentDaemon
import IntentLauncherMessages
import IntentLinux
import IntentSystemd

/// The connection to the launcher.
///
/// Must be used only on the event loop's thread.
final class LauncherConnection {
    /// True if the launcher outlives this `intentd` and waits for the next `intentd`.
    let outlivesSupervisor: Bool
    /// Why the launcher cannot make its folders again; nil while no problem is known.
    var problem: String?
    private let descriptor: SharedFileDescriptor
    private let journal: Journal
    private var socket: LaunchSocket?

    init(_ descriptor: SharedFileDescriptor, outlivesSupervisor: Bool, journal: Journal) {
        self.descriptor = descriptor
        self.outlivesSupervisor = outlivesSupervisor
        self.journal = journal
    }

    /// Sends `hello` and starts to receive reports.
    ///
    /// - Parameter ended: Called with the reason when the connection ends, or when the launcher uses another version of
    ///   the protocol.
    func start(
        on loop: EventLoop,
        received: @escaping (LaunchReport, [SharedFileDescriptor]) -> Void,
        ended: @escaping (String) -> Void
    ) throws(SystemError) {
        socket = try LaunchSocket(
            descriptor,
            on: loop,
            descriptorLimit: Frame.descriptorLimit,
            received: { payload, descriptors in
                let report = try WireCoding.decode(LaunchReport.self, from: payload)
                if case .hello(let hello, _, _, _) = report, hello.protocolVersion != Hello.currentVersion {
                    return ended("it uses version \(hello.protocolVersion) of the launcher protocol")
                }
                received(report, descriptors)
            },
            ended: ended
        )
        send(.hello(Hello(software: "intentd \(Hello.softwareVersion)")))
    }

    /// The pid of the process that created the socket or listens on it; nil if the kernel does not report the pid.
    var peerProcess: Int32? { try? UnixSocket.peer(of: descriptor.rawValue).process }

    func reportLoss(_ reason: String) { journal.write(.error, "lost the launcher: \(reason)", .launcherLost) }

    /// Logs that an adoption report is ignored, because the launcher sent it a second time.
    func reportRepetition() {
        journal.write(.warning, "ignored a repeated report from the launcher")
    }

    /// Receives the reports that have arrived, which include every refused connection of a worker that has finished.
    func drain() { socket?.drain() }

    func send(_ command: LaunchCommand, descriptors: [SharedFileDescriptor] = []) {
        socket?.send(command, descriptors: descriptors)
    }
}
