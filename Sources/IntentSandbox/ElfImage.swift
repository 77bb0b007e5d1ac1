import Glibc
package import IntentLinux

/// What an executable or a shared library says about how it is to be loaded (elf(5)).
///
/// 64-bit little-endian files of this machine's architecture. Whoever wrote the file is not trusted: each offset is
/// checked against the file, and each size against a limit, before anything is read.
package struct ElfImage: Equatable, Sendable {
    /// The program that loads this one: PT_INTERP, absolute; nil in a static executable and in most libraries.
    package var interpreter: String?
    /// Names of the libraries that it needs: DT_NEEDED, in order.
    package var needed: [String] = []
    /// Its own name as a library: DT_SONAME.
    package var name: String?
    /// DT_RPATH as it is written, folders separated by colons; nil when there is a `runPath` (ld.so(8)).
    package var rPath: String?
    /// DT_RUNPATH as it is written.
    package var runPath: String?

    /// - Throws: ``ElfError``, when the file cannot be read or is no such image.
    package init(at path: String) throws(ElfError) {
        let file = try ElfFile.open(path)
        let headers = try file.programHeaders()
        if let header = headers.first(where: { $0.kind == .interpreter }) {
            let interpreter = try file.text(at: header.offset, upTo: header.fileByteCount)
            guard interpreter.hasPrefix("/") else { throw file.damaged("its interpreter is no absolute path") }
            self.interpreter = interpreter
        }
        if let header = headers.first(where: { $0.kind == .dynamic }) {
            try readDynamicSection(try file.entries(of: header), of: file, headers)
        }
    }

    private mutating func readDynamicSection(
        _ entries: [ElfFile.DynamicEntry],
        of file: borrowing ElfFile,
        _ headers: [ElfFile.ProgramHeader]
    ) throws(ElfError) {
        let names = entries.filter { [DynamicTag.needed, .soName, .rPath, .runPath].contains($0.tag) }
        // A static executable that can be loaded anywhere has the section, and no names in it.
        guard !names.isEmpty else { return }
        guard let address = entries.first(where: { $0.tag == .stringTable })?.value,
            let byteCount = entries.first(where: { $0.tag == .stringTableSize })?.value,
            let table = headers.lazy.compactMap({ $0.offset(of: address) }).first
        else { throw file.damaged("it has library names, but no table of strings") }

        for entry in names {
            let (offset, overflow) = table.addingReportingOverflow(entry.value)
            guard entry.value < byteCount, !overflow else { throw file.damaged("a name is outside its table") }
            let text = try file.text(at: offset, upTo: byteCount - entry.value)
            switch entry.tag {
            case .needed: needed.append(text)
            case .soName: name = text
            case .rPath: rPath = text
            case .runPath: runPath = text
            case .stringTable, .stringTableSize: preconditionFailure("these are no names")
            }
        }
        if runPath != nil { rPath = nil }
    }
}

/// Why the libraries of an executable could not be found out.
package enum ElfError: Error, Equatable, Sendable {
    case unreadable(SystemError)
    /// A directory, a device, a pipe.
    case notRegular(String)
    /// It starts with `#!`.
    case script(String)
    case notElf(String)
    /// Of another architecture, 32-bit or big-endian, or neither executable nor library.
    case foreign(String)
    /// A structure in it contradicts itself or exceeds a limit: what, as a clause.
    case damaged(String, String)
    /// It needs more libraries, or more looking for them, than any honest program.
    case excessive(String)
}

extension ElfError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let error):
            "cannot find an executable's libraries: \(error). Check the file's path and permissions."
        case .notRegular(let path):
            """
            cannot find the libraries of '\(path)': it is no regular file. \
            Name the executable that 'swift build' made.
            """
        case .script(let path):
            """
            cannot find the libraries of '\(path)': it is a script, and its interpreter would be the app. \
            Name the executable that the script starts.
            """
        case .notElf(let path):
            """
            cannot find the libraries of '\(path)': it is no ELF file. \
            Name the executable that 'swift build' made.
            """
        case .foreign(let path):
            """
            cannot find the libraries of '\(path)': it is made for another machine than this \
            (\(ElfFile.machineName)). Build it here, or for this architecture.
            """
        case .damaged(let path, let what):
            "cannot find the libraries of '\(path)': \(what). The file is damaged: build or install it again."
        case .excessive(let path):
            """
            cannot find the libraries of '\(path)': it needs more than \(LibraryClosure.libraryLimit) of them, or \
            looks for them in too many folders. Link it with fewer, or with '-static-stdlib'.
            """
        }
    }
}

