import IntentLinux

/// Formats rows as a table with aligned columns.
package enum TextTable {
    package static func render(_ header: [String], _ rows: [[String]]) -> String {
        let all = ([header] + rows).map { $0.map(SafeText.line) }
        let widths = header.indices.map { column in all.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
        return all.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                if column < row.count - 1 {
                    line += String(repeating: " ", count: widths[column] - DisplayWidth.of(cell) + 2)
                }
            }
            while line.utf8.last == UInt8(ascii: " ") { line.unicodeScalars.removeLast() }
            return line
        }.joined(separator: "\n")
    }
}
