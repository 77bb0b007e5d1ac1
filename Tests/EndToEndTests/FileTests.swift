import Foundation
import Glibc
import IntentLinux
import TestSupport
import Testing

/// Tests files that are passed to runs or returned by runs.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct FileTests {
    @Test func `a run can receive forty files, more than one message can carry`() throws {
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
    func `a run can return forty files, each with its own name`(inMemory: String, count: Int) throws {
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
        // The client has received the files, so intentd keeps none.
        try eventually("no result is kept") { try daemon.keptResults.isEmpty }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to mount a full disk"), arguments: ["3", "40"])
    func `a result that the client cannot store is kept until a client has stored it`(count: String) throws {
        let daemon = try Daemon()
        let (full, out) = (try daemon.makeFolder("full"), try daemon.makeFolder("out"))
        let script = "mount -t tmpfs -o size=4k,nr_inodes=3 full '\(full.path)' && exec \"$0\" \"$@\""
        let command = try Command(
            URL(filePath: "/usr/bin/unshare"),
            ["-m", "sh", "-c", script, Programs.intentctl.path, "--socket", daemon.socket]
                + ["run", "--out", full.path, "Probe/MakeFiles", "--count", count, "--in-memory=false"]
        )
        #expect(command.exitCode() == 71, "\(command.errors)")
        let run = try daemon.newestRun()
        #expect(command.errors.contains("fetch \(run) --out FOLDER"), "\(command.errors)")
        #expect(try daemon.keptResults == [run])
        let fetched = try daemon.intentctl("fetch", "--out", out.path, run)
        #expect(fetched.code == 0, "\(fetched.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: out.path).count == Int(count))
        try eventually("no result is kept") { try daemon.keptResults.isEmpty }
    }

    @Test(arguments: ["memory", "here", "below"])
    func `the file of a detached run is kept until it is fetched, even if intentd is killed`(place: String) throws {
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
        #expect(again.errors.contains("no longer kept"))
        try eventually("nothing is kept") { try next.keptResults.isEmpty }
    }

    @Test func `a client that waits for its run gets the file, at whatever step intentd is killed`() throws {
        var daemon = try Daemon(sharesLauncher: true)
        let out = try daemon.makeFolder("out")
        var deathCount = 0
        // Only debug builds have these fault points.
        for fault in stride(from: 20, to: 110, by: 3) {
            daemon.signal(SIGKILL)
            _ = daemon.exitCode()
            daemon = try Daemon(after: daemon, environment: ["INTENTD_FAULT": "\(fault)"])
            let command = try daemon.start(["run", "--out", out.path, "Probe/MakeFile", "--place", "memory"])
            try eventually("the client or intentd has exited") { !command.isRunning || !daemon.isRunning }
            if !daemon.isRunning {
                deathCount += 1
                daemon = try Daemon(after: daemon)
            }
            // A client that could not connect has requested nothing.
            if command.exitCode() == 69, command.errors.contains("no intentd listens") { continue }
            #expect(command.exitCode() == 0, "at \(fault): \(command.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: out.path).count == 1, "at \(fault)")
            for file in try FileManager.default.contentsOfDirectory(at: out, includingPropertiesForKeys: nil) {
                try FileManager.default.removeItem(at: file)
            }
        }
        #expect(deathCount > 5)
    }

    @Test func `a queued run keeps its files when intentd is killed`() throws {
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

    @Test func `a queued run keeps its files, at whatever step of an adoption intentd is killed`() throws {
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
        // Only debug builds have these fault points. The first is right after the files are found.
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

    @Test func `a queued run keeps its files when the history becomes readable late`() throws {
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
        // The file is not a database, so intentd stops reading it after a while, and the queued run is unknown to it.
        try Data(repeating: 7, count: 8192).write(to: URL(fileURLWithPath: record))
        let next = try Daemon(after: daemon)
        #expect(try next.intentctl("run", "Probe/Echo", "--text", "a").code == 75)
        // The database moves last, because intentd retries it and must find its log beside it.
        for suffix in ["-wal", "-shm", ""] { rename(record + ".away" + suffix, record + suffix) }
        var end = (code: Int32(0), output: "", errors: "")
        try eventually("the run is known again: \(end)") {
            // Each request for a run makes intentd retry the file.
            guard try next.intentctl("run", "Probe/Echo", "--text", "a").code == 0 else { return false }
            end = try next.intentctl("wait", run)
            return end.code == 0
        }
        #expect(end.output == "a.txt=through it\n", "\(end.errors)")
    }

    @Test func `a run can change a file only if --writable names its parameter`() throws {
        let daemon = try Daemon()
        let file = daemon.folder.appending("log.txt")
        try Data("first ".utf8).write(to: file)
        let reading = try daemon.intentctl("run", "Probe/AppendText", "--file", file.path)
        #expect(reading.code == 1, "\(reading)")
        #expect(try String(contentsOf: file, encoding: .utf8) == "first ")
        let writing = try daemon.intentctl("run", "--writable", "file", "Probe/AppendText", "--file", file.path)
        #expect(writing.code == 0, "\(writing)")
        #expect(try String(contentsOf: file, encoding: .utf8) == "first appended")
        for (name, words) in [("text", "expected a parameter for a file"), ("flie", "no parameter 'flie'")] {
            let refused = try daemon.intentctl("run", "--writable", name, "Probe/AppendText", "--file", file.path)
            #expect(refused.code == 64)
            #expect(refused.errors.contains(words), "\(refused)")
        }
        let standardInput = try daemon.intentctl("run", "--writable", "file", "Probe/AppendText", "--file", "-")
        #expect(standardInput.code == 64, "\(standardInput)")
    }

    @Test func `a file can be read and changed by its path, too`() throws {
        let daemon = try Daemon()
        let file = daemon.folder.appending("log.txt")
        try Data("first ".utf8).write(to: file)
        func append(_ way: String, _ options: String...) throws -> Int32 {
            let intent = ["Probe/AppendText", "--file", file.path, "--way", way, "--text", way]
            return try daemon.start(["run"] + options + intent).exitCode()
        }
        #expect(try append("path") == 1)
        #expect(try String(contentsOf: file, encoding: .utf8) == "first ")
        let inode = try File.status(at: file.path).inode
        #expect(try append("path", "--writable", "file") == 0)
        #expect(try append("replacement", "--writable", "file") == 0)
        #expect(try String(contentsOf: file, encoding: .utf8) == "first pathreplacement")
        #expect(try File.status(at: file.path).inode == inode)
    }

    @Test func `an empty list prints nothing`() throws {
        let run = try Daemon().intentctl("run", "Probe/MakeFiles", "--count", "0")
        #expect(run.code == 0)
        #expect(run.output == "")
    }

    @Test func `files of a refused result are not kept`() throws {
        let daemon = try Daemon()
        let client = try SocketClient(daemon)
        // The first file exists, and is already kept when the second is found missing.
        let value = #"[{"file":{"index":0,"name":"a"}},{"file":{"index":1,"name":"b"}}]"#
        let files = #"[{"path":"go.awaited"},{"path":"no-such"}]"#
        let payload = #"{"type":"finished","ending":{"kind":"returned","value":\#(value)},"files":\#(files)}"#
        let run = try client.perform("Raw", ["payload": payload, "awaited": "go"])
        let folder = try daemon.runFolder(holding: "go.awaited")
        try Data().write(to: folder.appending(path: "go"))
        let outcome = try client.outcome(of: run)
        #expect(outcome["kind"] as? String == "failed", "\(outcome)")
        #expect((outcome["message"] as? String)?.contains("no-such") == true, "\(outcome)")
        try eventually("no result is kept") { try daemon.keptResults.isEmpty }
    }

    @Test func `a worker that keeps writing after its result is killed at DiskMax, and the result is kept`() throws {
        let daemon = try Daemon(limits: ["Grace=60s"], sandbox: ["DiskMax=24M"])
        let run = try daemon.detach("Probe/WritesOn", "--count", "16")
        // By then the run folder is removed, and the files have only their names in the results folder.
        try eventually("the worker has exited") { try daemon.json("show", run)["exitedMilliseconds"] != nil }
        let story = try daemon.json("show", run)
        #expect(story["outcome"] as? String == "done", "\(story)")
        #expect((story["processEnd"] as? [String: Any])?["signaled"] as? Int == 9, "\(story)")
        let folder = daemon.folder.appending("cache/results/\(run)")
        let sizes = try (0..<16).map { try daemon.blockByteCount(of: folder.appending(path: "\($0)")) }
        // Without the limit it would have written 16 times 20 MiB.
        #expect(sizes.reduce(0, +) < 200 << 20, "\(sizes)")
    }

    @Test func `result files in memory beyond DiskMax fail the run, and are not kept`() throws {
        let daemon = try Daemon(sandbox: ["DiskMax=1M"])
        func make(_ count: Int) throws -> (code: Int32, output: String, errors: String) {
            let words = ["--in-memory", "--byte-count", "400000", "--count", "\(count)"]
            let command = try daemon.start(["run", "--out", daemon.folder.url.path, "Probe/MakeFiles"] + words)
            return (command.exitCode(), command.output, command.errors)
        }
        let refused = try make(4)
        #expect(refused.code == 1, "\(refused)")
        #expect(refused.errors.contains("DiskMax="), "\(refused)")
        try eventually("no result is kept") { try daemon.keptResults.isEmpty }
        #expect(try make(2).code == 0)
    }

    @Test func `four gigabytes are passed in and out without being held in memory`() throws {
        let daemon = try Daemon(sandbox: ["DiskMax=8G", "MemoryMax=200M"])
        let out = try daemon.makeFolder("out")
        let made = try daemon.intentctl("run", "--out", out.path, "Probe/MakeSparse", "--gigabytes", "4")
        #expect(made.code == 0, "\(made.errors)")
        let path = out.appending(path: "sparse.img")
        let status = try File.status(at: path.path)
        #expect(status.byteCount == 4 << 30)
        #expect(try daemon.blockByteCount(of: path) < 16 << 20, "the copy is not sparse")
        let weighed = try daemon.intentctl("run", "Probe/WeighFile", "--file", path.path)
        #expect(weighed.output == "\(4 << 30) last\n", "\(weighed.errors)")
        #expect(try daemon.peakMemoryByteCount < 200 << 20)
    }

    @Test(arguments: ["folder", "device", "socket", "writable", "path", "write-only"])
    func `a descriptor that is not a file open read-only is refused with the reason`(kind: String) throws {
        let daemon = try Daemon()
        let descriptor: SharedFileDescriptor
        let path = daemon.folder.appending("file.txt").path
        try Data("text".utf8).write(to: URL(fileURLWithPath: path))
        switch kind {
        case "folder": descriptor = SharedFileDescriptor(try File.open("/", O_RDONLY | O_DIRECTORY))
        case "device": descriptor = SharedFileDescriptor(try File.open("/dev/zero"))
        case "socket": descriptor = try UnixSocket.Pair(.stream).shared().first
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

    @Test func `a file of the wrong type is refused before the intent performs`() throws {
        let daemon = try Daemon()
        let picture = daemon.folder.appending("a.png")
        try Data("not a picture".utf8).write(to: picture)
        let run = try daemon.intentctl("run", "Probe/ReadFiles", "--files", picture.path)
        #expect(run.code != 0)
        #expect(run.errors.contains("public.png"), "\(run.errors)")
    }

    @Test func `a file can be the answer to a question`() throws {
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

    @Test func `a file parameter accepts standard input and a named pipe`() throws {
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
