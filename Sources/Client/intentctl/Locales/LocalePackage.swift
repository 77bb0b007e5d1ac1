/// A package of ICU's data: a header, a table of contents, and named items (ICU's `ucmndata.h`, little-endian).
package struct LocalePackage: Equatable, Sendable {
    package struct Item: Equatable, Sendable {
        /// The name without ICU's version, such as `de.res`, `zone/de.res` or `brkitr/word.brk`.
        package var name: String
        /// The range of the item's bytes in the package.
        fileprivate var range: Range<Int>
    }

    package enum Problem: Error, Equatable {
        case isNoPackage
        case isDamaged(String)

        package var text: String {
            switch self {
            case .isNoPackage: "it is not an ICU data package"
            case .isDamaged(let reason): reason
            }
        }
    }

    /// The maximum number of items. ICU 76 has 4,855.
    private static let itemLimit = 100_000
    private static let alignment = 16

    /// The name by which ICU's code refers to the package, including ICU's version: `icudt76`.
    package let name: String
    package let items: [Item]
    private let bytes: ArraySlice<UInt8>
    private let headerByteCount: Int
    /// The prefix of every item's name in the package, such as `icudt76l/`.
    private let prefix: String

    /// - Parameter bytes: A package, optionally followed by other bytes.
    package init(_ bytes: ArraySlice<UInt8>) throws(Problem) {
        guard Self.isPackage(bytes) else { throw .isNoPackage }
        self.bytes = bytes
        let start = bytes.startIndex
        headerByteCount = Int(bytes.number(at: start, as: UInt16.self))
        let table = start + headerByteCount
        guard table + 4 <= bytes.endIndex else { throw .isDamaged("it ends within its header") }
        let count = Int(bytes.number(at: table, as: UInt32.self))
        guard count > 0, count <= Self.itemLimit else { throw .isDamaged("it has \(count) items") }
        guard table + 4 + 8 * count <= bytes.endIndex else { throw .isDamaged("it ends within its table of contents") }

        var names: [String] = []
        var starts: [Int] = []
        for index in 0..<count {
            let entry = table + 4 + 8 * index
            let name = table + Int(bytes.number(at: entry, as: UInt32.self))
            guard name < bytes.endIndex, let end = bytes[name...].prefix(256).firstIndex(of: 0),
                let text = String(validForeign: bytes[name..<end])
            else { throw .isDamaged("the name of item \(index) is outside the package or too long") }
            names.append(text)
            starts.append(table + Int(bytes.number(at: entry + 4, as: UInt32.self)))
        }
        let parts = names[0].split(scalar: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].hasSuffix(utf8: "l") else { throw .isDamaged("its items have no version") }
        prefix = "\(parts[0])/"
        name = String(parts[0].dropLast(scalars: 1))
        var items: [Item] = []
        for (index, name) in names.enumerated() {
            let end = index + 1 < count ? starts[index + 1] : bytes.endIndex
            guard name.hasPrefix(utf8: prefix), starts[index] <= end, end <= bytes.endIndex else {
                throw .isDamaged("item '\(name)' is outside the package")
            }
            items.append(Item(name: String(name.dropFirst(scalars: prefix.scalarCount)), range: starts[index]..<end))
        }
        self.items = items
    }

    /// Returns true for bytes that start like a package: the size of the header, two magic bytes, and the name of the
    /// format.
    static func isPackage(_ bytes: ArraySlice<UInt8>) -> Bool {
        let start = bytes.startIndex
        return bytes.count >= 24 && bytes[start + 2] == 0xDA && bytes[start + 3] == 0x27
            && bytes[(start + 12)..<(start + 16)].elementsEqual("CmnD".utf8)
    }

    /// The languages for which the package contains data.
    package var languages: Set<String> {
        Set(items.map(\.name).filter { !$0.contains(utf8: "/") }.compactMap(LocaleSelection.language(ofItem:)))
    }

    package var byteCount: Int { bytes.count }

    /// Returns a package that contains only the items that a selection keeps.
    package func keeping(_ selection: LocaleSelection) -> [UInt8] {
        let kept = items.filter { selection.keeps($0.name) }
        var names: [UInt8] = []
        var table: [UInt8] = []
        table.append(UInt32(kept.count))
        let namesStart = 4 + 8 * kept.count
        let namesByteCount = kept.reduce(0) { $0 + prefix.utf8.count + $1.name.utf8.count + 1 }
        var position = Self.aligned(namesStart + namesByteCount)
        let start = position
        for item in kept {
            table.append(UInt32(namesStart + names.count))
            table.append(UInt32(position))
            names += Array(prefix.utf8) + Array(item.name.utf8) + [0]
            position += Self.aligned(item.range.count)
        }
        var result = Array(bytes[bytes.startIndex..<bytes.startIndex + headerByteCount]) + table + names
        result.reserveCapacity(headerByteCount + position)
        result.append(contentsOf: repeatElement(0xAA, count: start - namesStart - namesByteCount))
        for item in kept {
            result.append(contentsOf: bytes[item.range])
            result.append(contentsOf: repeatElement(0xAA, count: Self.aligned(item.range.count) - item.range.count))
        }
        return result
    }

    private static func aligned(_ count: Int) -> Int { (count + alignment - 1) / alignment * alignment }
}

extension [UInt8] {
    fileprivate mutating func append(_ number: UInt32) {
        for shift in stride(from: 0, to: 32, by: 8) { append(UInt8(truncatingIfNeeded: number >> UInt32(shift))) }
    }
}

extension ArraySlice<UInt8> {
    /// Returns the little-endian integer at an index. The slice must contain all of its bytes.
    func number<Number: FixedWidthInteger>(at start: Int, as type: Number.Type) -> Number {
        self[start..<start + MemoryLayout<Number>.size].reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}
