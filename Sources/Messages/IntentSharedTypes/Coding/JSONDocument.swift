/// The values of a JSON text, in the order of the text. ``JSONScanner`` creates them, and checks the text.
final class JSONDocument {
    /// What a value is.
    enum Kind: UInt8 {
        case null, `true`, `false`, integer, number
        /// A string without escapes: of ASCII only, or of any characters.
        case ascii, text
        case escapedText
        case array, object
    }

    /// A value or the key of a member.
    struct Node {
        var kind: Kind
        /// The offset of the value's first byte. The offsets of a string are between the quotation marks.
        var start: UInt32
        /// The offset after the value's last byte.
        var end: UInt32
        /// The index of the node after the value and all that it contains.
        var next: UInt32
    }

    let bytes: [UInt8]
    /// A list is followed by its elements, and an object by the key and the value of each member.
    let nodes: [Node]
    /// The problem with the name of an enumeration's case, which ``MessageDecoder`` has found.
    var failure: (any Error)?

    init(_ bytes: [UInt8], _ nodes: [Node]) {
        self.bytes = bytes
        self.nodes = nodes
    }

    func kind(_ node: Int) -> Kind { nodes[node].kind }

    /// The index of the node after a value and all that it contains.
    func end(of node: Int) -> Int { Int(nodes[node].next) }

    /// Returns the value of the member with a key; nil if the object has no such member.
    func member(_ key: String, of object: Int) -> Int? {
        var key = key
        return key.withUTF8 { member($0, of: object, after: object + 1) }
    }

    /// Returns the value of the member with a key, looking first at a member and those after it.
    func member(_ key: UnsafeBufferPointer<UInt8>, of object: Int, after first: Int) -> Int? {
        let end = Int(nodes[object].next)
        var node = first
        while node < end {
            if isKey(node, key) { return node + 1 }
            node = Int(nodes[node + 1].next)
        }
        node = object + 1
        while node < first {
            if isKey(node, key) { return node + 1 }
            node = Int(nodes[node + 1].next)
        }
        return nil
    }

    @inline(__always)
    private func isKey(_ node: Int, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
        let name = nodes[node]
        if name.kind == .escapedText { return text(of: node).utf8.elementsEqual(key) }
        guard Int(name.end - name.start) == key.count else { return false }
        let start = Int(name.start)
        for index in 0..<key.count where bytes[start + index] != key[index] { return false }
        return true
    }

    /// The keys of an object's members, each with the index of its value.
    func members(of object: Int) -> [(key: String, value: Int)] {
        var members: [(String, Int)] = []
        var node = object + 1
        while node < end(of: object) {
            members.append((text(of: node), node + 1))
            node = end(of: node + 1)
        }
        return members
    }

    /// The content of a string.
    func text(of node: Int) -> String {
        let (kind, range) = (nodes[node].kind, Int(nodes[node].start)..<Int(nodes[node].end))
        switch kind {
        case .ascii: return asciiText(range)
        case .escapedText:
            return bytes.withUnsafeBufferPointer {
                String(foreign: JSONScanner.unescaped(UnsafeBufferPointer(rebasing: $0[range])))
            }
        default: return String(foreign: bytes[range])
        }
    }

    /// The bytes of a number.
    func digits(of node: Int) -> String { asciiText(Int(nodes[node].start)..<Int(nodes[node].end)) }

    /// Creates a string from ASCII bytes without the general UTF-8 validation, which takes longer than all other steps
    /// of reading a short string.
    private func asciiText(_ range: Range<Int>) -> String {
        String(unsafeUninitializedCapacity: range.count) { text in
            bytes.withUnsafeBufferPointer { text.initialize(fromContentsOf: $0[range]) }
        }
    }

    /// The keys and indices that lead from the outermost value to another, separated by dots.
    func path(to node: Int) -> [String] {
        var path: [String] = []
        var place = 0
        while place < node {
            let isObject = kind(place) == .object
            var (index, child) = (0, place + 1)
            while end(of: isObject ? child + 1 : child) <= node {
                child = end(of: isObject ? child + 1 : child)
                index += 1
            }
            path.append(isObject ? text(of: child) : "\(index)")
            place = isObject ? child + 1 : child
        }
        return path
    }
}
