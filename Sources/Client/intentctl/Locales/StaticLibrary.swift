/// A static library: an archive of object files (ar(5), elf(5)).
package struct StaticLibrary: Sendable {
    private static let sectionLimit = 4096
    /// The minimum size of a section to inspect, in bytes. ICU's data is 34 MB.
    private static let byteMinimum = 1 << 10

    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns ICU's data, which is a section of one of the objects, or nil if no object contains it.
    package func findLocales() throws(LocalePackage.Problem) -> LocalePackage? {
        let magic = Array("!<arch>\n".utf8)
        guard bytes.starts(with: magic) else { return nil }
        var position = magic.count
        while position + 60 <= bytes.count {
            let digits = bytes[(position + 48)..<(position + 58)].prefix { $0 != UInt8(ascii: " ") }
            guard let count = Int(String(foreign: digits)), count >= 0,
                count <= bytes.count - position - 60
            else { return nil }
            let member = bytes[(position + 60)..<(position + 60 + count)]
            for section in sections(of: member) where LocalePackage.isPackage(section) {
                return try LocalePackage(section)
            }
            position += 60 + count + count % 2
        }
        return nil
    }

    /// Returns the contents of an object's sections, or an empty array for other members of the archive.
    private func sections(of object: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        let start = object.startIndex
        // The expected values are ELFCLASS64, ELFDATA2LSB and EV_CURRENT.
        guard object.count >= max(64, Self.byteMinimum), object.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1]),
            let table = Int(exactly: object.number(at: start + 40, as: UInt64.self)), table <= object.count
        else { return [] }
        let count = Int(object.number(at: start + 60, as: UInt16.self))
        guard count <= Self.sectionLimit, object.number(at: start + 58, as: UInt16.self) == 64,
            count * 64 <= object.count - table
        else { return [] }
        return (0..<count).compactMap { index in
            let header = start + table + 64 * index
            // The expected type is SHT_PROGBITS, which is 1.
            guard object.number(at: header + 4, as: UInt32.self) == 1,
                let offset = Int(exactly: object.number(at: header + 24, as: UInt64.self)), offset <= object.count,
                let size = Int(exactly: object.number(at: header + 32, as: UInt64.self)),
                size >= Self.byteMinimum, size <= object.count - offset
            else { return nil }
            return object[(start + offset)..<(start + offset + size)]
        }
    }
}
