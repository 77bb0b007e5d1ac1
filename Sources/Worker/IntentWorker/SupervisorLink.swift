import Glibc
package import IntentLinux
package import IntentSharedTypes
package import IntentWorkerMessages

/// The socket between a worker and `intentd`, which is descriptor 3. Each record contains one frame.
package struct SupervisorLink: Sendable {
    package enum Received {
        case command(WorkerCommand, [SharedFileDescriptor])
        case nothing
        case end
    }

    package static let descriptor: Int32 = 3

    package init() {
        // Programs that the app starts must not inherit the socket, because they could then send reports.
        guard fcntl(Self.descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            WorkerExitStatus.protocolViolation(
                "descriptor 3 is not open, but INTENTD_MODE is set: only intentd may set it"
            )
        }
    }

    /// Sends a report and its descriptors.
    ///
    /// - Returns: False if the socket is full and the call does not block.
    @discardableResult
    package func send(
        _ report: WorkerReport,
        descriptors: [SharedFileDescriptor] = [],
        waiting: UnixSocket.Waiting = .untilSent
    ) throws(FrameError) -> Bool {
        let limit = Frame.recordLimit - Frame.headerByteCount
        let frame = try Frame.encode(WireCoding.encode(report), limit: limit)
        do {
            while true {
                let sent = try UnixSocket.send(
                    frame[...],
                    descriptors: descriptors,
                    on: Self.descriptor,
                    waiting: waiting
                )
                guard sent == nil, case .untilSent = waiting else { return sent != nil }
                // The app's code can have made the socket non-blocking. Without this report, its run would never end.
                var room = pollfd(fd: Self.descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&room, 1, -1)
            }
        } catch {
            switch error.code.rawValue {
            case EPIPE, ECONNRESET, ENOTCONN: WorkerExitStatus.supervisorExited()
            default: WorkerExitStatus.protocolViolation("cannot send a report to intentd: \(error)")
            }
        }
    }

    /// True if a command is ready to be received.
    package var hasInput: Bool {
        var source = pollfd(fd: Self.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&source, 1, 0) != 0
    }

    package func receive(waiting: UnixSocket.Waiting) -> Received {
        do {
            guard let byteCount = try UnixSocket.nextRecordByteCount(on: Self.descriptor, waiting: waiting) else {
                return .nothing
            }
            let received = try UnixSocket.receive(
                from: Self.descriptor,
                // Allocate only the size of this record. A buffer for the largest possible record would be mapped and
                // unmapped each time.
                upTo: min(max(byteCount, 1), Frame.recordLimit),
                descriptorLimit: Frame.descriptorLimit,
                waiting: waiting
            )
            switch received {
            case .message(let record, let descriptors):
                let command = try WireCoding.decode(WorkerCommand.self, from: try Frame.decode(record: record))
                return .command(command, descriptors)
            case .truncated:
                WorkerExitStatus.protocolViolation("a command from intentd exceeds the size limit")
            case .wouldBlock: return .nothing
            case .end: return .end
            }
        } catch let error as SystemError where error.code.rawValue == ECONNRESET {
            return .end
        } catch {
            WorkerExitStatus.protocolViolation("cannot read a command from intentd: \(error)")
        }
    }
}
