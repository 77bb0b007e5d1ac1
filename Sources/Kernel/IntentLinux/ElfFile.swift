import Glibc

/// An open ELF file. It is read with pread(2) and never mapped, because a process that reads a mapped file receives
/// SIGBUS when the file is truncated.
struct ElfFile: ~Copyable {
    /// The tags of the dynamic section that this program reads (DT_… of elf(5)).
    enum DynamicTag: UInt64 {
        case needed = 1
        case stringTable = 5
        case stringTableSize = 10
        case soName = 14
        case rPath = 15
        case runPath = 29
    }

    struct ProgramHeader {
        /// The type of the segment (PT_… of elf(5)).
        enum Kind: UInt32 {
            case load = 1
            case dynamic = 2
            case interpreter = 3
            case note = 4
        }

        var kind: Kind?
        var offset: UInt64
        var address: UInt64
        var fileByteCount: UInt64

        /// Returns the file offset of the byte that is loaded at an address, or nil if the segment does not contain the
        /// address.
        func offset(of loaded: UInt64) -> UInt64? {
            guard kind == .load, loaded >= address, loaded - address < fileByteCount else { return nil }
            let (result, overflow) = offset.addingReportingOverflow(loaded - address)
            return overflow ? nil : result
        }
    }

    struct DynamicEntry {
        var tag: DynamicTag
        var value: UInt64
    }

    private static let programHeaderLimit = 1024
    private static let sectionHeaderLimit = 4096
    private static let sectionNameByteLimit: UInt64 = 1 << 20
    private static let dynamicByteLimit: UInt64 = 64 << 10
    private static let textByteLimit: UInt64 = 4096

    private let path: String
    private let descriptor: FileDescriptor
    private let byteCount: UInt64

    private init(path: String, descriptor: consuming FileDescriptor, byteCount: UInt64) {
        self.path = path
        self.descriptor = descriptor
        self.byteCount = byteCount
    }

    static func open(_ path: String) throws(ElfError) -> ElfFile {
        let file: ElfFile
        let kind: File.Kind
        do throws(SystemError) {
            // Without O_NONBLOCK, opening a named pipe would block until a writer opens it. Without O_NOCTTY, a
            // terminal could become the controlling terminal.
            let descriptor = try File.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
            let status = try File.status(of: descriptor.rawValue)
            kind = status.kind
            file = ElfFile(path: path, descriptor: descriptor, byteCount: UInt64(clamping: status.byteCount))
        } catch {
            throw .unreadable(error)
        }
        guard kind == .regular else { throw .notRegular(path) }
        return file
    }

    func damaged(_ what: String) -> ElfError { .damaged(path, what) }

    func programHeaders() throws(ElfError) -> [ProgramHeader] {
        let start = try bytes(at: 0, count: min(byteCount, 64))
        guard start.starts(with: [0x7F, 0x45, 0x4C, 0x46]) else {
            throw start.starts(with: [0x23, 0x21]) ? .script(path) : .notElf(path)
        }
        guard start.count == 64 else { throw damaged("it ends within its header") }
        // The expected values are ELFCLASS64, ELFDATA2LSB and EV_CURRENT.
        guard start[4...6].elementsEqual([2, 1, 1]) else { throw .unsupported(path) }
        let machine = ElfMachine(number: start.number(at: 18, as: UInt16.self))
        guard machine == .own else { throw .foreign(path, machine: machine.name) }
        // The expected values are ET_EXEC and ET_DYN.
        guard [2, 3].contains(start.number(at: 16, as: UInt16.self)) else { throw .notLoadable(path) }

        let offset = start.number(at: 32, as: UInt64.self)
        let count = Int(start.number(at: 56, as: UInt16.self))
        guard count <= Self.programHeaderLimit else {
            throw damaged("it has more than \(Self.programHeaderLimit) program headers")
        }
        guard count == 0 || start.number(at: 54, as: UInt16.self) == 56 else {
            throw damaged("the size of its program headers is not 56 bytes")
        }
        let table = try bytes(at: offset, count: UInt64(count * 56))
        return (0..<count).map { index in
            let start = index * 56
            return ProgramHeader(
                kind: ProgramHeader.Kind(rawValue: table.number(at: start, as: UInt32.self)),
                offset: table.number(at: start + 8, as: UInt64.self),
                address: table.number(at: start + 16, as: UInt64.self),
                fileByteCount: table.number(at: start + 32, as: UInt64.self)
            )
        }
    }

