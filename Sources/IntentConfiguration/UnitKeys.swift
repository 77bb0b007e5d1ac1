/// The sections and keys of the operator's files.
///
/// Each line has one of them. If a value contains another one, a line end was lost, and with it a rule. That is a mistake,
/// never a long value.
package enum UnitKeys {
    package static let all = Set(
        names(ServiceKey.self) + names(CapacityKey.self) + names(LimitKey.self) + names(HistoryKey.self)
            + names(ConcurrencyKey.self) + names(AppKey.self) + names(AccessKey.self) + names(NotifyKey.self)
            + names(SandboxKey.self) + names(AgentKey.self)
    )

    /// The keys that betray a lost line end. The keys of `[Notify]` and `[Agents]` are too short for that: values such as
    /// `Environment=DBUser=ada` contain `User=` rightly.
    private static let telling = all.subtracting(names(NotifyKey.self)).subtracting(names(AgentKey.self))
        .union(names(ServiceKey.self))

    /// Keys that an app must not run without. In a wrong section they are misplaced, not irrelevant.
    static let protections = Set(
        names(AccessKey.self) + AppKey.allCases.filter(\.isProtection).map(\.rawValue)
            + ConcurrencyKey.allCases.filter(\.isProtection).map(\.rawValue)
    )

    private static func names<Key: SettingKey>(_: Key.Type) -> [String] { Key.allCases.map(\.rawValue) }

    private static let sections = ["App", "Access", "Limits", "History", "Notify", "Agents", "Sandbox", "Intent "]

    /// The key or section that appears inside a value as if it started a line; nil if the value has no such text.
    static func within(_ value: String) -> String? {
        let bytes = Array(value.utf8)
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "[") {
                let rest = bytes[(index + 1)...]
                if let section = sections.first(where: { rest.starts(with: $0.utf8) }) { return "[\(section)" }
            }
            if byte == UInt8(ascii: "=") {
                let word = bytes[..<index].trimmingSuffix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                // Letters before the key may be the end of the previous line's value.
                let letters = word.suffix { isLetter($0) }
                for start in letters.indices where telling.contains(String(decoding: letters[start...], as: UTF8.self))
                {
                    return String(decoding: letters[start...], as: UTF8.self) + "="
                }
            }
        }
        return nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

extension Collection where Self: BidirectionalCollection {
    fileprivate func trimmingSuffix(_ isRemoved: (Element) -> Bool) -> SubSequence {
        var rest = self[...]
        while let last = rest.last, isRemoved(last) { rest.removeLast() }
        return rest
    }

    fileprivate func suffix(_ isKept: (Element) -> Bool) -> SubSequence {
        var start = endIndex
        while start > startIndex, isKept(self[index(before: start)]) { start = index(before: start) }
        return self[start...]
    }
}
