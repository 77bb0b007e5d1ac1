import IntentLinux
import IntentSystemd
import IntentWire

/// The supervisor's end of the socket to the launcher: commands out, reports in.
///
/// Belongs to the loop's thread.
final class LauncherLink {
    private let socket: RecordSocket

    /// `received` gets each report with its descriptors, and `lost` the end of the connection.
    init(
        _ descriptor: SharedFileDescriptor,
        on loop: EventLoop,
        received: @escaping (LaunchReport, [SharedFileDescriptor]) -> Void,
        lost: @escaping (String) -> Void
    ) throws(SystemError) {
        socket = try RecordSocket(
            descriptor,
            on: loop,
            recordLimit: Frame.recordLimit,
            descriptorLimit: Frame.descriptorLimit,
            received: { record, descriptors in
                do {
                    let payload = try Frame.decode(record: record)
                    received(try WireCoding.decode(LaunchReport.self, from: payload), descriptors)
                } catch {
                    lost("the launcher sent what is no report: \(error)")
                }
            },
            ended: { end in lost("\(end)") }
        )
        send(.hello(Hello(software: "intentd \(Hello.softwareVersion)")))
    }

    /// True for a command that fits into one record; what a worker named may be larger.
    static func fits(_ command: LaunchCommand) -> Bool {
        WireCoding.encode(command).count <= Frame.recordLimit - Frame.headerByteCount
    }

    func send(_ command: LaunchCommand, descriptors: [SharedFileDescriptor] = []) {
        do {
            let limit = Frame.recordLimit - Frame.headerByteCount
            socket.send(try Frame.encode(WireCoding.encode(command), limit: limit), descriptors: descriptors)
        } catch {
            preconditionFailure("a command is bounded by what was checked before: \(error)")
        }
    }
}
