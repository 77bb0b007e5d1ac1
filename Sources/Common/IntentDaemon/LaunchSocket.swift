package import IntentLauncherMessages
package import IntentLinux
package import IntentSystemd

/// One end of the connection between intentd and its launcher, or between a launcher and intentd-egress. Each record
/// contains one frame.
///
/// Use an instance only on the loop's thread.
package final class LaunchSocket {
    private let socket: RecordSocket

    /// - Parameters:
    ///   - received: Called with the payload and descriptors of each record. If it throws, the connection ends.
    ///   - pause: Called after all records of a batch have been delivered.
    ///   - ended: Called with the reason when the connection ends.
    package init(
        _ descriptor: SharedFileDescriptor,
        on loop: EventLoop,
        descriptorLimit: Int,
        received: @escaping ([UInt8], [SharedFileDescriptor]) throws -> Void,
        pause: (() -> Void)? = nil,
        ended: @escaping (String) -> Void
    ) throws(SystemError) {
        socket = try RecordSocket(
            descriptor,
            on: loop,
            recordLimit: Frame.recordLimit,
            descriptorLimit: descriptorLimit,
            received: { record, descriptors in
                do {
                    try received(Frame.decode(record: record), descriptors)
                } catch {
                    ended("received an invalid message: \(error)")
                }
            },
            ended: { end in ended("\(end)") }
        )
        guard let pause else { return }
        socket.batch = { receive in
            receive()
            pause()
        }
    }

    /// Receives all pending records from a peer that has exited.
    package func drain() { socket.drain() }

    package func send(_ command: LaunchCommand, descriptors: [SharedFileDescriptor] = []) {
        send(payload: WireCoding.encode(command), descriptors)
    }

    package func send(_ report: LaunchReport, descriptors: [SharedFileDescriptor] = []) {
        send(payload: WireCoding.encode(report), descriptors)
    }

    package func send(_ command: EgressCommand, descriptors: [SharedFileDescriptor] = []) {
        send(payload: WireCoding.encode(command), descriptors)
    }

    package func send(_ report: EgressReport) { send(payload: WireCoding.encode(report), []) }

    /// Returns true if the command fits into one record. A worker can request paths of any length.
    package static func fits(_ command: LaunchCommand) -> Bool {
        WireCoding.encode(command).count <= payloadLimit
    }

    private static let payloadLimit = Frame.recordLimit - Frame.headerByteCount

    // Inline this function into both callers, because it is called for every run.
    @inline(__always)
    private func send(payload: [UInt8], _ descriptors: [SharedFileDescriptor]) {
        do {
            socket.send(try Frame.encode(payload, limit: Self.payloadLimit), descriptors: descriptors)
        } catch {
            preconditionFailure("a message to or from the launcher exceeds the maximum size of a record: \(error)")
        }
    }
}
