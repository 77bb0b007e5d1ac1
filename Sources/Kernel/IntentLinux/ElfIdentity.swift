/// The build ID of an executable or library, and the addresses of its loaded segments.
package struct ElfIdentity: Equatable, Sendable {
    /// The build ID in hexadecimal digits (NT_GNU_BUILD_ID); nil if the file has no build ID.
    package var buildID: String?
    /// The addresses of the segments that are loaded from the file.
    package var loadedAddresses: [Range<UInt64>]

    /// The maximum size of a segment with notes, in bytes.
    private static let noteByteLimit: UInt64 = 64 << 10
    /// The type of the note that contains the build ID: NT_GNU_BUILD_ID of elf(5).
    private static let buildIDNote: UInt32 = 3

    /// Reads the identity from a file.
    ///
    /// - Throws: ``ElfError`` if the file cannot be read or is not an image for this machine.
    package init(at path: String) throws(ElfError) {
        let file = try ElfFile.open(path)
        let headers = try file.programHeaders()
        loadedAddresses = headers.compactMap { header in
            guard header.kind == .load else { return nil }
            let (end, overflow) = header.address.addingReportingOverflow(header.fileByteCount)
            return overflow ? nil : header.address..<end
        }
        for header in headers where header.kind == .note && header.fileByteCount <= Self.noteByteLimit {
            if let id = Self.buildID(in: try file.bytes(at: header.offset, count: header.fileByteCount)) {
                buildID = id
                return
            }
        }
    }

    /// Returns true if a segment that is loaded from the file contains the address.
    package func loads(_ address: UInt64) -> Bool { loadedAddresses.contains { $0.contains(address) } }

    /// Finds the build ID in a segment with notes. A note consists of the size of its name, the size of its contents,
    /// its type, the name, and the contents. The name and the contents are padded to a multiple of four bytes.
    private static func buildID(in notes: [UInt8]) -> String? {
        var start = 0
        while start + 12 <= notes.count {
            let nameCount = Int(notes.number(at: start, as: UInt32.self))
            let count = Int(notes.number(at: start + 4, as: UInt32.self))
            let kind = notes.number(at: start + 8, as: UInt32.self)
            let name = start + 12
            let contents = name + (nameCount + 3) & ~3
            guard contents + count <= notes.count else { return nil }
            if kind == buildIDNote, notes[name..<name + nameCount].elementsEqual("GNU\0".utf8), count > 0 {
                return notes[contents..<contents + count].map { byte in
                    String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
                }.joined()
            }
            start = contents + (count + 3) & ~3
        }
        return nil
    }
}
