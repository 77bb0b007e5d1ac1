/// The lines of a Swift file, with and without the contents of comments and strings.
///
/// This is not a parser. It recognizes comments and literals, which the rules must ignore.
struct SourceFile {
    let path: String
    let lines: [Substring]
    /// `lines` without comments and without the contents of string literals.
    let code: [String]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var code: [String] = []
        var isInBlockComment = false
        var isInLongLiteral = false
        for line in lines {
            code.append(Self.stripped(line, &isInBlockComment, &isInLongLiteral))
        }
        self.code = code
    }

    private static func stripped(
        _ line: Substring,
        _ isInBlockComment: inout Bool,
        _ isInLongLiteral: inout Bool
    ) -> String {
        var result = ""
        var rest = line
        var isInLiteral = false
        while let character = rest.first {
            if isInBlockComment {
                if rest.hasPrefix("*/") { isInBlockComment = false }
                rest = rest.dropFirst(isInBlockComment ? 1 : 2)
            } else if isInLongLiteral {
                isInLongLiteral = !rest.hasPrefix("\"\"\"")
                rest = rest.dropFirst(isInLongLiteral ? 1 : 3)
            } else if isInLiteral {
                isInLiteral = character != "\""
                rest = rest.dropFirst(character == "\\" ? 2 : 1)
            } else if rest.hasPrefix("//") {
                break
            } else if rest.hasPrefix("/*") {
                isInBlockComment = true
                rest = rest.dropFirst(2)
            } else if rest.hasPrefix("\"\"\"") {
                isInLongLiteral = true
                rest = rest.dropFirst(3)
            } else {
                if character == "\"" { isInLiteral = true } else { result.append(character) }
                rest = rest.dropFirst()
            }
        }
        return result
    }

    /// The words of a line of code, so that `Task` is not found in `TaskLocal`.
    static func words(of code: String) -> [Substring] {
        code.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "@") }
    }
}
