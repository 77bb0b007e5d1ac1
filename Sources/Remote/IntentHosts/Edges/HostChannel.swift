import IntentAPI
import IntentClient
import IntentLinux
import IntentProtocol

/// Why a call over a channel has no result.
enum ChannelFailure: Error {
    /// The channel was lost. Another channel can repeat the call.
    case lost
    /// The server refused the call. The channel remains usable.
    case refused(ErrorReport)
    /// The call cannot succeed, and the state of the channel is unknown.
    case failed(IntentClientError)
    /// The client that sent the request has left.
    case abandoned
}

/// A connection to the HTTP API of another host, over ssh.
// SAFETY: `HostConnection` hands each channel to one thread at a time — it removes the channel from its list first.
final class HostChannel: @unchecked Sendable {
    private static let readByteCount = 256 << 10
    private static let answerByteLimit = 4 << 20

    let ssh: SSHProcess
    /// The name of the host, for errors.
    private let host: String
    /// The number of times that the link was restored before this channel was opened.
    var generation: Int
    /// The session of the server.
    private(set) var session = ""
    private var authorization = ""
    private var reader = ResponseReader()
    private let buffer = ReceiveBuffer(byteCount: readByteCount)

    init(_ ssh: SSHProcess, host: String, generation: Int) {
        self.ssh = ssh
        self.host = host
        self.generation = generation
    }

    // MARK: Beginning

    /// Exchanges the first lines.
    ///
    /// - Parameter known: The session to continue; nil for a new one.
    func begin(_ opening: SessionOpening, known: SessionAnswer?) throws(ChannelFailure) -> SessionAnswer {
        try write(WireCoding.encode(opening) + [UInt8(ascii: "\n")])
        let line = try readLine()
        // Noise of a shell is not JSON, and neither is a part of a line at the end of the stream.
        guard var answer = try? WireCoding.decode(SessionAnswer.self, from: line) else {
            throw .failed(HostStart.noise(String(foreign: line), from: host))
        }
        guard answer.version == SessionAnswer.currentVersion else {
            throw .failed(HostStart.versions(answer.software, answer.version, on: host))
        }
        if let error = answer.error {
            throw .failed(IntentClientError(error.code, "'\(host)': \(error.message)", hint: error.hint))
        }
        if answer.session != nil, answer.session == known?.session { answer.authorization = known?.authorization }
        guard let session = answer.session, let authorization = answer.authorization else {
            throw .failed(violation(ResponseViolation("the answer names no session")))
        }
        (self.session, self.authorization) = (session, authorization)
        return answer
    }

    private func readLine() throws(ChannelFailure) -> [UInt8] {
        var line: [UInt8] = []
        while let bytes = try read() {
            line += bytes
            if let end = line.firstIndex(of: UInt8(ascii: "\n")) {
                reader.append(Array(line[(end + 1)...]))
                return Array(line[..<end])
            }
            if line.count > SessionAnswer.byteLimit { return line }
        }
        throw .lost
    }

    // MARK: Calls

    /// Sends a call with a body in memory, and returns the whole answer.
    func answer(to call: HostCall, from software: String) throws(ChannelFailure) -> (head: ResponseHead, body: [UInt8])
    {
        try send(call, from: software)
        return try answer()
    }

    /// Sends a call. The caller then reads the response.
    func send(_ call: HostCall, from software: String) throws(ChannelFailure) {
        try sendHead(of: call, from: software, bodyByteCount: UInt64(call.body.count), and: call.body)
    }

    /// Sends a call without its body, which the caller writes.
    func sendHead(
        of call: HostCall,
        from software: String,
        bodyByteCount: UInt64,
        and body: [UInt8] = []
    ) throws(ChannelFailure) {
        reader.answersHead = call.method == "HEAD"
        try write(call.head(authorization: authorization, software: software, bodyByteCount: bodyByteCount) + body)
    }

    func write(_ bytes: [UInt8]) throws(ChannelFailure) {
        do throws(SystemError) {
            try File.write(ssh.socket.rawValue, bytes[...])
        } catch {
            throw .lost
        }
    }

    /// Reads the head of a response.
    ///
    /// - Throws: ``ChannelFailure/refused(_:)`` for a response with an error, after its end.
    func head() throws(ChannelFailure) -> ResponseHead {
        guard case .head(let head) = try part() else { throw .failed(violation(ResponseViolation("expected a head"))) }
        guard head.status >= 400 else { return head }
        let body = try wholeBody()
        guard let problem = try? WireCoding.decode(Problem.self, from: body) else {
            let text = SafeText.line(String(foreign: Array(body.prefix(200))))
            throw .refused(ErrorReport(.noDaemon, "'\(host)' answered with status \(head.status): \(text)"))
        }
        throw .refused(problem.report)
    }

    /// Reads the whole response.
    func answer() throws(ChannelFailure) -> (head: ResponseHead, body: [UInt8]) { (try head(), try wholeBody()) }

    /// Returns the next bytes of the body; nil at its end.
    func body() throws(ChannelFailure) -> [UInt8]? {
        switch try part() {
        case .body(let bytes): return bytes
        case .end: return nil
        case .head: throw .failed(violation(ResponseViolation("expected a body")))
        }
    }

    private func wholeBody() throws(ChannelFailure) -> [UInt8] {
        var whole: [UInt8] = []
        while let bytes = try body() {
            whole += bytes
            guard whole.count <= Self.answerByteLimit else {
                throw .failed(violation(ResponseViolation("an answer is too long")))
            }
        }
        return whole
    }

    private func part() throws(ChannelFailure) -> ResponseReader.Part {
        while true {
            do throws(ResponseViolation) {
                if let part = try reader.next() { return part }
            } catch {
                throw .failed(violation(error))
            }
            guard let bytes = try read() else { throw .lost }
            reader.append(bytes)
        }
    }

    /// Reads available bytes; nil at the end of the stream.
    private func read() throws(ChannelFailure) -> [UInt8]? {
        let bytes = (try? File.read(ssh.socket.rawValue, upTo: Self.readByteCount, by: buffer)) ?? nil
        return bytes?.isEmpty == false ? bytes : nil
    }

    func violation(_ violation: ResponseViolation) -> IntentClientError {
        IntentClientError(
            .protocolViolation,
            "'\(host)' violated HTTP: \(violation)",
            hint: "install the same version on both hosts"
        )
    }
}

/// The members of `application/problem+json` that an error report has.
private struct Problem: Decodable {
    var code: ErrorReport.Code
    var detail: String
    var hint: String?
    var retryAfterMilliseconds: Int64?

    var report: ErrorReport {
        var report = ErrorReport(code, detail, hint: hint)
        report.retryAfter = retryAfterMilliseconds.map { .milliseconds($0) }
        return report
    }
}
