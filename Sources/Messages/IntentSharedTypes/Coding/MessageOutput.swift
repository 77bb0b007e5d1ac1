/// The JSON of a message that is being encoded.
final class MessageOutput {
    /// What a value is: a list, an object, or a value without parts.
    enum Form { case undecided, array, object, single }

    /// A value that is being encoded.
    private struct Level {
        var form = Form.undecided
        /// The number of elements or members.
        var count = 0
        /// The index of the object's first member.
        let firstMember: Int
        var isSorted = true
    }

    /// A member of an object that is being encoded.
    private struct Member {
        /// The first eight bytes of the key, which differ in most keys.
        let prefix: UInt64
        /// The range from the quotation mark before the key to the quotation mark after it.
        let key: Range<Int>
        /// The offset after the value. Set when all members have been encoded.
        var end = 0
    }

    var writer = JSONWriter()
    private var levels: [Level] = []
    private var members: [Member] = []

    /// Writes a value.
    func value<Value: Encodable>(_ value: Value) throws {
        if Value.self == String.self { return writer.put(same(value) as String) }
        if Value.self == Bool.self { return writer.put(same(value) as Bool) }
        if Value.self == Int.self { return writer.put(Int64(same(value) as Int)) }
        if Value.self == Int64.self { return writer.put(same(value) as Int64) }
        if Value.self == UInt64.self { return writer.put(same(value) as UInt64) }
        if Value.self == Int32.self { return writer.put(Int64(same(value) as Int32)) }
        if Value.self == UInt32.self { return writer.put(UInt64(same(value) as UInt32)) }
        if Value.self == Double.self { return writer.put(same(value) as Double) }
        if Value.self == IntentValue.self { return writer.put(same(value) as IntentValue) }
        if Value.self == [String: IntentValue].self { return writer.put(same(value) as [String: IntentValue]) }
        let encoder = begin()
        try value.encode(to: encoder)
        while levels.count > encoder.level { close() }
    }

    @inline(__always)
    private func same<Value, Actual>(_ value: Value) -> Actual {
        guard let value = value as? Actual else { preconditionFailure("the types have been compared") }
        return value
    }

    /// Begins a value. The next element or member of the value around it ends it.
    func begin() -> MessageEncoder {
        levels.append(Level(firstMember: members.count))
        return MessageEncoder(self, levels.count - 1)
    }

    /// Decides what a value is. A type can encode its members in several parts.
    func open(_ form: Form, _ level: Int) {
        close(downTo: level)
        guard levels[level].form == .undecided else {
            precondition(levels[level].form == form, "a value is encoded as two kinds of value")
            return
        }
        levels[level].form = form
        switch form {
        case .array: writer.raw("[")
        case .object: writer.raw("{")
        case .single, .undecided: break
        }
    }

    func count(_ level: Int) -> Int { levels[level].count }

    /// Begins the next element of a list.
    func element(_ level: Int) {
        close(downTo: level)
        if levels[level].count > 0 { writer.raw(",") }
        levels[level].count += 1
    }

    /// Begins the next member of an object.
    func member(_ key: String, _ level: Int) {
        close(downTo: level)
        if levels[level].count > 0 { writer.raw(",") }
        levels[level].count += 1
        let start = writer.bytes.count
        writer.put(key)
        let member = Member(prefix: Self.prefix(of: key), key: start..<writer.bytes.count)
        if levels[level].count > 1, levels[level].isSorted, let last = members.last, !precedes(last, member) {
            levels[level].isSorted = false
        }
        members.append(member)
        writer.raw(":")
    }

    private func close(downTo level: Int) {
        while levels.count - 1 > level { close() }
    }

    /// Ends the innermost value.
    private func close() {
        let level = levels.removeLast()
        switch level.form {
        case .single: break
        case .array: writer.raw("]")
        case .undecided: writer.raw("{}")
        case .object:
            if !level.isSorted { sort(from: level.firstMember) }
            members.removeLast(members.count - level.firstMember)
            writer.raw("}")
        }
    }
}

// MARK: Order of members

extension MessageOutput {
    private static func prefix(of key: String) -> UInt64 {
        var prefix: UInt64 = 0
        for (index, byte) in key.utf8.prefix(8).enumerated() { prefix |= UInt64(byte) << (56 - 8 * UInt64(index)) }
        return prefix
    }

    /// Sorts the members of the innermost object by the UTF-8 of their keys. Of members with equal keys, the last remains: a
    /// run's event and its end both contain the run.
    private func sort(from first: Int) {
        let start = members[first].key.lowerBound
        for index in first..<members.count {
            members[index].end = index + 1 < members.count ? members[index + 1].key.lowerBound - 1 : writer.bytes.count
        }
        var sorted: [Member] = []
        for member in members[first...] {
            var index = sorted.count
            while index > 0, precedes(member, sorted[index - 1]) { index -= 1 }
            if index > 0, !precedes(sorted[index - 1], member) {
                sorted[index - 1] = member
            } else {
                sorted.insert(member, at: index)
            }
        }
        writer.reorder(sorted.lazy.map { $0.key.lowerBound..<$0.end }, from: start)
    }

    private func precedes(_ one: Member, _ other: Member) -> Bool {
        if one.prefix != other.prefix { return one.prefix < other.prefix }
        return content(of: one).lexicographicallyPrecedes(content(of: other))
    }

    /// The UTF-8 of a member's key.
    private func content(of member: Member) -> [UInt8] {
        writer.bytes.withUnsafeBufferPointer {
            JSONScanner.unescaped(UnsafeBufferPointer(rebasing: $0[member.key.dropFirst().dropLast()]))
        }
    }
}
