/// Validates the file names that peers choose.
package enum FileName {
    /// Returns true if the name is a single path component other than `.` and `..`, without control characters.
    package static func isPlain(_ name: String) -> Bool {
        guard !name.isEmpty, name != ".", name != ".." else { return false }
        return name.unicodeScalars.allSatisfy { scalar in
            scalar != "/" && scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
        }
    }
}
