import Foundation
import TestSupport
import Testing

/// Tests `intentctl verify`, `new --command` and `run --local` with files of intentd.command(5).
@Suite(.ownThread) struct CommandFileToolTests {
    private func run(_ arguments: [String], in folder: TemporaryFolder) throws -> (
        code: Int32, output: String, errors: String
    ) {
        let command = try Command(Programs.intentctl, arguments, directory: folder.url)
        return (command.exitCode(), command.output, command.errors)
    }

    @Test func `new --command writes a file, verifies it, and performs an intent without parameters`() throws {
        let folder = try TemporaryFolder()
        let made = try run(["new", "--command", "hello", "--", "echo", "it's", "50%%"], in: folder)
        #expect(made.code == 0, "\(made)")
        #expect(made.errors.contains("it's 50%"), "\(made)")
        let again = try run(["new", "--command", "hello", "--", "echo"], in: folder)
        #expect(again.code == 64 && again.errors.contains("already exists"), "\(again)")
        let local = try run(["run", "--local", "hello.intents", "Run"], in: folder)
        // The output of a run is shown on standard error: standard output has its value.
        #expect(local.errors == "it's 50%\n" && local.code == 0, "\(local)")
    }

    @Test func `new --command declares a parameter for each placeholder`() throws {
        let folder = try TemporaryFolder()
        let words = ["tar", "--create", "--file", "%{out:docs.tar}", "--directory", "/usr/share/doc/%{package}", "."]
        let made = try run(["new", "--command", "docs", "--"] + words, in: folder)
        #expect(made.code == 0, "\(made)")
        let ran = try run(["run", "--local", "docs.intents", "Run", "--package", "tar"], in: folder)
        #expect(ran.code == 0, "\(ran)")
        #expect(FileManager.default.fileExists(atPath: folder.appending("docs.tar").path))
    }

    @Test(arguments: [
        (["new", "--command", "a/b", "--", "echo"], "expected a name"),
        (["new", "--command", "x", "--", "nonesuch-program"], "cannot find the program"),
        (["new", "--command", "x", "--", "echo", "%d"], "write '%%' for a percent sign"),
        (["new", "--command", "x"], "needs NAME"),
        (["new", "A", "B"], "unexpected argument 'B'"),
    ])
    func `a mistake in the command line writes no file`(_ arguments: [String], _ words: String) throws {
        let folder = try TemporaryFolder()
        let made = try run(arguments, in: folder)
        #expect(made.code != 0)
        #expect(made.errors.contains(words), "\(made.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }

    @Test func `verify reports mistakes with their lines, absent programs, and paths that apps cannot read`() throws {
        let folder = try TemporaryFolder()
        let locked = folder.appending("locked")
        try FileManager.default.createDirectory(at: locked, withIntermediateDirectories: false)
        chmod(locked.path, 0o700)
        let file = folder.appending("a.intents")
        try Data(
            """
            [Intent A]
            Exec=/bin/sh -c 'echo %{x}'
            [Intent A.Parameter x]
            [Sandbox]
            ReadPaths=\(locked.path)
            """.utf8
        ).write(to: file)
        let warned = try run(["verify", file.path], in: folder)
        #expect(warned.output.contains("inside a script that sh executes"), "\(warned)")
        #expect(warned.output.contains("setfacl -R -m g:"))
        try Data("[Intent A]\nExec=/nonesuch/program\n[Intent B]\nExec=x\n".utf8).write(to: file)
        let mistaken = try run(["verify", file.path], in: folder)
        #expect(mistaken.code == 78)
        #expect(mistaken.output.contains("a.intents:4: Exec=:"), "\(mistaken)")
        try Data("[Intent A]\nExec=/nonesuch/program\n".utf8).write(to: file)
        #expect(
            try run(["verify", file.path], in: folder).output.contains("'/nonesuch/program' of 'A' cannot be executed")
        )
        try Data("[Intent A]\nExec=\(Programs.intentctl.path)\n".utf8).write(to: file)
        #expect(try run(["verify", file.path], in: folder).output.contains("add its path to Programs="))
    }
}
