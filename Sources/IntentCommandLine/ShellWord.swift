/// Quotes words for a shell.
package enum ShellWord {
    /// Returns the string as one word of a POSIX shell, quoted if necessary.
    package static func quote(_ text: String) -> String {
        let isPlain = { (byte: UInt8) -> Bool in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "@%+=:,./-_".utf8.contains(byte)
            }
        }
        guard text.isEmpty || !text.utf8.allSatisfy(isPlain) else { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