/// The entries of a dynamic section that matter here: DT_… of elf(5).
private enum DynamicTag: UInt64 {
    case needed = 1
    case stringTable = 5
    case stringTableSize = 10
    case soName = 14
    case rPath = 15
    case runPath = 29
}

/// An open ELF file, read piece by piece: never mapped, so that cutting it short cannot end the reader.
private struct ElfFile: ~Copyable {
    struct ProgramHeader {
        /// PT_… of elf(5).
        enum Kind: UInt32 {
            case load = 1
            case dynamic = 2
            case interpreter = 3
        }

        var kind: Kind?
        var offset: UInt64
        var address: UInt64
        var fileByteCount: UInt64

        /// Where in the file the byte is that is loaded to this address.
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

    #if arch(x86_64)
        static let machine: UInt16 = 62
        static let machineName = "x86_64"
    #elseif arch(arm64)
        static let machine: UInt16 = 183
        static let machineName = "aarch64"
    #endif

    private static let programHeaderLimit = 1024
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
            // Never waiting for the other end of a pipe, never taking a terminal.
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
        // ELFCLASS64, ELFDATA2LSB, EV_CURRENT; ET_EXEC or ET_DYN.
        guard start[4...6].elementsEqual([2, 1, 1]), [2, 3].contains(start.number(at: 16, as: UInt16.self)),
            start.number(at: 18, as: UInt16.self) == Self.machine
        else { throw .foreign(path) }

        let offset = start.number(at: 32, as: UInt64.self)
        let count = Int(start.number(at: 56, as: UInt16.self))
        guard count <= Self.programHeaderLimit else {
            throw damaged("it has more than \(Self.programHeaderLimit) program headers")
        }
        guard count == 0 || start.number(at: 54, as: UInt16.self) == 56 else {
            throw damaged("its program headers have a size of their own")
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

    /// The entries of the dynamic section up to its end mark, as far as they matter here.
    func entries(of header: ProgramHeader) throws(ElfError) -> [DynamicEntry] {
        guard header.fileByteCount <= Self.dynamicByteLimit else {
            throw damaged("its dynamic section is larger than \(Self.dynamicByteLimit) bytes")
        }
        let section = try bytes(at: header.offset, count: header.fileByteCount)
        var entries: [DynamicEntry] = []
        for start in stride(from: 0, through: section.count - 16, by: 16) {
            let tag = section.number(at: start, as: UInt64.self)
            // DT_NULL
            if tag == 0 { break }
            if let tag = DynamicTag(rawValue: tag) {
                entries.append(DynamicEntry(tag: tag, value: section.number(at: start + 8, as: UInt64.self)))
            }
        }
        return entries
    }

    /// The text that starts here and ends with a zero byte within `limit` bytes.
    func text(at offset: UInt64, upTo limit: UInt64) throws(ElfError) -> String {
        guard offset < byteCount else { throw damaged("a name is beyond its end") }
        let bytes = try bytes(at: offset, count: min(limit, Self.textByteLimit, byteCount - offset))
        guard let end = bytes.firstIndex(of: 0), end > 0 else {
            throw damaged("a name is empty, or longer than \(Self.textByteLimit) bytes")
        }
        // A path that is not UTF-8 would be changed on its way through String, and then be another path.
        guard let text = String(validating: bytes[..<end], as: UTF8.self) else {
            throw damaged("a name is not UTF-8")
        }
        return text
    }

    private func bytes(at offset: UInt64, count: UInt64) throws(ElfError) -> [UInt8] {
        let (end, overflow) = offset.addingReportingOverflow(count)
        guard !overflow, end <= byteCount, let position = off_t(exactly: offset), let count = Int(exactly: count) else {
            throw damaged("it refers to what is beyond its end")
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
            if received == 0 { throw damaged("it became shorter while it was read") }
            filled += received
        }
        return bytes
    }
}

extension [UInt8] {
    /// The little-endian number that starts here; the bytes must be there.
    fileprivate func number<Number: FixedWidthInteger>(at start: Int, as type: Number.Type) -> Number {
        self[start..<start + MemoryLayout<Number>.size].reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}
