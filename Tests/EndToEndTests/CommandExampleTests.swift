import Foundation
import Glibc
import TestSupport
import Testing

/// The files of examples/commands, with the real programs.
@Suite(.ownThread) struct CommandExampleTests {
    private static let examples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "examples/commands")

    /// A daemon with an example, in which paths are replaced by others.
    private func daemon(_ name: String, replacing paths: [String: String] = [:]) throws -> Daemon {
        let daemon = try Daemon()
        var text = try String(contentsOf: Self.examples.appending(path: "\(name).intents"), encoding: .utf8)
        for (path, other) in paths { text = text.replacing(path, with: other) }
        try daemon.writeCommands(text, as: name)
        return daemon
    }

    /// A folder that apps can read and write, whatever their user id.
    private func openFolder(_ path: URL) throws {
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        chmod(path.path, 0o777)
    }

    private func succeeds(_ program: String, _ arguments: [String], as user: String? = nil) throws -> String {
        let words = user.map { ["/usr/sbin/runuser", "-u", $0, "--", program] + arguments } ?? [program] + arguments
        let command = try Command(URL(filePath: words[0]), Array(words.dropFirst()))
        try #require(command.exitCode() == 0, "\(command.errors)")
        return command.output
    }

    @Test func `an archive has the files of its folder, and its progress ends at 100 percent`() throws {
        let daemon = try daemon("archive")
        let folder = try daemon.makeFolder("results")
        let ran = try daemon.start([
            "run", "--out", folder.path, "archive/Create", "--folder", "/usr/share/zoneinfo",
        ])
        #expect(ran.exitCode() == 0, "\(ran.errors)")
        let archive = folder.appending(path: "archive.tar.gz")
        let listed = try succeeds("/usr/bin/tar", ["--list", "--gzip", "--file", archive.path])
        let names = listed.split(whereSeparator: \.isNewline).filter { !$0.hasSuffix("/") }
        let found = try succeeds("/usr/bin/find", ["/usr/share/zoneinfo", "!", "-type", "d"])
        #expect(names.count == found.split(whereSeparator: \.isNewline).count)
        let list = try daemon.intentctl("run", "archive/List", "--archive", archive.path)
        #expect(list.code == 0 && list.errors.contains("./Europe/Berlin"), "\(list.errors.prefix(200))")
        let refused = try daemon.intentctl("run", "archive/Create", "--folder", "/etc")
        #expect(refused.code == 64, "\(refused)")
    }

    @Test(.enabled(if: access("/usr/bin/rsync", X_OK) == 0, "rsync is not installed"))
    func `a mirror is equal to its source, and rsync's lines are progress`() throws {
        let folder = try TemporaryFolder()
        let (source, mirror) = (folder.appending("www"), folder.appending("mirror"))
        try openFolder(source)
        try openFolder(mirror)
        for number in 1...20 {
            try Data(repeating: UInt8(number), count: 200_000).write(to: source.appending(path: "file \(number)"))
            chmod(source.appending(path: "file \(number)").path, 0o644)
        }
        try Data("old".utf8).write(to: mirror.appending(path: "removed"))
        chmod(mirror.appending(path: "removed").path, 0o666)
        let daemon = try daemon("mirror", replacing: ["/srv/www": source.path, "/srv/mirror": mirror.path])
        let ran = try daemon.intentctl("run", "--yes=destructive", "mirror/Update", "--delete", "true")
        #expect(ran.code == 0, "\(ran)")
        #expect(ran.errors.contains("100%"), "\(ran.errors)")
        _ = try succeeds("/usr/bin/diff", ["--recursive", source.path, mirror.path])
    }

    @Test func `apt's updates are a list, which an agent may read`() throws {
        let daemon = try daemon("updates")
        let ran = try daemon.json("run", "updates/List")
        let lines = try #require(ran["value"] as? [String])
        #expect(lines.first?.hasPrefix("Listing") == true, "\(lines.prefix(3))")
        let catalogue = "\(try daemon.json("describe", "updates/List"))"
        #expect(catalogue.contains("reads"), "\(catalogue)")
    }

    @Test(
        .enabled(if: access("/usr/lib/postgresql/15/bin/initdb", X_OK) == 0, "PostgreSQL 15 is not installed"),
        .enabled(if: getuid() == 0, "only root can start a server as another user")
    )
    func `a dump of a real database is restored elsewhere, and the password is in no argument`() throws {
        let server = try PostgresServer()
        try server.execute("create table soup (name text); insert into soup values ('tomato'), ('pea')", in: "postgres")
        let secret = server.password
        let daemon = try daemon(
            "database",
            replacing: [
                "/run/postgresql/.s.PGSQL.5432": "\(server.folder.path)/.s.PGSQL.5432",
                "/run/postgresql": server.folder.path, "Default=backup": "Default=postgres",
            ]
        )
        let input = daemon.folder.appending("input")
        try Data(#"{"database":"postgres","password":"\#(secret)"}"#.utf8).write(to: input)
        let folder = try daemon.makeFolder("results")
        let dump = try daemon.start(["run", "--out", folder.path, "--json", "-", "database/Dump"], input: input)
        try #require(dump.exitCode() == 0, "\(dump.errors)")
        #expect(!dump.errors.contains(secret) && !dump.output.contains(secret))
        try server.execute("create database copy", in: "postgres")
        let archive = folder.appending(path: "database.dump")
        chmod(archive.path, 0o644)
        chmod(folder.path, 0o755)
        try server.restore(archive, into: "copy")
        #expect(try server.execute("select string_agg(name, ',' order by name) from soup", in: "copy") == "pea,tomato")
        let wrong = try daemon.intentctl(
            "run",
            "--json",
            #"{"database":"postgres","password":"wrong"}"#,
            "database/Dump"
        )
        #expect(wrong.code == 1 && wrong.errors.contains("password authentication failed"), "\(wrong.errors)")
        let injected = try daemon.intentctl(
            "run",
            "--json",
            #"{"database":"host=127.0.0.1 dbname=x","password":"x"}"#,
            "database/Dump"
        )
        #expect(injected.code == 1 && injected.errors.contains("does not match the pattern"), "\(injected.errors)")
        let grep = try Command(
            URL(filePath: "/usr/bin/grep"),
            ["-rlaF", secret] + ["state", "cache"].map { daemon.folder.appending($0).path }
        )
        #expect(grep.exitCode() == 1, "\(grep.output)")
    }
}

