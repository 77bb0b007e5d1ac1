/// What an executable or a shared library declares about how to load it (elf(5)).
///
/// Only 64-bit little-endian files of this machine's architecture are read. The file's author is not trusted: every
/// offset is checked against the file, and every size against a limit, before anything is read.
package struct ElfImage: Equatable, Sendable {
    /// PT_INTERP, the absolute path of the dynamic linker; nil in a static executable and in most libraries.
    package var interpreter: String?
    /// DT_NEEDED, the names of the needed libraries, in order.
    package var needed: [String] = []
    /// DT_SONAME, the library's own name.
    package var name: String?
    /// DT_RPATH as written, folders separated by colons; nil when there is a `runPath`, which replaces it (ld.so(8)).
    package var rPath: String?
    /// DT_RUNPATH as written, folders separated by colons.
    package var runPath: String?

    /// - Throws: ``ElfError`` when the file cannot be read, or is not an image for this machine.
    package init(at path: String) throws(ElfError) {
        let file = try ElfFile.open(path)
        let headers = try file.programHeaders()
        if let header = headers.first(where: { $0.kind == .interpreter }) {
            let interpreter = try file.text(at: header.offset, upTo: header.fileByteCount)
            guard interpreter.hasPrefix("/") else { throw file.damaged("the path of its interpreter is not absolute") }
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
        let names = entries.filter { [ElfFile.DynamicTag.needed, .soName, .rPath, .runPath].contains($0.tag) }
        // A static position-independent executable has a dynamic section without names.
        guard !names.isEmpty else { return }
        guard let address = entries.first(where: { $0.tag == .stringTable })?.value,
            let byteCount = entries.first(where: { $0.tag == .stringTableSize })?.value,
            let table = headers.lazy.compactMap({ $0.offset(of: address) }).first
        else { throw file.damaged("it names libraries but has no string table") }

        for entry in names {
            let (offset, overflow) = table.addingReportingOverflow(entry.value)
            guard entry.value < byteCount, !overflow else { throw file.damaged("a name is outside the string table") }
            let text = try file.text(at: offset, upTo: byteCount - entry.value)
            switch entry.tag {
            case .needed: needed.append(text)
            case .soName: name = text
            case .rPath: rPath = text
            case .runPath: runPath = text
            case .stringTable, .stringTableSize: preconditionFailure("the tags above select names only")
            }
        }
        if runPath != nil { rPath = nil }
    }
}

extension ElfImage {
    /// The names of a file's sections; empty if the section headers were stripped, without which a program still runs.
    ///
    /// The names are not part of the image, because loading does not need them.
    ///
    /// - Throws: ``ElfError``, also if the file ends before the end of a segment.
    package static func sectionNames(at path: String) throws(ElfError) -> Set<String> {
        let file = try ElfFile.open(path)
        try file.checkLoadedParts()
        return try file.sectionNames()
    }
}