    /// Returns the entries of the dynamic section, up to DT_NULL, that have one of the ``DynamicTag``s.
    func entries(of header: ProgramHeader) throws(ElfError) -> [DynamicEntry] {
        guard header.fileByteCount <= Self.dynamicByteLimit else {
            throw damaged("its dynamic section is larger than \(Self.dynamicByteLimit) bytes")
        }
        let section = try bytes(at: header.offset, count: header.fileByteCount)
        var entries: [DynamicEntry] = []
        for start in stride(from: 0, through: section.count - 16, by: 16) {
            let tag = section.number(at: start, as: UInt64.self)
            // DT_NULL ends the section.
            if tag == 0 { break }
            if let tag = DynamicTag(rawValue: tag) {
                entries.append(DynamicEntry(tag: tag, value: section.number(at: start + 8, as: UInt64.self)))
            }
        }
        return entries
    }

    /// Throws an error if the file ends before the end of a segment, which means that the file was truncated.
    func checkLoadedParts() throws(ElfError) {
        for header in try programHeaders() where header.kind != nil {
            let (end, overflow) = header.offset.addingReportingOverflow(header.fileByteCount)
            guard !overflow, end <= byteCount else { throw damaged("it ends before the end of a segment") }
        }
    }

    /// Returns the names of the sections. Returns an empty set if the file has no section headers.
    func sectionNames() throws(ElfError) -> Set<String> {
        let start = try bytes(at: 0, count: 64)
        let offset = start.number(at: 40, as: UInt64.self)
        let count = Int(start.number(at: 60, as: UInt16.self))
        let namesIndex = Int(start.number(at: 62, as: UInt16.self))
        guard offset > 0, namesIndex < count else { return [] }
        guard count <= Self.sectionHeaderLimit else {
            throw damaged("it has more than \(Self.sectionHeaderLimit) section headers")
        }
        guard start.number(at: 58, as: UInt16.self) == 64 else {
            throw damaged("the size of its section headers is not 64 bytes")
        }
        let table = try bytes(at: offset, count: UInt64(count * 64))
        let namesOffset = table.number(at: namesIndex * 64 + 24, as: UInt64.self)
        let namesByteCount = table.number(at: namesIndex * 64 + 32, as: UInt64.self)
        guard namesByteCount <= Self.sectionNameByteLimit else {
            throw damaged("its table of section names is larger than \(Self.sectionNameByteLimit) bytes")
        }
        let names = try bytes(at: namesOffset, count: namesByteCount)
        var result: Set<String> = []
        for index in 0..<count {
            let name = Int(table.number(at: index * 64, as: UInt32.self))
            guard name < names.count else { throw damaged("a section name is outside the table of names") }
            result.insert(String(foreign: names[name...].prefix { $0 != 0 }))
        }
        return result
    }

    /// Returns the NUL-terminated string at an offset. The string must end within `limit` bytes.
    func text(at offset: UInt64, upTo limit: UInt64) throws(ElfError) -> String {
        guard offset < byteCount else { throw damaged("it refers to a name beyond its end") }
        let bytes = try bytes(at: offset, count: min(limit, Self.textByteLimit, byteCount - offset))
        guard let end = bytes.firstIndex(of: 0), end > 0 else {
            throw damaged("a name is empty, or longer than \(Self.textByteLimit) bytes")
        }
        // Do not repair invalid UTF-8, because the result would be a different path.
        guard let text = String(validForeign: bytes[..<end]) else {
            throw damaged("a name is not UTF-8 or has too many combining marks")
        }
        return text
    }

    func bytes(at offset: UInt64, count: UInt64) throws(ElfError) -> [UInt8] {
        let (end, overflow) = offset.addingReportingOverflow(count)
        guard !overflow, end <= byteCount, let position = off_t(exactly: offset), let count = Int(exactly: count) else {
            throw damaged("it refers to bytes beyond its end")
        }
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let received: Int
            do throws(SystemError) {
                received = try syscall("pread", on: path) {
                    bytes.withUnsafeMutableBytes {
                        pread(
                            descriptor.rawValue,
                            $0.baseAddress?.advanced(by: filled),
                            count - filled,
                            position + off_t(filled)
                        )
                    }
                }
            } catch {
                throw .unreadable(error)
            }
            if received == 0 { throw damaged("it was truncated while it was read") }
            filled += received
        }
        return bytes
    }
}

extension [UInt8] {
    /// Returns the little-endian number at an index. The array must contain all bytes of the number.
    func number<Number: FixedWidthInteger>(at start: Int, as type: Number.Type) -> Number {
        self[start..<start + MemoryLayout<Number>.size].reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}
