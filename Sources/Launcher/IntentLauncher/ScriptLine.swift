import Glibc
import IntentLinux

/// The first line of a script, which names its interpreter: `#!/bin/sh`, `#!/usr/bin/env python3`.
enum ScriptLine {
    /// The maximum length of the line: the kernel's BINPRM_BUF_SIZE.
    private static let byteLimit = 256
    private static let folders = ["/usr/local/bin", "/usr/bin", "/bin"]

    /// Returns the absolute paths of the programs that start a script: the interpreter and, if it is env(1), the program
    /// that env starts. Returns an empty list for another file.
    static func programs(of path: String) -> [String] {
        guard let file = try? File.open(path, O_RDONLY | O_NONBLOCK),
            (try? File.status(of: file.rawValue))?.kind == .regular,
            let start = try? File.read(file.rawValue, upTo: byteLimit, at: 0), start.starts(with: "#!".utf8)
        else { return [] }
        let line = String(foreign: start.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") })
        let words = line.split(whereScalar: \.properties.isWhitespace).map(String.init)
        guard let interpreter = words.first, interpreter.hasPrefix(utf8: "/") else { return [] }
        // Options such as -S precede the program's name.
        guard interpreter.hasSuffix(utf8: "/env"),
            let name = words.dropFirst().first(where: { !$0.hasPrefix(utf8: "-") })
        else { return [interpreter] }
        let program = folders.map { "\($0)/\(name)" }.first { (path: String) in access(path, X_OK) == 0 }
        return [interpreter] + [program].compactMap(\.self)
    }
}
