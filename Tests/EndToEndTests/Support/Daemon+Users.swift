import Foundation
import Glibc
import Testing

extension Daemon {
    /// True if the tests can start programs as other users, which requires root.
    static var canBecomeOthers: Bool { getuid() == 0 }

    /// Lets every user of the host connect, as if all were in the socket's group.
    func admitEverybody() throws {
        chmod(folder.url.path, 0o755)
        chmod(socket, 0o666)
        let copy = folder.appending("bin/intentctl")
        if !FileManager.default.fileExists(atPath: copy.path) {
            try Programs.install(Programs.intentctl, as: copy)
        }
    }

    /// Starts `intentctl` as another user, with a home folder of that user as its working directory.
    func start(as user: UInt32, groups: [UInt32] = [], _ arguments: [String], input: URL? = nil) throws -> Command {
        let home = folder.appending("home-\(user)")
        if !FileManager.default.fileExists(atPath: home.path) {
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            chown(home.path, user, user)
        }
        let membership =
            groups.isEmpty ? "--clear-groups" : "--groups=\(groups.map(String.init).joined(separator: ","))"
        return try Command(
            URL(fileURLWithPath: "/usr/bin/setpriv"),
            [
                "--reuid=\(user)", "--regid=\(user)", membership, "--", folder.appending("bin/intentctl").path,
                "--socket", socket,
            ] + arguments,
            input: input,
            directory: home
        )
    }

    /// Runs `intentctl` as another user until it exits.
    func intentctl(
        as user: UInt32,
        groups: [UInt32] = [],
        _ arguments: String...
    ) throws -> (code: Int32, output: String, errors: String) {
        let command = try start(as: user, groups: groups, arguments)
        let code = command.exitCode()
        return (code, command.output, command.errors)
    }

    /// Sends requests as another user, all at once on one connection, and returns the answers. There are fewer answers
    /// than requests when intentd closes the connection.
    ///
    /// - Parameter payloads: Objects as JSON, without `id`.
    func say(as user: UInt32, groups: [UInt32] = [], _ payloads: [String]) throws -> [[String: Any]] {
        let membership =
            groups.isEmpty ? "--clear-groups" : "--groups=\(groups.map(String.init).joined(separator: ","))"
        let command = try Command(
            URL(fileURLWithPath: "/usr/bin/setpriv"),
            [
                "--reuid=\(user)", "--regid=\(user)", membership, "--", "/usr/bin/python3", "-c", Self.speaking, socket,
            ] + payloads
        )
        guard command.exitCode() == 0 else { throw NeverHappened(description: "a client speaks: \(command.errors)") }
        return try command.output.split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
        }
    }

    /// Numbers the payloads from 2, and prints their answers in that order.
    private static let speaking = """
        import json, socket, struct, sys
        peer = socket.socket(socket.AF_UNIX)
        peer.settimeout(60)
        peer.connect(sys.argv[1])
        payloads = ['{"type":"hello","protocolVersion":1,"software":"a test"}'] + sys.argv[2:]
        for number, text in enumerate(payloads, 1):
            data = ('{"id":%d,' % number + text[1:]).encode()
            peer.sendall(struct.pack(">I", len(data)) + data)
        stream, answers = peer.makefile("rb"), {}
        while len(answers) < len(payloads):
            try:
                head = stream.read(4)
                message = json.loads(stream.read(struct.unpack(">I", head)[0])) if len(head) == 4 else None
            except ConnectionResetError:
                message = None
            if message is None: break
            if "id" in message: answers[message["id"]] = message
        for number in sorted(answers):
            if number > 1: print(json.dumps(answers[number]))
        """
}
