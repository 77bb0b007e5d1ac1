/// A file that a fleet run receives, as the run's arguments describe it. The host on which the run was submitted stores
/// the contents.
package struct FleetInput: Codable, Sendable, Equatable {
    package var byteCount: Int64
    /// The SHA-256 of the contents, in 64 hexadecimal digits.
    package var digest: String

    /// The maximum number of files per run. One frame to intentd carries all of them.
    package static let countLimit = 16
    /// The maximum total size of a run's files, in bytes.
    package static let byteLimit: Int64 = 1 << 30

    package init(byteCount: Int64, digest: String) {
        self.byteCount = byteCount
        self.digest = digest
    }

    /// Returns true if a run can have these files. Another host wrote the descriptions, and the digest becomes part of
    /// a file's name.
    package static func areValid(_ inputs: [FleetInput]) -> Bool {
        var rest = byteLimit
        for input in inputs {
            guard (0...rest).contains(input.byteCount), input.digest.utf8.count == 64,
                input.digest.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) })
            else { return false }
            rest -= input.byteCount
        }
        return inputs.count <= countLimit
    }
}
