import Glibc
import IntentClient
import IntentLinux
package import IntentProtocol

/// The relay, which ssh starts on the other host. Copies frames and files between the link on its standard input and
/// output and intentd's socket.
///
/// The relay has the permissions of the user who logged in, and adds no requests to those from the user's end.
package final class RelayServer {
    /// How long the session waits for another link after a link is lost.
    private static let patience: Duration = .seconds(90)

    private let end: RelayEnd
    private let socketPath: String
    private let software: String
    private var session: RelaySession?
    private var listener: SharedFileDescriptor?
    /// The time at which the session ends unless another link is established; nil while a link exists.
    private var abandonAt: Duration?
    /// The socket over which this relay passed its link to another relay. The other relay closes it when the link ends.
    private var holder: SharedFileDescriptor?

    /// - Parameter socket: The path of intentd's socket.
    package init(socket: String, software: String) {
        end = RelayEnd(.relay, peerName: "the other end")
        socketPath = socket
        self.software = software
    }

    /// Serves one session until it ends.
    ///
    /// - Returns: The error if the session failed; nil otherwise.
    package func serve(input: Int32, output: Int32) -> ErrorReport? {
        do throws(SystemError) {
            let link = try RelayLink(
                input: SharedFileDescriptor(owning: input),
                output: SharedFileDescriptor(owning: output),
                at: RelayEnd.now
            )
            end.attach(link)
        } catch {
            return ErrorReport(.badRequest, "cannot use standard input and output: \(error)")
        }
        while true {
            let others = listener.map { [pollfd(fd: $0.rawValue, events: Int16(POLLIN), revents: 0)] } ?? []
            let ready = end.step(others, until: abandonAt)
            if ready.first?.revents ?? 0 != 0 { acceptLink() }
            for event in end.drainEvents() {
                do throws(Ending) {
                    try handle(event)
                } catch {
                    end.flush(for: .seconds(2))
                    return error.problem
                }
            }
            if let holder {
                end.detach()
                TakeoverSocket.waitForEnd(of: holder)
                return nil
            }
            if let abandonAt, RelayEnd.now >= abandonAt { return nil }
        }
    }

    /// An error that ends the session. `problem` is nil unless the session failed.
    private struct Ending: Error {
        var problem: ErrorReport?
    }

    private func handle(_ event: RelayEnd.Event) throws(Ending) {
        switch event {
        case .hello(let hello): try greet(hello)
        case .connect(let channel): try connect(channel)
        case .linkEnded:
            // Before the hello message, no session exists that another link could continue.
            guard session != nil else { throw Ending() }
            abandonAt = RelayEnd.now + Self.patience
        case .ended(let problem):
            end.sendPacket(.refusal(problem))
            throw Ending(problem: problem)
        case .finished: throw Ending()
        case .welcome, .opened, .refused: preconditionFailure("only the user's end receives the relay's answers")
        }
    }

    private func greet(_ hello: RelayHello) throws(Ending) {
        guard hello.version == RelayHello.currentVersion else {
            let problem = ErrorReport(
                ErrorReport.Code.versionMismatch,
                "\(hello.software) uses version \(hello.version) of the relay protocol, but \(software) on this host "
                    + "uses version \(RelayHello.currentVersion)",
                hint: "install the same version on both hosts"
            )
            end.sendPacket(.refusal(problem))
            throw Ending(problem: problem)
        }
        if hello.session != nil, let link = end.link {
            // Write the preamble first. The relay that owns the session continues with its `welcome`.
            end.flush(for: .seconds(2))
            holder = TakeoverSocket.passLink(hello, input: link.input, output: link.output)
            if holder != nil { return }
        }
        let session = RelaySession()
        do throws(SystemError) {
            listener = try TakeoverSocket.listen(for: session)
        } catch {
            let problem = ErrorReport(.badRequest, "cannot listen for further links: \(error)")
            end.sendPacket(.refusal(problem))
            throw Ending(problem: problem)
        }
        self.session = session
        end.sendPacket(.welcome(RelayHello(software: software, session: session)))
        try resume(peerReceived: 0)
    }

    /// Continues the session on a link that another relay passes to this relay.
    private func acceptLink() {
        guard let listener, let session, let (hello, link) = TakeoverSocket.acceptLink(on: listener, for: session)
        else {
            return
        }
        abandonAt = nil
        end.attach(link)
        end.sendPacket(
            .welcome(RelayHello(software: software, session: session, receivedCount: end.stream.receivedCount))
        )
        do throws(Ending) {
            try resume(peerReceived: hello.receivedCount)
        } catch {
            end.report(.ended(error.problem ?? ErrorReport(.protocolViolation, "the session cannot continue")))
        }
    }

    private func resume(peerReceived count: UInt64) throws(Ending) {
        do throws(RelayViolation) {
            try end.resume(peerReceived: count)
        } catch {
            throw Ending(problem: ErrorReport(.protocolViolation, "\(error)"))
        }
    }

    private func connect(_ channel: UInt32) throws(Ending) {
        var problem: ErrorReport?
        do throws(SystemError) {
            let socket = SharedFileDescriptor(try UnixSocket.connect(.stream, to: socketPath))
            try socket.setNonblocking()
            end.adopt(socket, as: channel)
        } catch {
            let failure = IntentClientError(connecting: socketPath, .path(socketPath), failed: error)
            problem = ErrorReport(failure.code, failure.message, hint: failure.hint)
        }
        do throws(RelayViolation) {
            if let problem { try end.refuse(channel, problem) } else { try end.sendOpened(channel) }
        } catch {
            throw Ending(problem: ErrorReport(.protocolViolation, "\(error)"))
        }
    }
}
