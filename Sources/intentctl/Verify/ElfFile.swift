/// What an ELF file says about who can run it and what it needs (elf(5), ld.so(8)).
///
/// Only 64-bit little-endian files are read: Swift on Linux makes no others.
package struct ElfFile: Equatable, Sendable {
    package enum Problem: Error, Equatable, Sendable {
        case notELF
        case truncated
        case unsupportedForm
    }

    /// `e_machine`, by number.
    package var machine: UInt16
    /// An executable or a shared object; false for an object file or a core dump.
    package var isLoadable = false
    /// The dynamic linker that the kernel starts it with; nil for a static executable or a library.
    package var interpreter: String?
    package var needed: [String] = []
    package var runPath: [String] = []
    /// The older DT_RPATH, which counts only without a run path.
    package var oldRunPath: [String] = []
    package var sectionNames: Set<String> = []

    package init(_ bytes: [UInt8]) throws(Problem) {
        let reader = ElfReader(bytes)
        guard bytes.count >= 64 else { throw bytes.starts(with: ElfReader.magic) ? .truncated : .notELF }
        guard bytes.starts(with: ElfReader.magic) else { throw .notELF }
        // EI_CLASS 64 bits, EI_DATA little-endian.
        guard bytes[4] == 2, bytes[5] == 1 else { throw .unsupportedForm }
        let type = try reader.number(UInt16.self, at: 16)
        machine = try reader.number(UInt16.self, at: 18)
        // ET_EXEC and ET_DYN.
        isLoadable = type == 2 || type == 3
        let segments = try reader.segments()
        if let segment = segments.first(where: { $0.type == .interpreter }) {
            interpreter = try reader.text(at: segment.offset)
        }
        try readDynamic(segments, reader)
        sectionNames = Set(try reader.sectionNames())
    }

    private mutating func readDynamic(_ segments: [ElfReader.Segment], _ reader: ElfReader) throws(Problem) {
        guard let dynamic = segments.first(where: { $0.type == .dynamic }) else { return }
        var entries: [(tag: UInt64, value: UInt64)] = []
        for place in stride(from: dynamic.offset, to: dynamic.offset + dynamic.byteCount, by: 16) {
            let tag = try reader.number(UInt64.self, at: place)
            // DT_NULL ends the table.
            if tag == 0 { break }
            entries.append((tag, try reader.number(UInt64.self, at: place + 8)))
        }
        // DT_STRTAB is an address in memory; the segments tell where it is in the file.
        guard let address = entries.first(where: { $0.tag == 5 })?.value,
            let strings = segments.first(where: { $0.type == .load && $0.holds(address) })
        else { return }
        let start = strings.offset + (address - strings.address)
        for (tag, value) in entries {
            switch tag {
            case 1: needed.append(try reader.text(at: start, plus: value))
            case 15: oldRunPath = Self.folders(try reader.text(at: start, plus: value))
            case 29: runPath = Self.folders(try reader.text(at: start, plus: value))
            default: continue
            }
        }
    }

    private static func folders(_ text: String) -> [String] {
        text.split(separator: ":").map(String.init)
    }
}

extension ElfFile {
    /// `e_machine` of what this program was built for.
    package static let ownMachine: UInt16 = {
        #if arch(x86_64)
            62
        #elseif arch(arm64)
            183
        #else
            0
        #endif
    }()

    package static func name(ofMachine number: UInt16) -> String {
        switch number {
        case 3: "i386"
        case 40: "arm"
        case 62: "x86-64"
        case 183: "aarch64"
        case 243: "riscv"
        default: "machine \(number)"
        }
    }

    package enum SwiftLibrary: String, Sendable {
        case dynamic
        case `static`
        case none
    }

    /// How the Swift standard library comes to it.
    package var swiftLibrary: SwiftLibrary {
        if needed.contains("libswiftCore.so") { return .dynamic }
        // Sections of Swift's type metadata.
        return sectionNames.contains { $0.hasPrefix("swift5_") } ? .static : .none
    }
}
