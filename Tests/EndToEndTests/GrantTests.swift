import Foundation
import Glibc
import TestSupport
import Testing

/// A grant gives access to exactly the path in the operator's file, whatever other users plant along it.
@Suite(.ownThread) struct GrantTests {
    /// A folder that apps may write to, and a hidden one.
    private final class Folders {
        let folder: TemporaryFolder
        var shared: String { folder.appending("shared").path }
        var hidden: String { folder.appending("hidden").path }

        init() throws {
            folder = try TemporaryFolder()
            chmod(folder.url.path, 0o755)
            for name in ["shared", "shared/in", "hidden"] {
                let made = folder.appending(name)
                try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
                chmod(made.path, 0o777)
                try Data(name.utf8).write(to: made.appending(path: "file"))
            }
        }
    }

    @Test(arguments: ["ReadPaths", "WritePaths"])
    func `a grant through a planted link is refused, and the error asks for the resolved path`(key: String) throws {
        let folders = try Folders()
        for (link, granted) in [("last", "last"), ("above", "above/in")] {
            let target = link == "last" ? folders.hidden : folders.shared
            try FileManager.default.createSymbolicLink(atPath: "\(folders.shared)/\(link)", withDestinationPath: target)
            let path = "\(folders.shared)/\(granted)"
            let daemon = try Daemon(sandbox: ["\(key)=\(path)"])
            let run = try daemon.intentctl("run", "Probe/ReadText", "--path", "\(path)/file")
            #expect(run.code == 78, "\(run.output)")
            #expect(run.errors.contains("realpath \(path)"), "\(run.errors)")
        }
    }

    @Test func `a grant below a folder that this or another app may write to is refused`() throws {
        let folders = try Folders()
        let path = "\(folders.shared)/in"
        let daemon = try Daemon(sandbox: ["ReadPaths=\(path)"])
        #expect(try daemon.intentctl("run", "Probe/ReadText", "--path", "\(path)/file").output == "shared/in\n")
        let other = daemon.folder.appending("units/Archive.conf")
        try Data("[Sandbox]\nWritePaths=\(folders.shared)\n".utf8).write(to: other)
        chmod(other.path, 0o644)
        let refused = try daemon.intentctl("reload")
        #expect(refused.code == 78)
        #expect(refused.errors.contains("'\(path)' is below '\(folders.shared)', to which Archive may write"))
        let own = try Daemon(sandbox: ["ReadPaths=\(path)", "WritePaths=\(folders.shared)"])
        let run = try own.intentctl("run", "Probe/ReadText", "--path", "\(path)/file")
        #expect(run.code == 78)
        #expect(run.errors.contains("to which Probe may write"), "\(run.errors)")
    }

    @Test func `swapping a granted folder for a link at any moment exposes no other folder`() throws {
        let folders = try Folders()
        let path = "\(folders.shared)/in"
        let link = "\(folders.shared)/out"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folders.hidden)
        // With RENAME_EXCHANGE one of the two exists at any moment. The program ends when its standard input is closed.
        let swapper = Process()
        let input = Pipe()
        swapper.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        swapper.arguments = [
            "-c",
            """
            import ctypes, select, sys
            libc = ctypes.CDLL(None)
            while not select.select([sys.stdin], [], [], 0)[0]:
                for _ in range(1001): libc.renameat2(-100, sys.argv[1].encode(), -100, sys.argv[2].encode(), 2)
            """, path, link,
        ]
        swapper.standardInput = input
        try swapper.run()
        defer {
            try? input.fileHandleForWriting.close()
            swapper.waitUntilExit()
        }
        let daemon = try Daemon(sandbox: ["ReadPaths=\(path)"])
        let unit = daemon.folder.appending("units/Probe.conf")
        var refusedCount = 0
        for attempt in 0..<24 {
            // A changed unit file makes intentd create a new sandbox.
            try Data("[App]\nEnvironment=ATTEMPT=\(attempt)\n[Sandbox]\nReadPaths=\(path)\n".utf8).write(to: unit)
            #expect(try daemon.intentctl("reload").code == 0)
            let run = try daemon.intentctl("run", "Probe/ReadText", "--path", "\(path)/file")
            if run.code == 78 { refusedCount += 1 }
            #expect(run.code == 78 && run.errors.contains("realpath") || run.output == "shared/in\n", "\(run)")
        }
        #expect(refusedCount > 0, "no attempt met the link")
    }

    @Test func `a grant may pass through the system's own links`() throws {
        // On every system that runs systemd, /var/run links to /run and /bin to a folder below /usr.
        guard (try? FileManager.default.destinationOfSymbolicLink(atPath: "/var/run")) != nil else {
            try skipTest("/var/run is not a link here")
        }
        let folder = "/run/intentd-grant-\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("run".utf8).write(to: URL(fileURLWithPath: "\(folder)/file"))
        let daemon = try Daemon(sandbox: ["ReadPaths=/var\(folder)"])
        #expect(try daemon.intentctl("run", "Probe/ReadText", "--path", "/var\(folder)/file").output == "run\n")
    }
}
