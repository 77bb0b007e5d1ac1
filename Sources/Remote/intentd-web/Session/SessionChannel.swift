import Glibc
import IntentAPI
import IntentLinux
import IntentProtocol

/// A channel of `intentctl --host`: HTTP on standard input and output, as a connection to the socket of a session's server.
///
/// A session is a private server. Its first channel starts it, and further ones find its socket, so that a session
/// continues when ssh is replaced.
enum SessionChannel {
    private static let partByteCount = 128 << 10

    /// Reads the client's first line. Serves the session that it names, if that exists, until the channel ends.
    ///
    /// - Returns: False if a new session must begin.
    static func servesKnownSession() throws(WebSessionError) -> Bool {
        let line = readLine()
        guard let opening = try? WireCoding.decode(SessionOpening.self, from: line) else {
            throw refuse(
                ErrorReport(.protocolViolation, "expected a line of 'intentctl --host'", hint: "use 'intentctl --host'")
            )
        }
        guard opening.version == SessionAnswer.currentVersion else {
            throw refuse(
                ErrorReport(
                    ErrorReport.Code(rawValue: "versionMismatch"),
                    "\(SafeText.line(opening.software)) uses version \(opening.version) of sessions over ssh, but "
                        + "\(APICaller.program) uses version \(SessionAnswer.currentVersion)",
                    hint: "install the same version on both hosts"
                )
            )
        }
        guard let session = opening.session, SessionAnswer.isSession(session),
            let socket = connect(to: OpeningFile.privateFolder(named: session) + "/http.sock")
        else { return false }
        answer(SessionAnswer(software: APICaller.program, session: session))
        copy(to: socket)
        return true
    }

    /// Connects to the socket of a session; nil if its server has ended, or is of another user.
    private static func connect(to path: String) -> SharedFileDescriptor? {
        guard let socket = try? UnixSocket.connect(.stream, to: path),
            (try? UnixSocket.peer(of: socket.rawValue))?.user == geteuid()
        else { return nil }
        return SharedFileDescriptor(socket)
    }

    /// Begins a session with this process as its server, which must already listen.
    static func begin(_ session: String, authorization: String, at path: String) throws(SystemError) {
        let socket = SharedFileDescriptor(try UnixSocket.connect(.stream, to: path))
        answer(SessionAnswer(software: APICaller.program, session: session, authorization: authorization))
        try DetachedThread.start { copy(to: socket) }
    }

    /// Copies bytes between the standard streams and the server until either has ended. Closes both.
    private static func copy(to socket: SharedFileDescriptor) {
        do throws(SystemError) {
            try DetachedThread.start {
                copy(from: socket.rawValue, to: 1)
                end(socket)
            }
        } catch {
            return end(socket)
        }
        copy(from: 0, to: socket.rawValue)
        end(socket)
    }

    private static func end(_ socket: SharedFileDescriptor) {
        UnixSocket.shutDown(socket.rawValue)
        // Under sshd, the standard streams are one socket. The other thread may be waiting for its bytes.
        for stream: Int32 in [0, 1] {
            UnixSocket.shutDown(stream)
            replaceByNothing(stream)
        }
    }

    private static func replaceByNothing(_ stream: Int32) {
        guard let null = try? File.open("/dev/null", O_RDWR) else { return }
        _ = dup2(null.rawValue, stream)
    }

    private static func copy(from source: Int32, to target: Int32) {
        let buffer = ReceiveBuffer(byteCount: partByteCount)
        // An error is the end of a stream.
        while let bytes = (try? File.read(source, upTo: partByteCount, by: buffer)) ?? nil, !bytes.isEmpty {
            guard (try? File.write(target, bytes[...])) != nil else { return }
        }
    }

    // MARK: Lines

    private static func readLine() -> [UInt8] {
        var line: [UInt8] = []
        // Read no byte of HTTP, which follows.
        while line.count < SessionAnswer.byteLimit, let byte = (try? File.read(0, upTo: 1)) ?? nil, !byte.isEmpty {
            if byte == [UInt8(ascii: "\n")] { break }
            line += byte
        }
        return line
    }

    private static func answer(_ answer: SessionAnswer) {
        // An error is noticed when HTTP is read.
        _ = try? File.write(1, (WireCoding.encode(answer) + [UInt8(ascii: "\n")])[...])
    }

    private static func refuse(_ error: ErrorReport) -> WebSessionError {
        answer(SessionAnswer(software: APICaller.program, error: error))
        return WebSessionError(description: error.message)
    }
}

/// A channel that cannot begin. Its client has received the reason.
struct WebSessionError: Error, CustomStringConvertible {
    let description: String
}
