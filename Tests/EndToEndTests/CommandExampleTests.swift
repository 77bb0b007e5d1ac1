import Foundation
import Glibc
import TestSupport
import Testing

/// The files of examples/commands, with the real programs.
@Suite(.ownThread) struct CommandExampleTests {
    private static let examples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "examples/commands")

    /// A daemon with an example, in which paths are replaced by others.
    private func daemon(_ name: String, replacing paths: [(String, String)] = []) throws -> Daemon {
        let daemon = try Daemon()
        var text = try String(contentsOf: Self.examples.appending(path: "\(name).intents"), encoding: .utf8)
        for (path, other) in paths {
            try #require(text.contains(path), "the example has no '\(path)'")
            text = text.replacing(path, with: other)
        }
        try daemon.writeCommands(text, as: name)
        return daemon
    }

    /// A folder that apps can read and write, whatever their user id.
    private func openFolder(_ path: URL) throws {
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        chmod(path.path, 0o777)
    }

    @discardableResult
    private func succeeds(_ program: String, _ arguments: [String]) throws -> String {
        let command = try Command(URL(filePath: program), arguments)
        try #require(command.exitCode() == 0, "\(command.errors)\(command.output)")
        return command.output
    }

    /// The percentages that intentctl printed, in the order of their lines.
    private func percentages(in text: String) -> [Int] {
        text.matches(of: /(\d+)%/).compactMap { Int($0.output.1) }
    }

    @Test func `an archive has the files of its folder, and its progress is exact`() throws {
        let daemon = try daemon("archive")
        let folder = try daemon.makeFolder("results")
        let source = "/usr/share/zoneinfo"
        let ran = try daemon.start(["run", "--out", folder.path, "archive/Create", "--folder", source])
        #expect(ran.exitCode() == 0, "\(ran.errors)")
        // The folder has a few MB, so the last report is the report of the last full MB.
        let progress = percentages(in: ran.errors)
        #expect(progress == progress.sorted() && (60...100).contains(progress.last ?? 0), "\(ran.errors)")
        let archive = folder.appending(path: "archive.tar.gz")
        let unpacked = try daemon.makeFolder("unpacked")
        try succeeds("/usr/bin/tar", ["--extract", "--gzip", "-f", archive.path, "--directory", unpacked.path])
        try succeeds("/usr/bin/diff", ["--recursive", "--no-dereference", source, unpacked.path])
        let list = try daemon.intentctl("run", "archive/List", "--archive", archive.path)
        #expect(list.code == 0 && list.errors.contains("./Europe/Berlin"), "\(list.errors.prefix(200))")
        let refused = try daemon.intentctl("run", "archive/Create", "--folder", "/etc")
        #expect(refused.code == 64, "\(refused)")
    }

    @Test(.enabled(if: access("/usr/bin/rsync", X_OK) == 0, "rsync is not installed"))
    func `a mirror is equal to its source, and rsync's lines are reported as progress`() throws {
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
        let daemon = try daemon("mirror", replacing: [("/srv/www", source.path), ("/srv/mirror", mirror.path)])
        let kept = try daemon.intentctl("run", "--yes=destructive", "mirror/Update")
        #expect(kept.code == 0, "\(kept)")
        let progress = percentages(in: kept.errors)
        #expect(progress == progress.sorted() && progress.last == 100, "\(kept.errors)")
        #expect(!kept.errors.contains("xfr#"), "a line with progress is no output: \(kept.errors)")
        #expect(
            try Command(URL(filePath: "/usr/bin/diff"), ["--recursive", source.path, mirror.path]).exitCode() == 1,
            "without Delete, the mirror keeps what the source does not have"
        )
        let ran = try daemon.intentctl("run", "--yes=destructive", "mirror/Update", "--delete", "true")
        #expect(ran.code == 0, "\(ran)")
        try succeeds("/usr/bin/diff", ["--recursive", source.path, mirror.path])
    }

    @Test func `apt's updates are a list, which an agent may read`() throws {
        let daemon = try daemon("updates")
        let ran = try daemon.json("run", "updates/List")
        let lines = try #require(ran["value"] as? [String], "\(ran)")
        #expect(lines == (try packages(["list", "--upgradable"])))
        let catalogue = "\(try daemon.json("describe", "updates/List"))"
        #expect(catalogue.contains("reads"), "\(catalogue)")
        // A system without updates has installed packages, which apt reads from the same files.
        let installed = try self.daemon("updates", replacing: [("list --upgradable", "list --installed dpkg")])
        let dpkg = try #require(try installed.json("run", "updates/List")["value"] as? [String])
        #expect(dpkg.count == 1)
        #expect(dpkg == (try packages(["list", "--installed", "dpkg"])))
    }

    /// The output of apt outside a sandbox.
    private func packages(_ arguments: [String]) throws -> [String] {
        try succeeds("/usr/bin/apt", ["-qq"] + arguments).split(separator: "\n").map(String.init)
    }

    @Test(arguments: [
        ("archive", ["Create", "--folder", "/usr/share/zoneinfo"], ["archive.tar.gz"]), ("updates", ["List"], []),
    ])
    func `an example is verified and runs without a service`(_ name: String, _ words: [String], _ files: [String])
        throws
    {
        let folder = try TemporaryFolder()
        let example = Self.examples.appending(path: "\(name).intents").path
        let verified = try succeeds(Programs.intentctl.path, ["verify", example])
        #expect(verified.contains("ready to be installed"), "\(verified)")
        let ran = try Command(Programs.intentctl, ["run", "--local", example] + words, directory: folder.url)
        #expect(ran.exitCode() == 0, "\(ran.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == files)
    }

    @Test(.enabled(if: PostgresServer.obstacle == nil, Comment(rawValue: PostgresServer.obstacle ?? "")))
    func `a dump of a real database is restored elsewhere, and the password is in no argument and no record`() throws {
        let server = try PostgresServer()
        let secret = server.password
        try server.execute("create table soup (name text); insert into soup values ('tomato'), ('pea')")
        let socket = "/run/postgresql/.s.PGSQL.5432"
        let daemon = try daemon(
            "database",
            replacing: [
                (socket, "\(server.folder.path)/.s.PGSQL.5432"), ("/run/postgresql", server.folder.path),
                ("Default=backup", "Default=postgres"),
            ]
        )
        let input = daemon.folder.appending("input")
        try Data(#"{"database":"postgres","password":"\#(secret)"}"#.utf8).write(to: input)
        let folder = try daemon.makeFolder("results")
        let dump = try daemon.start(["run", "--out", folder.path, "--json", "-", "database/Dump"], input: input)
        try server.locking("soup") {
            try eventually("pg_dump waits for the table: \(dump.errors)") { try server.waiting("pg_dump") == 1 }
            let running = ProcessFamily.below(daemon.number).filter { $0.value == "pg_dump" }.keys
            #expect(running.contains { ProcessFamily.environment(of: $0).contains("PGPASSWORD=\(secret)") })
            let lines = ProcessFamily.commandLines
            #expect(lines.contains { $0.contains("--dbname=postgres") }, "pg_dump's arguments are seen")
            #expect(!lines.contains { $0.contains(secret) })
        }
        try #require(dump.exitCode() == 0, "\(dump.errors)")
        #expect(!dump.errors.contains(secret) && !dump.output.contains(secret))
        try server.execute("create database copy")
        try server.restore(folder.appending(path: "database.dump"), into: "copy")
        #expect(try server.execute("select string_agg(name, ',' order by name) from soup", in: "copy") == "pea,tomato")
        try expectRefusals(by: daemon)
        #expect(!(try daemon.intentctl("history", "--output", "json").output.contains(secret)))
        let folders = ["state", "cache"].map { daemon.folder.appending($0).path }
        let found = try Command(URL(filePath: "/usr/bin/grep"), ["-rlaF", secret] + folders)
        #expect(found.exitCode() == 1, "\(found.output)")
    }

    /// Another password, and a connection string in place of a name.
    private func expectRefusals(by daemon: Daemon) throws {
        for (values, reason) in [
            (#"{"database":"postgres","password":"wrong"}"#, "password authentication failed"),
            (#"{"database":"host=127.0.0.1 dbname=x","password":"x"}"#, "does not match the pattern"),
        ] {
            let refused = try daemon.intentctl("run", "--json", values, "database/Dump")
            #expect(refused.code == 1 && refused.errors.contains(reason), "\(refused.errors)")
        }
    }
}
