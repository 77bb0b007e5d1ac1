import Glibc
import IntentLauncherMessages
import IntentLinux

/// The time to pass a large file into a run and out of it, compared with cp. Only the worker reads the file.
enum FileFigures {
    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let options = workbench.options
        let megabytes = options.count(1024, quick: 256)
        let app = BenchmarkDaemon.App(name: "Plain", sandbox: ["DiskMax=4G"])
        let daemon = try BenchmarkDaemon(workbench.programs, apps: [app])
        let client = try daemon.connect()
        let path = "\(daemon.folder.path)/large"
        try fill(path, megabytes: megabytes)
        var request = try PreparedPerform(
            app: "Plain",
            intent: "CopyFile",
            values: ["file": .file(FileReference(index: 0, name: "large"))],
            fileCount: 1
        )
        var ours = Samples(), cp = Samples()
        // A run reads from the descriptor's offset, so the file is opened for each run.
        func perform() throws -> Int64 {
            try client.perform(&request, files: [SharedFileDescriptor(try File.open(path))])
        }
        _ = try perform()
        for _ in 0..<options.count(9, quick: 3) {
            cp.append(nanoseconds: try copy(path, to: path + ".copy"))
            ours.append(nanoseconds: try perform())
        }
        let launcher = daemon.family.first { $0.name.hasPrefix("intentd-launche") }
        let peak = [daemon.number, launcher?.number].compactMap(\.self)
            .compactMap { ProcessTable.megabytes("VmHWM", in: "status", of: $0) }
        return [
            Figure("files", "\(megabytes) MB in and out of a run", .milliseconds, ours)
                .beside([Comparison("cp", cp)]),
            Figure(
                "files",
                "peak memory of intentd and launcher meanwhile",
                .megabytes,
                value: peak.isEmpty ? nil : peak.reduce(0, +),
                goals: [.atMost(.p50, 100)]
            ),
        ]
    }

    private static func fill(_ path: String, megabytes: Int) throws {
        let file = try File.open(path, O_WRONLY | O_CREAT | O_TRUNC, permissions: 0o644)
        let block = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for _ in 0..<megabytes { try File.write(file.rawValue, block[...]) }
    }

    private static func copy(_ path: String, to copy: String) throws -> Int64 {
        _ = unlink(copy)
        let begin = ClockReading.monotonicNanoseconds()
        var process = pid_t()
        let words: [UnsafeMutablePointer<CChar>?] = [strdup("cp"), strdup(path), strdup(copy), nil]
        defer { for word in words { free(word) } }
        guard posix_spawnp(&process, "cp", nil, nil, words, environ) == 0 else {
            throw BenchmarkError("cannot start cp")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw BenchmarkError("cp failed; check the free disk space") }
        return ClockReading.monotonicNanoseconds() - begin
    }
}
