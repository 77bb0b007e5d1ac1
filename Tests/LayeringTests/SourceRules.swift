/// The rules for every Swift file, as functions that return the violations in the file's text.
enum SourceRules {
    static func violations(in file: SourceFile, under rule: Layering.Rule) -> [String] {
        imports(in: file, under: rule) + access(in: file, under: rule) + purity(in: file, under: rule)
            + safety(in: file) + lineEnds(in: file)
    }

    /// Returns imports that the architecture does not permit.
    private static func imports(in file: SourceFile, under rule: Layering.Rule) -> [String] {
        numbered(file).compactMap { number, code in
            guard code.hasBytes(of: "import") else { return nil }
            let words = SourceFile.words(of: code)
            guard let keyword = words.firstIndex(of: "import") else { return nil }
            // In "import struct Foundation.URL", the module follows the kind.
            let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
            guard let module = words[(keyword + 1)...].first(where: { !kinds.contains($0) }) else { return nil }
            if rule.modules.contains(String(module)) { return nil }
            return "\(file.path):\(number): '\(module)' must not be imported here"
        }
    }

    private static func access(in file: SourceFile, under rule: Layering.Rule) -> [String] {
        if rule.isPublic { return [] }
        return numbered(file).compactMap { number, code in
            guard code.hasBytes(of: "public") || code.hasBytes(of: "open") else { return nil }
            let isPublic = SourceFile.words(of: code).contains {
                $0 == "public" || $0 == "open" && code.contains("open class")
            }
            return isPublic ? "\(file.path):\(number): 'public' is for AppIntents and IntentClient alone" : nil
        }
    }

    private static func purity(in file: SourceFile, under rule: Layering.Rule) -> [String] {
        guard rule.isPure else { return [] }
        let banned: Set<Substring> = [
            "async", "await", "Task", "actor", "ContinuousClock", "SuspendingClock", "FileManager", "print", "errno",
        ]
        let present = banned.filter { file.codeText.hasBytes(of: String($0)) }
        return numbered(file).compactMap { number, code in
            if present.contains(where: { code.hasBytes(of: String($0)) }),
                let word = SourceFile.words(of: code).first(where: banned.contains)
            {
                return "\(file.path):\(number): '\(word)' in a pure target"
            }
            return code.hasBytes(of: "Date()") ? "\(file.path):\(number): 'Date()' in a pure target" : nil
        }
    }

    /// Returns uses of features that the compiler does not check, and that have no comment with the reason.
    private static func safety(in file: SourceFile) -> [String] {
        let marks = ["@unchecked Sendable", "nonisolated(unsafe)", "try!", "unsafeBitCast", "unowned "]
            .filter(file.codeText.hasBytes)
        guard !marks.isEmpty else { return [] }
        return numbered(file).compactMap { number, code in
            guard let mark = marks.first(where: code.hasBytes) else { return nil }
            return hasReason(above: number, in: file)
                ? nil : "\(file.path):\(number): '\(mark)' without '// SAFETY:' above"
        }
    }

    /// Returns code that splits text at the `Character` "\n". "\r\n" is another `Character`, so lines could be joined.
    ///
    /// Lines of files are split by bytes (`ConfigurationLines`, `File.lines`), and lines for a screen by `isNewline`.
    private static func lineEnds(in file: SourceFile) -> [String] {
        // The string is concatenated, so that this file does not violate the rule.
        let feed = "\"" + "\\n" + "\""
        let marks = [
            "split(separator: \(feed)", "components(separatedBy: \(feed)", "firstIndex(of: \(feed)",
            "lastIndex(of: \(feed)",
            "hasSuffix(\(feed)", "hasPrefix(\(feed)", ".contains(\(feed)", ".first == \(feed)", ".last == \(feed)",
            "$0 == \(feed)", "$0 != \(feed)", "components(separatedBy: .newlines",
        ]
        .filter(file.text.hasBytes)
        guard !marks.isEmpty else { return [] }
        return file.lines.enumerated().compactMap { offset, line in
            guard !line.drop(while: \.isWhitespace).hasPrefix("//"), let mark = marks.first(where: line.hasBytes) else {
                return nil
            }
            return "\(file.path):\(offset + 1): '\(mark)' misses lines that end in a carriage return too"
        }
    }

    /// Returns true if the comment above a line, or above its attributes, contains `SAFETY:`.
    private static func hasReason(above number: Int, in file: SourceFile) -> Bool {
        for line in file.lines[..<(number - 1)].reversed() {
            let text = line.drop(while: \.isWhitespace)
            if text.hasPrefix("//") {
                if text.contains("SAFETY:") { return true }
            } else if !text.hasPrefix("@") {
                return false
            }
        }
        return false
    }

    private static func numbered(_ file: SourceFile) -> [(Int, String)] {
        file.code.enumerated().map { ($0.offset + 1, $0.element) }
    }
}

/// Finds paths of the machine on which a file was written, because other machines have other paths.
enum MachineTraces {
    static func violations(path: String, text: String) -> [String] {
        // The strings are concatenated, so that this file does not contain them.
        let traces = [
            ["", "work", ""], ["", "root", ""], ["", "opt", "swift"], ["", "Users", ""],
        ]
        .map { $0.joined(separator: "/") }
        .filter(text.hasBytes)
        guard !traces.isEmpty else { return [] }
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { offset, line in
            traces.filter { isPath($0, in: line) }.map { "\(path):\(offset + 1): '\($0)' belongs to one machine" }
        }
    }

    /// Returns true if the trace is at the start of a path, and not within another path.
    private static func isPath(_ trace: String, in line: Substring) -> Bool {
        var rest = line
        while let range = rest.firstRange(of: trace) {
            let before = rest[..<range.lowerBound].last ?? line[..<range.lowerBound].last
            if before.map({ !($0.isLetter || $0.isNumber || "}_-.)*~$".contains($0)) }) ?? true { return true }
            rest = rest[range.upperBound...]
        }
        return false
    }
}
