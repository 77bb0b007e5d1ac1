import Glibc
import IntentLauncherMessages
import IntentLinux

/// Floods the daemon in every way that the protocol allows, until this process is killed.
struct Flood {
    /// The repeated action of one connection.
    private enum Manner {
        /// Sends requests without pause, and reads the answers.
        case asking([UInt8])
        /// Sends requests as long as the socket accepts them, and reads nothing.
        case deaf([UInt8])
        /// Requests runs without pause.
        case performing(PreparedPerform)
        /// Sends frames of the maximal size.
        case large
        /// Uploads files without requesting a run.
        case passing(SharedFileDescriptor)
    }

    private final class Connection {
        var socket: SharedFileDescriptor?
        var manner: Manner
        var rest: ArraySlice<UInt8> = []

        init(_ manner: Manner) { self.manner = manner }
    }

    private let path: String
    private let connections: [Connection]

    init(of path: String) throws {
        self.path = path
        func frames(_ requests: [ClientRequest]) throws -> [UInt8] {
            try requests.enumerated().flatMap { index, request in
                try Frame.encode(
                    WireCoding.encode(NumberedRequest(id: UInt64(index), request)),
                    limit: Frame.clientPayloadLimit
                )
            }
        }
        let run = "7k2m9qxw4c"
        let all: [ClientRequest] = [
            .list, .status, .runs, .history(HistoryQuery()), .story(run: run), .logs(run: run, after: 0),
            .describe(app: "Plain"),
            .metrics, .watch(run: run, after: nil), .cancel(run: run), .question(run: run), .fetch(run: run, from: 0),
        ]
        let file = SharedFileDescriptor(try File.open("/etc/passwd"))
        var manners: [Manner] = []
        for _ in 0..<16 { manners.append(.asking(try frames(all))) }
        for _ in 0..<16 { manners.append(.asking(try frames(Array(repeating: .list, count: 100)))) }
        for _ in 0..<30 { manners.append(.deaf(try frames(Array(repeating: .list, count: 100)))) }
        for _ in 0..<8 { manners.append(.deaf(try frames(Array(repeating: .history(HistoryQuery()), count: 100)))) }
        for index in 0..<8 { manners.append(.performing(try .trivial(app: index % 2 == 0 ? "Plain" : "NoSpares"))) }
        for _ in 0..<4 { manners.append(.large) }
        for _ in 0..<4 { manners.append(.passing(file)) }
        connections = manners.map(Connection.init)
    }

    func run() throws -> Never {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        while true {
            // A connection that is closed immediately.
            _ = try? UnixSocket.connect(.stream, to: path)
            for connection in connections where connection.socket == nil { connect(connection) }
            var sockets = connections.map { connection in
                pollfd(fd: connection.socket?.rawValue ?? -1, events: events(of: connection.manner), revents: 0)
            }
            _ = poll(&sockets, nfds_t(sockets.count), 10)
            for (index, connection) in connections.enumerated() where sockets[index].revents != 0 {
                guard let socket = connection.socket else { continue }
                let revents = sockets[index].revents
                if revents & Int16(POLLIN) != 0, recv(socket.rawValue, buffer.baseAddress, buffer.count, 0) <= 0 {
                    connection.socket = nil
                } else if revents & Int16(POLLOUT) != 0 {
                    send(connection, on: socket)
                } else if revents & Int16(POLLHUP | POLLERR) != 0 {
                    connection.socket = nil
                }
            }
        }
    }

    private func events(of manner: Manner) -> Int16 {
        switch manner {
        case .deaf: Int16(POLLOUT)
        case .asking, .performing, .large, .passing: Int16(POLLIN | POLLOUT)
        }
    }

    private func connect(_ connection: Connection) {
        guard let socket = try? UnixSocket.connect(.stream, to: path), (try? socket.setNonblocking()) != nil else {
            return
        }
        let hello = WireCoding.encode(NumberedRequest(id: 1, .hello(Hello(software: "a flood"))))
        connection.rest = (try? Frame.encode(hello, limit: Frame.clientPayloadLimit))?[...] ?? []
        connection.socket = SharedFileDescriptor(socket)
    }

    private func send(_ connection: Connection, on socket: SharedFileDescriptor) {
        var files: [SharedFileDescriptor] = []
        if connection.rest.isEmpty {
            switch connection.manner {
            case .asking(let frames), .deaf(let frames): connection.rest = frames[...]
            case .performing(var request):
                request.renew()
                connection.manner = .performing(request)
                connection.rest = request.frame[...]
            case .large:
                connection.rest =
                    [0, 0x10, 0, 0] + [UInt8](repeating: UInt8(ascii: " "), count: (1 << 20) - 24)
                    + Array(#"{"id":1,"type":"status"}"#.utf8)
            case .passing(let file):
                files = Array(repeating: file, count: Frame.descriptorLimit)
                let payload = WireCoding.encode(NumberedRequest(id: 1, .files(count: files.count)))
                connection.rest = (try? Frame.encode(payload, limit: Frame.clientPayloadLimit))?[...] ?? []
            }
        }
        do {
            let sent = try UnixSocket.send(connection.rest, descriptors: files, on: socket.rawValue, waiting: .never)
            connection.rest = sent == nil && !files.isEmpty ? [] : connection.rest.dropFirst(sent ?? 0)
        } catch {
            connection.socket = nil
        }
    }
}
