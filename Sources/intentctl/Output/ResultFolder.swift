import Glibc
import IntentClient

/// Where result files are written, and nothing is ever overwritten.
struct ResultFolder {
    private let path: String

    /// - Throws: when the folder cannot take files.
    init(path: String) throws(CommandFailure) {
        self.path = path
        guard access(path, W_OK | X_OK) == 0 else {
            throw Self.failure(
                .usage,
                "cannot write into '\(path)'",
                errno,
                hint: "make the folder first, or name another with --out."
            )
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw Self.failure(.usage, "'\(path)' is not a folder", ENOTDIR, hint: "name a folder with --out.")
        }
    }

    /// Copies a file into the folder.
    ///
    /// - Returns: The path that it got.
    func save(_ file: RunFile) throws(CommandFailure) -> String {
        let (target, path) = try create(SafeFileName.of(file.name))
        do throws(CommandFailure) {
            try file.withDescriptor { source throws(CommandFailure) in try Self.copy(source, to: target, path) }
        } catch {
            close(target)
            // Half a file is worse than none.
            unlink(path)
            throw error
        }
        // Some file systems tell of a full disk only here.
        guard close(target) == 0 else {
            throw Self.failure(.resourceLimit, "cannot write '\(path)'", errno, hint: "free some space.")
        }
        return path
    }

    private func create(_ name: String) throws(CommandFailure) -> (descriptor: Int32, path: String) {
        for attempt in 0..<1000 {
            let candidate = SafeFileName.numbered(name, attempt)
            let path = path == "." ? candidate : "\(path)/\(candidate)"
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
            if descriptor >= 0 { return (descriptor, path) }
            if errno != EEXIST {
                throw Self.failure(
                    .resourceLimit,
                    "cannot create '\(path)'",
                    errno,
                    hint: "name another folder with --out."
                )
            }
        }
        throw Self.failure(
            .resourceLimit,
            "'\(name)' and its numbered names are taken",
            EEXIST,
            hint: "name another folder with --out."
        )
    }

    private static func copy(_ source: Int32, to target: Int32, _ path: String) throws(CommandFailure) {
        // The daemon may hold the same open file, whose offset is shared: read from positions of our own.
        var offset: off_t = 0
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let received = pread(source, &buffer, buffer.count, offset)
            if received < 0, errno == EINTR { continue }
            guard received >= 0 else {
                throw failure(
                    .resourceLimit,
                    "cannot read the result for '\(path)'",
                    errno,
                    hint: "run the intent again."
                )
            }
            if received == 0 { return }
            offset += off_t(received)
            var rest = buffer[..<received]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes { write(target, $0.baseAddress, $0.count) }
                if sent < 0, errno == EINTR { continue }
                guard sent >= 0 else {
                    throw failure(
                        .resourceLimit,
                        "cannot write '\(path)'",
                        errno,
                        hint: "free some space, or name another folder with --out."
                    )
                }
                rest = rest.dropFirst(sent)
            }
        }
    }

    private static func failure(_ code: ExitCode, _ message: String, _ number: Int32, hint: String) -> CommandFailure {
        CommandFailure(code, code: "output", "\(message): \(String(cString: strerror(number)))", hint: hint)
    }
}