/// A PostgreSQL server in a temporary folder, without TCP. It ends with this object.
private final class PostgresServer {
    let folder: URL
    let password = "hush-\(UInt64.random(in: 0 ... .max))"
    private static let programs = "/usr/lib/postgresql/15/bin"

    init() throws {
        folder = URL(filePath: "/tmp/intentd-pg-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let account = try #require(getpwnam("postgres")?.pointee)
        chown(folder.path, account.pw_uid, account.pw_gid)
        chmod(folder.path, 0o755)
        let secret = folder.appending(path: "password")
        try Data("\(password)\n".utf8).write(to: secret)
        chown(secret.path, account.pw_uid, account.pw_gid)
        try run(["initdb", "-D", data, "--auth=scram-sha-256", "--pwfile=\(secret.path)", "--no-sync", "-E", "UTF8"])
        let options = "-c listen_addresses= -c unix_socket_directories=\(folder.path) -c unix_socket_permissions=0777"
        try run(["pg_ctl", "-D", data, "-w", "-l", "\(folder.path)/log", "-o", options, "start"])
    }

    deinit {
        // A server that has ended already needs no stop.
        _ = try? run(["pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"])
        try? FileManager.default.removeItem(at: folder)
    }

    private var data: String { "\(folder.path)/data" }

    @discardableResult
    private func run(_ words: [String]) throws -> String {
        let arguments = [
            "-u", "postgres", "--", "/usr/bin/env", "PGPASSWORD=\(password)", "\(Self.programs)/\(words[0])",
        ]
        let command = try Command(
            URL(filePath: "/usr/sbin/runuser"),
            arguments + words.dropFirst(),
            directory: URL(filePath: "/")
        )
        try #require(command.exitCode() == 0, "\(words[0]): \(command.errors)\(command.output)")
        return command.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @discardableResult
    func execute(_ statement: String, in database: String) throws -> String {
        try run(["psql", "-h", folder.path, "-d", database, "-AtX", "-v", "ON_ERROR_STOP=1", "-c", statement])
    }

    func restore(_ archive: URL, into database: String) throws {
        // The server's user reads the archive, wherever it is.
        let copy = folder.appending(path: "archive")
        try FileManager.default.copyItem(at: archive, to: copy)
        chmod(copy.path, 0o644)
        try run(["pg_restore", "-h", folder.path, "-d", database, copy.path])
    }
}
