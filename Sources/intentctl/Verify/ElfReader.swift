/// Numbers, texts and tables of an ELF file, each read within its bounds: the file is anybody's.
struct ElfReader: Sendable {
    static let magic: [UInt8] = [0x7F, 0x45, 0x4C, 0x46]
    /// More headers than any linker makes.
    private static let headerLimit: UInt16 = 4096
    private static let textLimit = 4096

    struct Segment: Sendable {
        enum Kind: Sendable {
            case load
            case dynamic
            case interpreter
            case other
        }

        var type: Kind
        /// In the file.
        var offset: UInt64
        /// In memory.
        var address: UInt64
        var byteCount: UInt64

        func holds(_ place: UInt64) -> Bool { place >= address && place - address < byteCount }
    }

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func number<Number: FixedWidthInteger>(_: Number.Type, at offset: UInt64) throws(ElfFile.Problem) -> Number {
        let width = Number.bitWidth / 8
        guard let start = Int(exactly: offset), start <= bytes.count - width else { throw .truncated }
        return bytes[start..<(start + width)].reversed().reduce(0) { $0 << 8 | Number($1) }
    }

    /// A text that ends with a zero byte.
    func text(at offset: UInt64, plus more: UInt64 = 0) throws(ElfFile.Problem) -> String {
        let (place, overflow) = offset.addingReportingOverflow(more)
        guard !overflow, let start = Int(exactly: place), start < bytes.count else { throw .truncated }
        let text = bytes[start...].prefix(Self.textLimit).prefix { $0 != 0 }
        return String(decoding: text, as: UTF8.self)
    }

    func segments() throws(ElfFile.Problem) -> [Segment] {
        let table = try number(UInt64.self, at: 32)
        let size = UInt64(try number(UInt16.self, at: 54))
        let count = min(try number(UInt16.self, at: 56), Self.headerLimit)
        var segments: [Segment] = []
        for index in 0..<UInt64(count) {
            let header = try place(table, index, size)
            let type: Segment.Kind =
                switch try number(UInt32.self, at: header) {
                case 1: .load
                case 2: .dynamic
                case 3: .interpreter
                default: .other
                }
            let segment = Segment(
                type: type,
                offset: try number(UInt64.self, at: header + 8),
                address: try number(UInt64.self, at: header + 16),
                byteCount: try number(UInt64.self, at: header + 32)
            )
            // A part that reaches beyond the end belongs to a file that was cut.
            guard segment.type == .other || isInside(segment) else { throw .truncated }
            segments.append(segment)
        }
        return segments
    }

    /// Empty where the section headers were stripped, which a program runs without.
    func sectionNames() throws(ElfFile.Problem) -> [String] {
        let table = try number(UInt64.self, at: 40)
        let size = UInt64(try number(UInt16.self, at: 58))
        let count = min(try number(UInt16.self, at: 60), Self.headerLimit)
        let names = UInt64(try number(UInt16.self, at: 62))
        guard table > 0, names < UInt64(count) else { return [] }
        let strings = try number(UInt64.self, at: try place(table, names, size) + 24)
        var result: [String] = []
        for index in 0..<UInt64(count) {
            let name = try number(UInt32.self, at: try place(table, index, size))
            result.append(try text(at: strings, plus: UInt64(name)))
        }
        return result
    }

    private func isInside(_ segment: Segment) -> Bool {
        let (end, overflow) = segment.offset.addingReportingOverflow(segment.byteCount)
        return !overflow && end <= UInt64(bytes.count)
    }

    /// Where a header of a table begins, room for all its fields after it.
    private func place(_ table: UInt64, _ index: UInt64, _ size: UInt64) throws(ElfFile.Problem) -> UInt64 {
        let (offset, overflow) = table.addingReportingOverflow(index * size)
        guard !overflow, offset <= UInt64(bytes.count) else { throw .truncated }
        return offset
    }
}
