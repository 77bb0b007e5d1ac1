import Foundation
import Glibc
import IntentLinux
import Testing

/// Files into runs and out of them.
@Suite(.timeLimit(.minutes(5))) struct FileTests {
    @Test func `forty files go into a run, more than one message brings`() throws {
        let daemon = try Daemon()
        let files = try (0..<40).map { number in
            let file = daemon.folder.appending("\(number).txt")
            try Data("<\(number)>".utf8).write(to: file)
            return file.path
        }
        let command = try daemon.start(["run", "Probe/ReadFiles"] + files.flatMap { ["--files", $0] })
        #expect(command.exitCode() == 0, "\(command.errors)")
        #expect(command.output == (0..<40).map { "\($0).txt=<\($0)>" }.joined(separator: " ") + "\n")
    }

    @Test(arguments: [("true", 40), ("false", 40), ("true", 3), ("false", 3)])
    func `forty files come out of a run under names that are all different`(inMemory: String, count: Int) throws {
        let daemon = try Daemon()
        let out = try daemon.makeFolder("out")
        let run = try daemon.intentctl(
            "run",
            "--out",
            out.path,
            "Probe/MakeFiles",
            "--count",
            "\(count)",
            "--in-memory=\(inMemory)"
        )
        #expect(run.code == 0, "\(run.errors)")
        let contents = try FileManager.default.contentsOfDirectory(atPath: out.path).map { name in
            try String(contentsOf: out.appending(path: name), encoding: .utf8)
        }
        #expect(contents.sorted() == (0..<count).map { "\($0)" }.sorted())
        // Who asked has them: nothing of them is kept.
        try eventually("nothing is kept") { try daemon.keptResults.isEmpty }
    }

    @Test(arguments: ["memory", "here", "below"])
    func `the file of a detached run is kept until it is fetched, also through a kill of intentd`(place: String) throws
    {
        let daemon = try Daemon(sharesLauncher: true)
        let run = try daemon.detach("Probe/MakeFile", "--place", place, "--text", "kept")
        _ = try daemon.intentctl("watch", run)
        #expect(try daemon.keptResults == [run])
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let next = try Daemon(after: daemon)
        let out = try next.makeFolder("out")
        let kept = try next.intentctl("fetch", "--keep", "--out", out.path, run)
        #expect(kept.code == 0, "\(kept.errors)")
        let fetched = try next.intentctl("fetch", "--out", out.path, run)
        let paths = (kept.output + fetched.output).split(separator: "\n").map(String.init)
        #expect(paths.count == 2 && Set(paths).count == 2)
        for path in paths { #expect(try String(contentsOfFile: path, encoding: .utf8) == "kept") }
        let again = try next.intentctl("fetch", "--out", out.path, run)
        #expect(again.code == 66)
        #expect(again.errors.contains("not kept any more"))
        try eventually("nothing is kept") { try next.keptResults.isEmpty }
    }

    @Test func `whoever waits for his run gets its file, at whatever step intentd is killed`() throws {
        var daemon = try Daemon(sharesLauncher: true)
        let out = try daemon.makeFolder("out")
        var deathCount = 0
        // Debug builds alone have these places.
        for fault in stride(from: 20, to: 110, by: 3) {
            daemon.signal(SIGKILL)
            _ = daemon.exitCode()
            daemon = try Daemon(after: daemon, environment: ["INTENTD_FAULT": "\(fault)"])
            let command = try daemon.start(["run", "--out", out.path, "Probe/MakeFile", "--place", "memory"])
            try eventually("it or its intentd has ended") { !command.isRunning || !daemon.isRunning }
            if !daemon.isRunning {
                deathCount += 1
                daemon = try Daemon(after: daemon)
            }
            // One that found nobody has asked for nothing.
            if command.exitCode() == 69, command.errors.contains("no intentd listens") { continue }
            #expect(command.exitCode() == 0, "at \(fault): \(command.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: out.path).count == 1, "at \(fault)")
            for file in try FileManager.default.contentsOfDirectory(at: out, includingPropertiesForKeys: nil) {
                try FileManager.default.removeItem(at: file)
            }
        }
        #expect(deathCount > 5)
    }

    @Test func `a queued run has its files still when intentd was killed`() throws {
        let daemon = try Daemon(configuration: ["MaxRuns=1"], sharesLauncher: true)
        let first = try daemon.detach("Probe/AwaitFile")
        let file = daemon.folder.appending("a.txt")
        try Data("through it".utf8).write(to: file)
        let run = try daemon.detach("Probe/ReadFiles", "--files", file.path)
        #expect(try daemon.run(in: "queued") == run)
        try FileManager.default.removeItem(at: file)
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let second = try Daemon(after: daemon)
        second.signal(SIGKILL)
        _ = second.exitCode()
        let next = try Daemon(after: second)
        try next.bring()
        let end = try next.intentctl("wait", run)
        #expect(end.output == "a.txt=through it\n", "\(end.errors)")
        #expect(try next.intentctl("wait", first).code == 0)
    }

    @Test func `a queued run has its files still, at whatever step of taking over intentd is killed`() throws {
        var daemon = try Daemon(configuration: ["MaxRuns=1"], sharesLauncher: true)
        let slow = try daemon.detach("Probe/Slow", "--seconds", "60")
        let files = try (0..<20).map { number in
            let file = daemon.folder.appending("\(number).txt")
            try Data("<\(number)>".utf8).write(to: file)
            return file
        }
        let run = try daemon.detach(["Probe/ReadFiles"] + files.flatMap { ["--files", $0.path] })
        #expect(try daemon.run(in: "queued") == run)
        for file in files { try FileManager.default.removeItem(at: file) }
        // Debug builds alone have these places; the first is where the files were just found.
        for fault in 0..<12 {
            daemon.signal(SIGKILL)
            _ = daemon.exitCode()
            daemon = try Daemon(after: daemon, environment: ["INTENTD_FAULT": "\(fault)"])
        }
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let last = try Daemon(after: daemon)
        #expect(try last.intentctl("cancel", slow).code == 0)
        let end = try last.intentctl("wait", run)
        #expect(end.output == (0..<20).map { "\($0).txt=<\($0)>" }.joined(separator: " ") + "\n", "\(end.errors)")
    }

    @Test func `a queued run has its files still when the record comes late`() throws {
        let daemon = try Daemon(configuration: ["MaxRuns=1"], sharesLauncher: true)
        _ = try daemon.detach("Probe/Slow", "--seconds", "60")
        let file = daemon.folder.appending("a.txt")
        try Data("through it".utf8).write(to: file)
        let run = try daemon.detach("Probe/ReadFiles", "--files", file.path)
        #expect(try daemon.run(in: "queued") == run)
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let record = daemon.folder.appending("state/history.sqlite").path
        for suffix in ["", "-wal", "-shm"] { rename(record + suffix, record + ".away" + suffix) }
        // No database at all: what still works is given up after a while, and nobody knows of what waits.
        try Data(repeating: 7, count: 8192).write(to: URL(fileURLWithPath: record))
        let next = try Daemon(after: daemon)
        #expect(try next.intentctl("run", "Probe/Echo", "--text", "a").code == 75)
        // The file itself last: it is looked at again and again, and what is beside it belongs to it.
        for suffix in ["-wal", "-shm", ""] { rename(record + ".away" + suffix, record + suffix) }
        var end = (code: Int32(0), output: "", errors: "")
        try eventually("it is on record again: \(end)") {
            // Whoever asks for a run has the file looked at again.
            guard try next.intentctl("run", "Probe/Echo", "--text", "a").code == 0 else { return false }
            end = try next.intentctl("wait", run)
            return end.code == 0
        }
        #expect(end.output == "a.txt=through it\n", "\(end.errors)")
    }

    @Test func `a file that the run may change is changed, and only where the line says so`() throws {
        let daemon = try Daemon()
        let file = daemon.folder.appending("log.txt")
        try Data("first ".utf8).write(to: file)
        let reading = try daemon.intentctl("run", "Probe/AppendText", "--file", file.path)
        #expect(reading.code == 1, "\(reading)")
        #expect(try String(contentsOf: file, encoding: .utf8) == "first ")
        let writing = try daemon.intentctl("run", "--writable", "file", "Probe/AppendText", "--file", file.path)
        #expect(writing.code == 0, "\(writing)")
        #expect(try String(contentsOf: file, encoding: .utf8) == "first appended")
        for (name, words) in [("text", "is for a file"), ("flie", "no parameter 'flie'")] {
            let refused = try daemon.intentctl("run", "--writable", name, "Probe/AppendText", "--file", file.path)
            #expect(refused.code == 64)
            #expect(refused.errors.contains(words), "\(refused)")
        }
        let standardInput = try daemon.intentctl("run", "--writable", "file", "Probe/AppendText", "--file", "-")
        #expect(standardInput.code == 64, "\(standardInput)")
    }

    @Test func `files of a refused result are not kept`() throws {
        let daemon = try Daemon()
        let client = try SocketClient(daemon)
        // The first is there, and kept by then; the second is not.
        let value = #"[{"file":{"index":0,"name":"a"}},{"file":{"index":1,"name":"b"}}]"#
        let files = #"[{"path":"go.awaited"},{"path":"no-such"}]"#
        let payload = #"{"type":"finished","ending":{"kind":"returned","value":\#(value)},"files":\#(files)}"#
        let run = try client.perform("Raw", ["payload": payload, "awaited": "go"])
        let folder = try daemon.runFolder(holding: "go.awaited")
        try Data().write(to: folder.appending(path: "go"))
        let outcome = try client.outcome(of: run)
        #expect(outcome["kind"] as? String == "failed", "\(outcome)")
        #expect((outcome["message"] as? String)?.contains("no-such") == true, "\(outcome)")
        try eventually("nothing is kept") { try daemon.keptResults.isEmpty }
    }

    @Test func `a worker that writes on behind its result ends at DiskMax, and the result stays`() throws {
        let daemon = try Daemon(limits: ["Grace=60s"], sandbox: ["DiskMax=24M"])
        let run = try daemon.detach("Probe/WritesOn", "--count", "16")
        // Its files have no other name any more than those where they are kept.
        try eventually("nothing is left of it") { try daemon.json("show", run)["goneMilliseconds"] != nil }
        let story = try daemon.json("show", run)
        #expect(story["outcome"] as? String == "done", "\(story)")
        #expect((story["processEnd"] as? [String: Any])?["signaled"] as? Int == 9, "\(story)")
        let folder = daemon.folder.appending("cache/results/\(run)")
        let sizes = try (0..<16).map { try daemon.blockByteCount(of: folder.appending(path: "\($0)")) }
        // What it would have written is 16 times 20 MiB.
        #expect(sizes.reduce(0, +) < 200 << 20, "\(sizes)")
    }

    @Test func `more in memory than DiskMax allows is not kept, and the run says so`() throws {
        let daemon = try Daemon(sandbox: ["DiskMax=1M"])
        func make(_ count: Int) throws -> (code: Int32, output: String, errors: String) {
            let words = ["--in-memory", "--byte-count", "400000", "--count", "\(count)"]
            let command = try daemon.start(["run", "--out", daemon.folder.url.path, "Probe/MakeFiles"] + words)
            return (command.exitCode(), command.output, command.errors)
        }
        let refused = try make(4)
        #expect(refused.code == 1, "\(refused)")
        #expect(refused.errors.contains("DiskMax="), "\(refused)")
        try eventually("nothing is kept") { try daemon.keptResults.isEmpty }
        #expect(try make(2).code == 0)
    }

    @Test func `four gigabytes go in and out, and nobody has them in memory`() throws {
        let daemon = try Daemon(sandbox: ["DiskMax=8G", "MemoryMax=200M"])
        let out = try daemon.makeFolder("out")
        let made = try daemon.intentctl("run", "--out", out.path, "Probe/MakeSparse", "--gigabytes", "4")
        #expect(made.code == 0, "\(made.errors)")
        let path = out.appending(path: "sparse.img")
        let status = try File.status(at: path.path)
        #expect(status.byteCount == 4 << 30)
        #expect(try daemon.blockByteCount(of: path) < 16 << 20, "holes stay holes")
        let weighed = try daemon.intentctl("run", "Probe/WeighFile", "--file", path.path)
        #expect(weighed.output == "\(4 << 30) last\n", "\(weighed.errors)")
        #expect(try daemon.peakMemoryByteCount < 200 << 20)
    }

    @Test(arguments: ["folder", "device", "socket", "writable", "path", "write-only"])
    func `what is no file open for reading alone is refused, and the reason is told`(kind: String) throws {
        let daemon = try Daemon()
        let descriptor: SharedFileDescriptor
        let path = daemon.folder.appending("file.txt").path
        try Data("text".utf8).write(to: URL(fileURLWithPath: path))
        switch kind {
        case "folder": descriptor = SharedFileDescriptor(try File.open("/", O_RDONLY | O_DIRECTORY))
        case "device": descriptor = SharedFileDescriptor(try File.open("/dev/zero"))
        case "socket": descriptor = try UnixSocket.Pair(.stream).take().first
        case "writable": descriptor = SharedFileDescriptor(try File.open(path, O_RDWR))
        case "path": descriptor = SharedFileDescriptor(try File.openPath(path))
        default: descriptor = SharedFileDescriptor(try File.open(path, O_WRONLY))
        }
        let words = [
            "folder": "a directory", "device": "a device", "socket": "a socket", "writable": "open for writing",
            "path": "not open for reading", "write-only": "not open for reading",
        ]
        let client = try SocketClient(daemon)
        var request = SocketClient.performance(of: "WeighFile", ["file": ["file": ["index": 0, "name": "a.txt"]]])
        request["files"] = 1
        let answer = try client.ask(request, descriptors: [descriptor])
        let error = try #require(answer["error"] as? [String: Any], "\(answer)")
        #expect((error["message"] as? String)?.contains(try #require(words[kind])) == true, "\(error)")
        if kind == "writable" {
            request["writable"] = [0]
            #expect(try client.ask(request, descriptors: [descriptor])["type"] as? String == "accepted")
        }
    }

    @Test func `a file of another type than the intent takes is refused before it performs`() throws {
        let daemon = try Daemon()
        let picture = daemon.folder.appending("a.png")
        try Data("no picture".utf8).write(to: picture)
        let run = try daemon.intentctl("run", "Probe/ReadFiles", "--files", picture.path)
        #expect(run.code != 0)
        #expect(run.errors.contains("public.png"), "\(run.errors)")
    }

    @Test func `a file is the answer to a question`() throws {
        let daemon = try Daemon()
        let file = daemon.folder.appending("answer.txt")
        try Data("in the middle".utf8).write(to: file)
        let run = try daemon.detach("Probe/AskForFile")
        #expect(try daemon.run(in: "asking") == run)
        let missing = try daemon.intentctl("answer", run, "no-such.txt")
        #expect(missing.code == 64, "\(missing.errors)")
        #expect(try daemon.intentctl("answer", run, file.path).code == 0)
        let end = try daemon.intentctl("wait", run)
        #expect(end.output == "answer.txt=in the middle\n", "\(end.errors)")
    }

    @Test func `bytes come by standard input and by a named pipe`() throws {
        let daemon = try Daemon()
        let file = daemon.folder.appending("in.txt")
        try Data("from stdin".utf8).write(to: file)
        let run = try daemon.intentctl("run", "Probe/Measure", "--file", "-", input: file)
        #expect(run.output.hasPrefix("stdin"), "\(run.errors)")
        let pipe = daemon.folder.appending("pipe.txt")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        let reading = try daemon.start(["run", "Probe/ReadFiles", "--files", pipe.path])
        try Data("from a pipe".utf8).write(to: pipe)
        reading.exitCode()
        #expect(reading.output == "pipe.txt=from a pipe\n", "\(reading.errors)")
    }
}
