import IntentLinux
import IntentSystemd
import IntentWire

/// The launcher's end of the socket to `intentd`: commands in, reports out, one record each.
final class SupervisorLink {
    private let socket: RecordSocket

    /// `received` gets each command, `pause` follows the last of those that came together, and `lost` gets the end of the
    /// connection with its reason.
    init(
        _ descriptor: SharedFileDescriptor,
        on loop: EventLoop,
        received: @escaping (LaunchCommand, [SharedFileDescriptor]) -> Void,
        pause: @escaping () -> Void,
        lost: @escaping (String) -> Void
    ) throws(SystemError) {
        socket = try RecordSocket(
            descriptor,
            on: loop,
            recordLimit: Frame.recordLimit,
            descriptorLimit: 1,
            received: { record, descriptors in
                do {
                    let command = try WireCoding.decode(LaunchCommand.self, from: Frame.decode(record: record))
                    received(command, descriptors)
                } catch {
                    lost("intentd sent an invalid command: \(error)")
                }
            },
            ended: { end in lost("intentd disconnected: \(end)") }
        )
        socket.together = { receive in
            receive()
            pause()
        }
    }

    /// Receives the commands that were sent before the end.
    func drain() { socket.drain() }

    func send(_ report: LaunchReport, descriptors: [SharedFileDescriptor] = []) {
        do {
            let limit = Frame.recordLimit - Frame.headerByteCount
            socket.send(try Frame.encode(WireCoding.encode(report), limit: limit), descriptors: descriptors)
        } catch {
            preconditionFailure("a report is bounded by what the launcher puts in: \(error)")
        }
    }
}
