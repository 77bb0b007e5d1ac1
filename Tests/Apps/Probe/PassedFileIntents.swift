import AppIntents
import Foundation
import Glibc

/// Writes files of 1 MiB each, and returns their descriptors. Files without names have none from the start.
private func fill(_ folder: String, mebibytes: Int, isNameless: Bool = false) -> [Int32] {
    let mebibyte = [UInt8](repeating: 7, count: 1 << 20)
    return (0..<mebibytes).map { number in
        let path = "\(folder)/filled-\(number)"
        let file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        if isNameless { unlink(path) }
        _ = mebibyte.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        return file
    }
}

struct HoldFile: AppIntent {
    static let title: LocalizedStringResource = "Hold a file, and later exceed the disk limit"

    @Parameter(title: "File") var file: IntentFile
    @Parameter(title: "MiB", default: 40) var count: Int

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        try await appearance(of: "go")
        _ = fill(".", mebibytes: count)
        try await Task.sleep(for: .seconds(600))
        return .result(value: file.filename)
    }
}

struct FillState: AppIntent {
    static let title: LocalizedStringResource = "Write to the state folder"

    @Parameter(title: "MiB") var count: Int
    @Parameter(title: "Without names", default: false) var isNameless: Bool
    @Parameter(title: "Waits", default: true) var waits: Bool

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        let folder = getenv("STATE_DIRECTORY").map { String(cString: $0) } ?? "/nowhere"
        let files = fill(folder, mebibytes: count, isNameless: isNameless)
        // Long enough for a measurement of the disk usage.
        if waits { try await Task.sleep(for: .seconds(600)) }
        for file in files { close(file) }
        return .result(value: folder)
    }
}

struct TamperWithFile: AppIntent {
    static let title: LocalizedStringResource = "Return the operations other than reading that a file permits"

    @Parameter(title: "File") var file: IntentFile

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        .result(value: try file.withFileDescriptor { Self.operations(on: $0).joined(separator: " ") })
    }

    private static func operations(on descriptor: Int32) -> [String] {
        var operations: [String] = []
        let path = "/proc/self/fd/\(descriptor)"
        for (name, flags) in [("writing", O_WRONLY), ("both", O_RDWR), ("emptying", O_WRONLY | O_TRUNC)] {
            let writable = open(path, flags | O_NONBLOCK | O_CLOEXEC)
            guard writable >= 0 else { continue }
            // A sealed file can be opened for writing, but not written.
            if write(writable, "!", 1) == 1 || ftruncate(writable, 0) == 0 { operations.append(name) }
            close(writable)
        }
        if ftruncate(descriptor, 0) == 0 { operations.append("truncate") }
        if posix_fallocate(descriptor, 0, 1 << 20) == 0 { operations.append("allocate") }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { operations.append("lock") }
        if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { operations.append("share") }
        var part = Glibc.flock()
        part.l_type = Int16(F_RDLCK)
        part.l_whence = Int16(SEEK_SET)
        // F_OFD_SETLK, F_SETLEASE.
        if fcntl(descriptor, 37, &part) == 0 { operations.append("part") }
        if fcntl(descriptor, 1024, F_RDLCK) == 0 { operations.append("lease") }
        return operations
    }
}

/// Sends its result, and writes to the result file when the test creates a file.
struct RewriteResult: AppIntent {
    static let title: LocalizedStringResource = "Change a result file after returning it"

    func perform() async throws -> some IntentResult {
        let file = open("out", O_CREAT | O_RDWR, 0o600)
        write(file, "first", 5)
        let payload =
            #"{"type":"finished","ending":{"kind":"returned","value":{"file":{"index":0,"name":"out"}}},"#
            + #""files":[{"path":"out"}]}"#
        let bytes = Array(payload.utf8)
        let record = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bytes.count >> $0) } + bytes
        // The library flushes before the process exits. This lock blocks it.
        flockfile(stdout)
        guard write(3, record, record.count) == record.count else { throw CustomFailure(message: "not sent") }
        try await appearance(of: "go")
        pwrite(file, "other", 5, 0)
        close(open("rewritten", O_CREAT | O_WRONLY, 0o600))
        sleep(600)
        return .result()
    }
}
