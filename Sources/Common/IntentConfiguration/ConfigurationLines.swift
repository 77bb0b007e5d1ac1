import IntentLauncherMessages

/// Splits the bytes of a configuration file into lines, as systemd does.
///
/// A line ends at a line feed, a carriage return, or both. A leading byte order mark is skipped.
enum ConfigurationLines {
    /// Returns the lines of a file.
    ///
    /// - Throws: ``ConfigurationProblem`` for contents that different programs could interpret differently: invalid
    ///   UTF-8, control characters other than tabs, and Unicode's line and paragraph separators, which end a line in
    ///   some editors but not in this parser. The text must also be stream-safe (``StreamSafeText``).
    static func read(_ bytes: [UInt8], file: String) throws(ConfigurationProblem) -> [Substring] {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        guard let text = String(validForeign: bytes) else {
            let message =
                StreamSafeText.isStreamSafe(bytes)
                ? "expected text in UTF-8"
                : "more than \(StreamSafeText.markLimit) combining marks follow each other; remove them"
            throw ConfigurationProblem(file: file, line: nil, message: message)
        }
        let lines = lines(of: text)
        for (index, line) in lines.enumerated() {
            if let scalar = line.unicodeScalars.first(where: isDisputed) {
                let name = "U+" + String(scalar.value, radix: 16, uppercase: true)
                throw ConfigurationProblem(
                    file: file,
                    line: index + 1,
                    message: "the line contains the control character \(name); remove it"
                )
            }
        }
        return lines
    }

    private static func lines(of text: String) -> [Substring] {
        var lines: [Substring] = []
        let bytes = text.utf8
        var start = bytes.startIndex
        var index = start
        while index < bytes.endIndex {
            let byte = bytes[index]
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
                index = bytes.index(after: index)
                continue
            }
            lines.append(Substring(bytes[start..<index]))
            index = bytes.index(after: index)
            if byte == UInt8(ascii: "\r"), index < bytes.endIndex, bytes[index] == UInt8(ascii: "\n") {
                index = bytes.index(after: index)
            }
            start = index
        }
        lines.append(Substring(bytes[start...]))
        return lines
    }

    private static func isDisputed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: scalar != "\t"
        case .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The string without leading and trailing spaces, tabs and line ends.
    var withoutBlanks: String {
        var bytes = Substring(self).utf8
        while let first = bytes.first, Self.isBlank(first) { bytes.removeFirst() }
        while let last = bytes.last, Self.isBlank(last) { bytes.removeLast() }
        return String(Substring(bytes))
    }

    /// The words of the string, which are separated by spaces and tabs.
    var words: [String] {
        Substring(self).utf8.split(whereSeparator: Self.isBlank).map { String(Substring($0)) }
    }

    /// The parts before and after the first equals sign, without blanks; nil if the string has no equals sign, or no
    /// name before the equals sign.
    var assignment: (name: String, value: String)? {
        let parts = split(scalar: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.withoutBlanks)
        return parts.count < 2 || parts[0].isEmpty ? nil : (parts[0], parts[1])
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(byte)
    }
}
