import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct ResourceTests {
    /// Installs a copy of Probe as a new app with files around it, and returns the path of its executable.
    private func install(_ name: String, _ files: [String: String], in daemon: Daemon) throws -> String {
        let executable = daemon.folder.appending("apps/\(name)")
        for (path, text) in files {
            let file = daemon.folder.appending("apps/\(path)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
        try Programs.install(Programs.url("Probe"), as: executable)
        #expect(try daemon.intentctl("reload").code == 0)
        return executable.path
    }

    /// The value that the intent returns in a sandbox, and without one.
    private func found(_ name: String, in folder: String? = nil, of app: String, _ executable: String, _ daemon: Daemon)
        throws -> (sandbox: String, direct: String)
    {
        let parameters = ["--name", name] + (folder.map { ["--folder", $0] } ?? [])
        let sandbox = try daemon.start(["run", "\(app)/FindResource"] + parameters)
        let direct = try Command(URL(fileURLWithPath: executable), ["FindResource"] + parameters)
        #expect(direct.exitCode() == 0, "\(direct.errors)")
        #expect(sandbox.exitCode() == 0, "\(sandbox.errors)")
        return (sandbox.output, direct.output)
    }

    @Test func `the main bundle finds files in the app's resource folders, directly and in the sandbox`() throws {
        let daemon = try Daemon()
        let executable = try install(
            "Speaker",
            [
                "Speaker.resources/greeting.txt": "hello",
                "Speaker.resources/deep/inner.txt": "deep",
                "Other_Speaker.resources/other.txt": "other",
            ],
            in: daemon
        )
        for (name, folder, text) in [("greeting", nil, "hello"), ("inner", "deep", "deep"), ("other", nil, "other")] {
            let found = try found(name, in: folder, of: "Speaker", executable, daemon)
            #expect(found.sandbox == found.direct)
            #expect(found.sandbox.contains(text), "\(found)")
            #expect(found.sandbox.contains("same"), "\(found)")
        }
        let absent = try found("absent", of: "Speaker", executable, daemon)
        #expect(absent.sandbox == absent.direct)
        #expect(absent.sandbox.contains("none"))
    }

    @Test func `the main bundle finds a file beside the executable in the app's own folder`() throws {
        let daemon = try Daemon()
        let executable = try install(
            "Foldered/Foldered",
            ["Foldered/note.txt": "beside", "Foldered/Foldered.resources/in.txt": "inside"],
            in: daemon
        )
        for (name, text) in [("note", "beside"), ("in", "inside")] {
            let found = try found(name, of: "Foldered", executable, daemon)
            #expect(found.sandbox == found.direct)
            #expect(found.sandbox.contains(text), "\(found)")
        }
    }
}
