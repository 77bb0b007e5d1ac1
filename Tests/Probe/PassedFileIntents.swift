import AppIntents
import Foundation
import Glibc

/// Writes so many files of a MiB each.
private func fill(_ folder: String, mebibytes: Int) -> [Int32] {
    let mebibyte = [UInt8](repeating: 7, count: 1 << 20)
    return (0..<mebibytes).map { number in
        let file = open("\(folder)/filled-\(number)", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        _ = mebibyte.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        return file
    }
}

struct HoldFile: AppIntent {
    static let title: LocalizedStringResource = "Hold a file until told to write more than the limit allows"

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
    static let title: LocalizedStringResource = "Write into the state folder"

    @Parameter(title: "MiB") var count: Int
    @Parameter(title: "Without names", default: false) var isNameless: Bool
    @Parameter(title: "Waits", default: true) var waits: Bool

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        let folder = getenv("STATE_DIRECTORY").map { String(cString: $0) } ?? "/nowhere"
        let files = fill(folder, mebibytes: count)
        if isNameless { for number in 0..<count { unlink("\(folder)/filled-\(number)") } }
        // Long enough for a look at what is written.
        if waits { try await Task.sleep(for: .seconds(600)) }
        for file in files { close(file) }
        return .result(value: folder)
    }
}

struct TamperWithFile: AppIntent {
    static let title: LocalizedStringResource = "Tell what else than reading can be done with a file"

    @Parameter(title: "File") var file: IntentFile

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        .result(value: try file.withFileDescriptor { Self.deeds(with: $0).joined(separator: " ") })
    }

    private static func deeds(with descriptor: Int32) -> [String] {
        var deeds: [String] = []
        let path = "/proc/self/fd/\(descriptor)"
        for (name, flags) in [("writing", O_WRONLY), ("both", O_RDWR), ("emptying", O_WRONLY | O_TRUNC)] {
            let writable = open(path, flags | O_NONBLOCK | O_CLOEXEC)
            guard writable >= 0 else { continue }
            // What is sealed opens, and takes nothing.
            if write(writable, "!", 1) == 1 || ftruncate(writable, 0) == 0 { deeds.append(name) }
            close(writable)
        }
        if ftruncate(descriptor, 0) == 0 { deeds.append("truncate") }
        if posix_fallocate(descriptor, 0, 1 << 20) == 0 { deeds.append("allocate") }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { deeds.append("lock") }
        if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { deeds.append("share") }
        var part = Glibc.flock()
        part.l_type = Int16(F_RDLCK)
        part.l_whence = Int16(SEEK_SET)
        // F_OFD_SETLK, F_SETLEASE.
        if fcntl(descriptor, 37, &part) == 0 { deeds.append("part") }
        if fcntl(descriptor, 1024, F_RDLCK) == 0 { deeds.append("lease") }
        return deeds
    }
}

/// Sends its result, and writes into its file when it is told to.
struct RewriteResult: AppIntent {
    static let title: LocalizedStringResource = "Write into a result's file behind the result"

    func perform() async throws -> some IntentResult {
        let file = open("out", O_CREAT | O_RDWR, 0o600)
        write(file, "first", 5)
        let payload =
            #"{"type":"finished","ending":{"kind":"returned","value":{"file":{"index":0,"name":"out"}}},"#
            + #""files":[{"path":"out"}]}"#
        let bytes = Array(payload.utf8)
        let record = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bytes.count >> $0) } + bytes
        // The process flushes before it ends, and waits for this lock.
        flockfile(stdout)
        guard write(3, record, record.count) == record.count else { throw CustomFailure(message: "not sent") }
        try await appearance(of: "go")
        pwrite(file, "other", 5, 0)
        close(open("rewritten", O_CREAT | O_WRONLY, 0o600))
        sleep(600)
        return .result()
    }
}
