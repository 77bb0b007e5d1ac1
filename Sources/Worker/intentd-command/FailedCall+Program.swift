package import IntentLauncherMessages

/// The failed system call that a program names when it ends, as evidence for the setting that caused the end.
extension FailedCall {
    /// The texts of error numbers in the C locale (strerror(3)), and what runtimes print instead of them.
    private static let texts: [(text: String, number: Int32)] = [
        ("Operation not permitted", 1), ("must be superuser", 1), ("must be root", 1),
        ("only root can", 1), ("No such file or directory", 2), ("Resource temporarily unavailable", 11),
        ("can't start new thread", 11), ("Cannot allocate memory", 12), ("MemoryError", 12), ("std::bad_alloc", 12),
        ("emory exhausted", 12), ("ut of memory", 12), ("Permission denied", 13), ("Too many open files", 24),
        ("File too large", 27), ("Read-only file system", 30), ("Address family not supported", 97),
        ("Network is unreachable", 101), ("No route to host", 113),
    ]
    /// What programs print if a host name cannot be resolved, or a host not be reached, because they have no network.
    private static let networkTexts = [
        "Could not resolve host", "Temporary failure in name resolution", "Name or service not known",
        "unable to resolve host", "Network is unreachable", "Couldn't connect to server",
        "could not translate host name", "EAI_AGAIN", "ENOTFOUND", "ENETUNREACH",
    ]
    /// What runtimes print that cannot make the code executable that they generate: V8, OpenJDK, libffi in Python, LuaJIT.
    private static let codeTexts = [
        "12 == (*__errno_location", "mark memory page as executable", "write+execute memory", "executable memory",
    ]
    private static let writingTexts = [
        "cannot create", "cannot touch", "cannot write", "Read-only file system", "cannot open for writing",
    ]
    /// The folders that every run may use.
    private static let ownFolders = ["/runs", "/own", "/state", "/tmp", "/dev/shm", "/proc"]

    /// Returns the call that the end of a program and its last line on standard error describe; nil if they describe
    /// none.
    package init?(_ end: ProcessEnd, errorLine line: String?) {
        self.init()
        switch end {
        // A shell exits with 128 and the number of the signal that killed its program. SIGXFSZ is for RLIMIT_FSIZE, and
        // SIGSYS for the system call filter.
        case .signaled(signal: 25), .exited(code: 128 + 25): errorNumber = 27
        case .signaled(signal: 31), .exited(code: 128 + 31): errorNumber = 1
        case .signaled, .exited: break
        }
        if let line, errorNumber == nil {
            // Programs in Go print the texts in lower case.
            let lower = line.lowercased()
            errorNumber =
                Self.number(in: line) ?? Self.texts.first { lower.contains(utf8: $0.text.lowercased()) }?.number
            if Self.codeTexts.contains(where: { line.contains(utf8: $0) }) {
                (isGeneratedCode, errorNumber) = (true, 1)
            }
            if Self.networkTexts.contains(where: { line.contains(utf8: $0) }) { isNetwork = true }
            if Self.writingTexts.contains(where: { line.contains(utf8: $0) }) { isWriting = true }
            if isNetwork == nil, isGeneratedCode == nil { path = Self.path(in: line) }
        }
        // A limit has no path: the file that the program names is not the cause.
        if let errorNumber, [11, 12, 24, 27].contains(errorNumber) { path = nil }
        guard errorNumber != nil || isNetwork == true else { return nil }
    }

    /// Returns the call that the last of some lines describes, or that any of them describes as one for generated code.
    init?(lines: String) {
        let calls = lines.split(scalar: "\n").suffix(Self.lineLimit).compactMap {
            FailedCall(.exited(code: 1), errorLine: String($0))
        }
        guard let call = calls.last(where: { $0.isGeneratedCode == true }) ?? calls.last else { return nil }
        self = call
    }

    /// The number of lines in which a call is looked for. Some runtimes print their stack after the reason.
    private static let lineLimit = 60

    /// Returns the number in `[Errno 27]`, which Python prints.
    private static func number(in line: String) -> Int32? {
        guard let mark = line.firstRange(utf8: "[Errno ") else { return nil }
        let digits = line.utf8[mark.upperBound...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return Int32(String(Substring(digits)))
    }

    /// Returns the last absolute path in a line (also of a socket, as `unix:///run/x.sock`), outside the folders that every run may use. In `PROGRAM: WHAT: ERROR`, the
    /// path of the program itself is not the cause (GNU coding standards, "Formatting Error Messages").
    private static func path(in line: String) -> String? {
        let signs: Set<Unicode.Scalar> = ["'", "\"", ":", ",", "(", ")", "`", "‘", "’", ";"]
        let words = line.split(whereScalar: { $0 == " " || $0 == "\t" }).map { word in
            var scalars = word.unicodeScalars[...]
            while let first = scalars.first, signs.contains(first) { scalars.removeFirst() }
            while let last = scalars.last, signs.contains(last) { scalars.removeLast() }
            let word = String(Substring(scalars))
            return word.hasPrefix(utf8: "unix://") ? String(word.dropFirst(scalars: 7)) : word
        }
        let parts = line.split(scalar: ":")
        let objects = parts.count > 2 && parts[0].utf8.first == UInt8(ascii: "/") ? words.dropFirst() : words[...]
        guard let path = objects.last(where: { $0.utf8.first == UInt8(ascii: "/") && $0.utf8.count > 1 }),
            !ownFolders.contains(where: { path == $0 || path.hasPrefix(utf8: $0 + "/") })
        else { return nil }
        return path
    }
}
