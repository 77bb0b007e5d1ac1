import Glibc
import IntentClient
import IntentCommandLine
import IntentLinux
import IntentProtocol
import Synchronization

/// A client of a ``HostConnection``: reads its requests from a socket, and answers them with the HTTP API of the host.
final class HostClient: Sendable {
    /// A request of the client.
    struct Request: Sendable {
        var id: UInt64
        var type: String
        /// The other members.
        var members: [String: JSONValue]
        var files: [SharedFileDescriptor]
    }

    private struct State {
        /// The name and version of the client.
        var software = ""
        var hasLeft = false
        /// The ssh processes of the runs that the client follows.
        var following: [ObjectIdentifier: SSHProcess] = [:]
    }

    let host: HostConnection
    private let socket: SharedFileDescriptor
    private let sending = Mutex(())
    private let state = Mutex(State())

    init(_ socket: SharedFileDescriptor, of host: HostConnection) {
        self.socket = socket
        self.host = host
    }

    var software: String { state.withLock(\.software) }
    var hasLeft: Bool { state.withLock(\.hasLeft) }

    func disconnect() { UnixSocket.shutDown(socket.rawValue) }

    // MARK: Requests

    /// Reads requests until the client closes the connection.
    func readRequests() {
        var frames = RequestFrames()
        do throws(IntentClientError) {
            while let (bytes, files) = receive() {
                frames.append(bytes, files)
                while let frame = try frames.next() { handle(frame.payload, frame.files) }
            }
        } catch {
            send(.answer(id: nil, .refused(ErrorReport(error.code, error.message))))
        }
        leave()
        disconnect()
    }

    /// Ends the streams of the client's runs.
    func leave() {
        let following = state.withLock { state in
            state.hasLeft = true
            return Array(state.following.values)
        }
        for process in following { process.disconnect() }
    }

    private func receive() -> ([UInt8], [SharedFileDescriptor])? {
        while true {
            // An error is treated as the end: the client notices it, too.
            let received = try? UnixSocket.receive(
                from: socket.rawValue,
                upTo: 64 << 10,
                descriptorLimit: Frame.descriptorLimit
            )
            switch received {
            case .message(let bytes, let files)?: return (bytes, files)
            case .wouldBlock?: wait(for: POLLIN)
            case .truncated?, .end?, nil: return nil
            }
        }
    }

    private func wait(for event: Int32) {
        var ready = pollfd(fd: socket.rawValue, events: Int16(event), revents: 0)
        _ = poll(&ready, 1, -1)
    }

    private func handle(_ payload: [UInt8], _ files: [SharedFileDescriptor]) {
        guard case .object(var members)? = try? WireCoding.decode(JSONValue.self, from: payload, as: .value),
            let id = NumberedRequest.id(in: payload), case .string(let type)? = members["type"]
        else { return send(.answer(id: nil, .refused(ErrorReport(.badRequest, "the request is invalid")))) }
        let fileCount = members["files"]
        for name in ["id", "type", "files"] { members[name] = nil }
        switch type {
        case "hello":
            if case .string(let software)? = members["software"] { state.withLock { $0.software = software } }
            send(.answer(id: id, .hello(Hello(software: "intentd"))))
        case "files":
            // The files wait for the request to perform an intent.
            if case .int(let count)? = fileCount { send(.answer(id: id, .filesReceived(count: Int(count)))) }
        default:
            let request = Request(id: id, type: type, members: members, files: files)
            do throws(SystemError) {
                try host.start { self.serve(request) }
            } catch {
                refuse(id, ErrorReport(.busy, "cannot start a thread: \(error)", hint: "raise 'ulimit -u'"))
            }
        }
    }

    private func serve(_ request: Request) {
        do throws(ChannelFailure) {
            switch request.type {
            case "perform": try perform(request)
            case "watch": try watch(request)
            default: try pass(request)
            }
        } catch {
            switch error {
            case .refused(let report): refuse(request.id, report)
            case .failed(let error): refuse(request.id, ErrorReport(error.code, error.message, hint: error.hint))
            case .abandoned, .lost: break
            }
        }
    }

    /// Passes a request on, and its answer back.
    private func pass(_ request: Request) throws(ChannelFailure) {
        let uploads = request.files.map { Upload($0, reportingTo: host) }
        var files: [SharedFileDescriptor] = []
        var received: FileDownloads?
        let body = try host.exchange { channel throws(ChannelFailure) in
            var names: [String] = []
            for upload in uploads { names.append(try upload.store(over: channel, from: self.software)) }
            guard let call = HostCall.passing(request.type, request.members, files: names) else {
                throw .refused(ErrorReport(.unknownRequest, "unknown request '\(SafeText.line(request.type))'"))
            }
            var answer = received?.answer
            if answer == nil {
                let response = try channel.answer(to: call, from: self.software)
                answer = try self.message(response, of: request, channel)
                received = try FileDownloads(of: answer ?? [], channel)
            }
            files = try received?.receive(over: channel, from: self.software) ?? []
            return answer ?? []
        }
        send(payload: Self.numbered(body, request.id), files)
    }

    /// Returns the message in a response.
    private func message(
        _ response: (head: ResponseHead, body: [UInt8]),
        of request: Request,
        _ channel: HostChannel
    ) throws(ChannelFailure) -> [UInt8] {
        if request.type == "metrics" {
            return WireCoding.encode(ClientAnswer.metrics(text: String(foreign: response.body)))
        }
        guard response.body.count > 2, response.body.first == UInt8(ascii: "{") else {
            throw .failed(channel.violation(ResponseViolation("expected an object")))
        }
        return response.body
    }

    // MARK: Following runs

    /// Calls a closure with a channel, which is closed when the client leaves.
    func follow<Result>(
        _ body: (HostChannel) throws(ChannelFailure) -> Result
    ) throws(ChannelFailure) -> Result {
        try host.exchange(isAbandoned: { self.hasLeft }) { channel throws(ChannelFailure) in
            let key = ObjectIdentifier(channel.ssh)
            let hasLeft = self.state.withLock { state in
                state.following[key] = channel.ssh
                return state.hasLeft
            }
            defer { self.state.withLock { _ = $0.following.removeValue(forKey: key) } }
            if hasLeft { throw .abandoned }
            return try body(channel)
        }
    }

    // MARK: Messages

    /// Adds the number of a request to an answer.
    static func numbered(_ answer: [UInt8], _ id: UInt64) -> [UInt8] {
        Array("{\"id\":\(id),".utf8) + answer.dropFirst()
    }

    func refuse(_ id: UInt64, _ report: ErrorReport) { send(.answer(id: id, .refused(report))) }

    func send(_ message: ClientMessage) { send(payload: WireCoding.encode(message)) }

    func send(payload: [UInt8], _ files: [SharedFileDescriptor] = []) {
        guard let frame = try? Frame.encode(payload, limit: Frame.clientPayloadLimit) else { return disconnect() }
        sending.withLock { _ in
            var sentCount = 0
            while sentCount < frame.count {
                do throws(SystemError) {
                    let attached = sentCount == 0 ? files : []
                    if let count = try UnixSocket.send(frame[sentCount...], descriptors: attached, on: socket.rawValue)
                    {
                        sentCount += count
                    } else {
                        wait(for: POLLOUT)
                    }
                } catch {
                    // The client has closed the connection.
                    return
                }
            }
        }
    }
}
