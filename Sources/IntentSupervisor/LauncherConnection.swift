import IntentDaemon
import IntentLinux
import IntentSystemd
import IntentWire

/// The connection to the launcher.
///
/// Belongs to the loop's thread.
final class LauncherConnection {
    /// The launcher continues when this `intentd` ends, and waits for the next one.
    let outlivesUs: Bool
    private let descriptor: SharedFileDescriptor
    private let journal: Journal
    private var socket: LaunchSocket?

    init(_ descriptor: SharedFileDescriptor, outlivesUs: Bool, journal: Journal) {
        self.descriptor = descriptor
        self.outlivesUs = outlivesUs
        self.journal = journal
    }

    /// Says hello, and begins to receive reports.
    ///
    /// - Parameter ended: Receives the reason why no more reports come. A launcher of another version counts as gone.
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
                if case .hello(let hello, _, _) = report, hello.protocolVersion != Hello.currentVersion {
                    return ended("it speaks version \(hello.protocolVersion) of the launcher protocol")
                }
                received(report, descriptors)
            },
            ended: ended
        )
        send(.hello(Hello(software: "intentd \(Hello.softwareVersion)")))
    }

    /// The process that created the socket or listens on it; nil when the kernel does not tell.
    var peerProcess: Int32? { try? UnixSocket.peer(of: descriptor.rawValue).process }

    func reportLoss(_ reason: String) { journal.write(.error, "lost the launcher: \(reason)", .launcherLost) }

    /// Ignores a report of what was adopted before.
    func reportRepetition() {
        journal.write(.warning, "the launcher reports again what was adopted before, ignoring it")
    }

    func send(_ command: LaunchCommand, descriptors: [SharedFileDescriptor] = []) {
        socket?.send(command, descriptors: descriptors)
    }
}
