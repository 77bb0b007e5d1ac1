import Foundation
import Glibc
import Testing

/// What the operator grants is what stands in the file, whatever others put in its way.
@Suite struct GrantTests {
    /// A folder that apps write in, another that none may see, and a link between them.
    private final class Place {
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
    func `a grant whose way has a planted link is refused, with the path that it leads to asked for`(key: String) throws
    {
        let place = try Place()
        for (link, granted) in [("way", "way"), ("above", "above/in")] {
            let target = link == "way" ? place.hidden : place.shared
            try FileManager.default.createSymbolicLink(atPath: "\(place.shared)/\(link)", withDestinationPath: target)
            let path = "\(place.shared)/\(granted)"
            let daemon = try Daemon(sandbox: ["\(key)=\(path)"])
            let run = try daemon.intentctl("run", "Probe/ReadText", "--path", "\(path)/file")
            #expect(run.code == 78, "\(run.output)")
            #expect(run.errors.contains("realpath \(path)"), "\(run.errors)")
        }
    }

    @Test func `a grant below a folder that an app may write in is refused, also of another app`() throws {
        let place = try Place()
        let path = "\(place.shared)/in"
        let daemon = try Daemon(sandbox: ["ReadPaths=\(path)"])
        #expect(try daemon.intentctl("run", "Probe/ReadText", "--path", "\(path)/file").output == "shared/in\n")
        let other = daemon.folder.appending("units/Archive.conf")
        try Data("[Sandbox]\nWritePaths=\(place.shared)\n".utf8).write(to: other)
        chmod(other.path, 0o644)
        let refused = try daemon.intentctl("reload")
        #expect(refused.code == 78)
        #expect(refused.errors.contains("'\(path)' lies below '\(place.shared)', in which Archive may write"))
        let own = try Daemon(sandbox: ["ReadPaths=\(path)", "WritePaths=\(place.shared)"])
        let run = try own.intentctl("run", "Probe/ReadText", "--path", "\(path)/file")
        #expect(run.code == 78)
        #expect(run.errors.contains("in which Probe may write"), "\(run.errors)")
    }

    @Test func `a folder that is swapped for a link at any moment brings nothing else into the sandbox`() throws {
        let place = try Place()
        let path = "\(place.shared)/in"
        let link = "\(place.shared)/out"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: place.hidden)
        // RENAME_EXCHANGE: at each moment one of the two is there. Ends with this process's read end of its input.
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
            // Another file, another sandbox.
            try Data("[App]\nEnvironment=ATTEMPT=\(attempt)\n[Sandbox]\nReadPaths=\(path)\n".utf8).write(to: unit)
            #expect(try daemon.intentctl("reload").code == 0)
            let run = try daemon.intentctl("run", "Probe/ReadText", "--path", "\(path)/file")
            if run.code == 78 { refusedCount += 1 }
            #expect(run.code == 78 && run.errors.contains("realpath") || run.output == "shared/in\n", "\(run)")
        }
        #expect(refusedCount > 0, "no attempt met the link")
    }

    @Test func `the system's own links lead where they lead`() throws {
        // On every system that systemd runs on, /var/run is /run and /bin a folder below /usr.
        guard (try? FileManager.default.destinationOfSymbolicLink(atPath: "/var/run")) != nil else {
            try skipTest("/var/run is no link here")
        }
        let folder = "/run/intentd-grant-\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("run".utf8).write(to: URL(fileURLWithPath: "\(folder)/file"))
        let daemon = try Daemon(sandbox: ["ReadPaths=/var\(folder)"])
        #expect(try daemon.intentctl("run", "Probe/ReadText", "--path", "/var\(folder)/file").output == "run\n")
    }
}
