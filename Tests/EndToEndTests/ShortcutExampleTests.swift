import Foundation
import Glibc
import TestSupport
import Testing

/// The files of examples/shortcuts, with the real programs.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct ShortcutExampleTests {
    private static let examples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "examples/shortcuts")

    /// A daemon with a shortcut and the intents of its steps, in which paths are replaced by others.
    private func daemon(
        _ shortcut: String,
        _ tools: String,
        replacing paths: [(String, String)] = []
    ) throws -> Daemon {
        let daemon = try Daemon()
        func text(_ name: String) throws -> String {
            try String(contentsOf: Self.examples.appending(path: name), encoding: .utf8)
        }
        var commands = try text("\(tools).intents")
        for (path, other) in paths {
            try #require(commands.contains(path), "the example has no '\(path)'")
            commands = commands.replacing(path, with: other.replacing("FOLDER", with: daemon.folder.url.path))
        }
        try daemon.writeCommands(commands, as: tools)
        try daemon.writeShortcut(try text("\(shortcut).shortcut"), as: shortcut)
        return daemon
    }

    /// A folder that apps can read and write, whatever their user id.
    private func openFolder(_ daemon: Daemon, _ path: String) throws -> URL {
        let folder = daemon.folder.appending(path)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        chmod(folder.path, 0o777)
        return folder
    }

    /// The lines of a tree of steps, without the times.
    private static func tree(in text: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("  ") && $0.contains(": deploy/") }.map {
            String($0).replacing(/, [0-9.]+ m?s\b/, with: ", TIME")
        }
    }

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func `the invoices are kept only if a person agrees`() throws {
        let daemon = try daemon("Monthly", "shelf")
        try daemon.install("Invoices")
        for (answer, code, kept) in [("no", Int32(130), [String]()), ("yes", 0, ["2026-11"])] {
            let run = try daemon.detach("Monthly/Archive", "--month", "2026-11")
            #expect(try daemon.run(in: "asking") == run)
            #expect(try daemon.intentctl("answer", run, answer).code == 0)
            let end = try daemon.intentctl("wait", run)
            #expect(end.code == code, "\(end)")
            #expect(try daemon.json("run", "shelf/List")["value"] as? [String] ?? [] == kept)
        }
    }

    @Test(
        .enabled(if: access("/usr/bin/rsync", X_OK) == 0, "rsync is not installed"),
        .enabled(if: access("/usr/bin/sqlite3", X_OK) == 0, "sqlite3 is not installed"),
        arguments: [true, false]
    )
    func `a nightly backup without a message leaves no copy`(isSent: Bool) throws {
        let mail = "/usr/bin/curl --silent --show-error --url smtp://mail.example.org"
        let daemon = try daemon(
            "Nightly",
            "nightly",
            replacing: [
                ("/srv/app", "FOLDER/app"), ("/srv/mirror", "FOLDER/mirror"),
                (mail, isSent ? "/bin/echo" : "/bin/false"),
            ]
        )
        let app = try openFolder(daemon, "app")
        let mirror = try openFolder(daemon, "mirror")
        let database = app.appending(path: "data.sqlite").path
        let made = try Command(
            URL(filePath: "/usr/bin/sqlite3"),
            [database, "create table t (x); insert into t values (7)"]
        )
        #expect(made.exitCode() == 0, "\(made.errors)")
        chmod(database, 0o644)
        let ran = try daemon.intentctl("run", "Nightly/Backup", "--name", "monday", "--to", "ada@example.org")
        #expect((ran.code == 0) == isSent, "\(ran)")
        #expect(try names(in: mirror) == (isSent ? ["monday.gz"] : []))
        if !isSent { #expect(ran.errors.contains("undone: mirror"), "\(ran.errors)") }
    }

    @Test func `a release with a failed check is replaced by the release before it`() throws {
        let daemon = try daemon("Deploy", "deploy", replacing: [("/srv/site", "FOLDER/site")])
        let site = try openFolder(daemon, "site")
        let source = try openFolder(daemon, "site/source")
        let releases = try openFolder(daemon, "site/releases")
        let page = source.appending(path: "index.html")
        try Data("one".utf8).write(to: page)
        try FileManager.default.createSymbolicLink(
            atPath: site.appending(path: "current").path,
            withDestinationPath: "none"
        )
        let first = try daemon.intentctl("run", "Deploy/Release", "--release", "1")
        #expect(first.code == 0, "\(first)")
        try Data().write(to: page)
        let run = try daemon.detach("Deploy/Release", "--release", "2")
        let second = try daemon.intentctl("wait", run)
        #expect(second.code == 1, "\(second)")
        #expect(second.errors.contains("undone: switch, upload"), "\(second.errors)")
        let guide = Self.examples.deletingLastPathComponent().appending(path: "README.md")
        #expect(
            try Self.tree(in: daemon.intentctl("watch", "--no-input", run).errors)
                == Self.tree(in: String(contentsOf: guide, encoding: .utf8)),
            "the picture of the tree in examples/README.md differs"
        )
        #expect(try names(in: releases) == ["1"])
        #expect(try String(contentsOf: site.appending(path: "current/index.html"), encoding: .utf8) == "one")
    }

    @Test func `a file of the inbox is described, chosen, and moved after an answer`() throws {
        let daemon = try daemon("Tidy", "tidy", replacing: [("/srv/inbox", "FOLDER/inbox")])
        _ = try openFolder(daemon, "inbox")
        let new = try openFolder(daemon, "inbox/new")
        let archive = try openFolder(daemon, "inbox/archive")
        for name in ["a.txt", "b.txt"] { try Data("text".utf8).write(to: new.appending(path: name)) }
        let run = try daemon.detach("Tidy/Inbox")
        #expect(try daemon.run(in: "asking") == run)
        #expect(try daemon.intentctl("answer", run, "b.txt").code == 0)
        try eventually("the second question is open") { try daemon.intentctl("answer", run, "yes").code == 0 }
        let end = try daemon.intentctl("wait", run)
        #expect(end.code == 0 && end.output == "b.txt (4 bytes)\n", "\(end)")
        #expect(try names(in: new) == ["a.txt"])
        #expect(try names(in: archive) == ["b.txt"])
        // The shortcut moved one file, and its undo moves it back.
        #expect(try daemon.intentctl("undo", run).code == 0)
        #expect(try names(in: new) == ["a.txt", "b.txt"])
    }
}
