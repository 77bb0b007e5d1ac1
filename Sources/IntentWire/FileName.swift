/// Checks file names that peers choose, before they are used.
package enum FileName {
    /// True for one component of a path that is neither `.` nor `..` and holds no control character.
    package static func isPlain(_ name: String) -> Bool {
        guard !name.isEmpty, name != ".", name != ".." else { return false }
        return name.unicodeScalars.allSatisfy { scalar in
            scalar != "/" && scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
        }
    }
}
