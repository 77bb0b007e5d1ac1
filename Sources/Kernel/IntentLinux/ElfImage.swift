/// The properties of an executable or shared library that determine how it is loaded (elf(5)).
///
/// Only 64-bit little-endian files for this machine's architecture are supported. The contents of the file are not
/// trusted: every offset is checked against the size of the file, and every size against a limit, before data is read.
package struct ElfImage: Equatable, Sendable {
    /// The absolute path of the dynamic linker (PT_INTERP); nil in a static executable and in most libraries.
    package var interpreter: String?
    /// The names of the needed libraries, in order (DT_NEEDED).
    package var needed: [String] = []
    /// The library's own name (DT_SONAME).
    package var name: String?
    /// The folders of DT_RPATH, separated by colons. Nil if the file has a ``runPath``, which takes precedence
    /// (ld.so(8)).
    package var rPath: String?
    /// The folders of DT_RUNPATH, separated by colons.
    package var runPath: String?

    /// Reads the properties from a file.
    ///
    /// - Throws: ``ElfError`` if the file cannot be read or is not an image for this machine.
    package init(at path: String) throws(ElfError) {
        let file = try ElfFile.open(path)
        let headers = try file.programHeaders()
        if let header = headers.first(where: { $0.kind == .interpreter }) {
            let interpreter = try file.text(at: header.offset, upTo: header.fileByteCount)
            guard interpreter.hasPrefix(utf8: "/") else {
                throw file.damaged("the path of its interpreter is not absolute")
            }
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
        // Accept a dynamic section without names, which a static position-independent executable has.
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
            case .stringTable, .stringTableSize: preconditionFailure("only entries that refer to names are selected")
            }
        }
        if runPath != nil { rPath = nil }
    }
}

extension ElfImage {
    /// Returns the names of a file's sections. Returns an empty set if the section headers were stripped, which does
    /// not affect loading.
    ///
    /// - Throws: ``ElfError``, in particular if the file ends before the end of a segment.
    package static func sectionNames(at path: String) throws(ElfError) -> Set<String> {
        let file = try ElfFile.open(path)
        try file.checkLoadedParts()
        return try file.sectionNames()
    }
}
