/// Finds the name that is most similar to a misspelled name.
package enum NearestName {
    /// Returns the candidate with the smallest edit distance from `text`; nil if the distance is too large for the
    /// length of `text`.
    ///
    /// Ignores case. Returns nil for a string of more than 128 Unicode scalars.
    package static func of(_ text: String, among candidates: [String]) -> String? {
        guard text.utf8.count <= 512, text.scalarCount <= 128 else { return nil }
        let limit = max(2, text.scalarCount / 3)
        let ranked =
            candidates
            // The edit distance is at least the difference in length, so names of very different lengths are skipped.
            // Apps choose the names, and comparing a very long name would use a lot of memory.
            .filter { abs($0.scalarCount - text.scalarCount) <= limit }
            .map { (name: $0, edits: edits(from: text.lowercased(), to: $0.lowercased())) }
            .filter { $0.edits <= limit && $0.edits < $0.name.scalarCount }
            .min { ($0.edits, $0.name) < ($1.edits, $1.name) }
        return ranked?.name
    }

    /// Returns a hint for the error message about an unknown name; nil when no candidate is similar.
    package static func hint(for text: String, among candidates: [String]) -> String? {
        of(text, among: candidates).map { "did you mean '\($0)'?" }
    }

    /// Returns the first sentence of a hint, followed by a space; empty when no candidate is similar.
    ///
    /// - Parameter prefix: The characters before the name, such as `--`.
    package static func opening(for text: String, among candidates: [String], prefix: String = "") -> String {
        of(text, among: candidates).map { "did you mean '\(prefix)\($0)'? " } ?? ""
    }

    /// Returns the Damerau-Levenshtein distance, which treats a swap of adjacent scalars as one edit.
    private static func edits(from: String, to: String) -> Int {
        let a = Array(from.unicodeScalars)
        let b = Array(to.unicodeScalars)
        var rows = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in 0...a.count { rows[i][0] = i }
        for j in 0...b.count { rows[0][j] = j }
        for i in 1..<(a.count + 1) {
            for j in 1..<(b.count + 1) {
                let substitution = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
                rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, substitution)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
                }
            }
        }
        return rows[a.count][b.count]
    }
}
