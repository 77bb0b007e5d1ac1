import IntentLauncherMessages

/// Answers a DNS query (RFC 1035) from a table of names. No query leaves the host.
enum DNSAnswer {
    /// The maximum size of a query.
    static let queryLimit = 512
    /// The room that an answer may need beyond its query: one record, and the extended error.
    static let extraRoom = 64

    private enum Code: UInt8 { case none = 0, malformed = 1, failed = 2, noName = 3, notImplemented = 4, refused = 5 }
    private enum RecordType { static let a = 1, pointer = 12, text = 16, aaaa = 28, options = 41, any = 255 }

    /// Returns the answer, or nil for bytes that are no query. Calls `refused` with a name that is not granted.
    static func to(
        _ query: ArraySlice<UInt8>,
        from table: inout NameTable,
        refused: (String, NameTable.Entry) -> Void
    ) -> [UInt8]? {
        let query = Array(query)
        // Never answer an answer, or two servers could exchange messages for ever.
        guard query.count >= 12, query.count <= queryLimit, query[2] & 0x80 == 0 else { return nil }
        var code = Code.none
        var end = 12
        var type = 0
        var entry: NameTable.Entry?
        var isBlocked = false
        if query[2] & 0x78 != 0 {
            code = .notImplemented
        } else if query[4...9].elementsEqual([0, 1, 0, 0, 0, 0]), let (name, after) = name(in: query),
            after + 4 <= query.count
        {
            type = Int(query[after]) << 8 | Int(query[after + 1])
            end = after + 4
            if type == RecordType.pointer {
                code = .refused
            } else {
                entry = table.entry(for: name)
                switch entry {
                case .notGranted?:
                    (code, isBlocked) = (.noName, true)
                    refused(name, .notGranted)
                case .full?:
                    code = .failed
                    refused(name, .full)
                case .address?, nil: if [RecordType.text, RecordType.any].contains(type) { code = .refused }
                }
            }
        } else {
            code = .malformed
        }
        let hasOptions =
            end > 12 && query[11] != 0 && query.count >= end + 11
            && query[end...].starts(with: [0, 0, UInt8(RecordType.options)])
        var answer = Array(query[..<end])
        answer[2] = 0x84 | query[2] & 0x79  // an answer with authority; recursion desired as in the query
        answer[3] = 0x80 | code.rawValue
        for index in 4..<12 { answer[index] = 0 }
        answer[5] = end > 12 ? 1 : 0
        if code == .none, case .address(let address)? = entry, type == RecordType.a || type == RecordType.aaaa {
            let v4 = [24, 16, 8, 0].map { UInt8(address >> $0 & 0xFF) }
            let bytes = type == RecordType.a ? v4 : NameTable.v6(address)
            answer += [0xC0, 12, 0, UInt8(type), 0, 1, 0, 0, 0, 60, 0, UInt8(bytes.count)] + bytes
            answer[7] = 1
        }
        if hasOptions {
            // EDNS with 1232 bytes; for a name that is not granted, the extended error 15, "blocked" (RFC 8914).
            answer += [0, 0, UInt8(RecordType.options), 4, 0xD0, 0, 0, 0, 0]
            answer += isBlocked ? [0, 6, 0, 15, 0, 2, 0, 15] : [0, 0]
            answer[11] = 1
        }
        return answer
    }

    /// Reads the name of the question in lower case, and the position after it. A byte that no host name has becomes a
    /// `?`, which no grant has.
    private static func name(in query: [UInt8]) -> (String, end: Int)? {
        var at = 12
        var name: [UInt8] = []
        while at < query.count, query[at] != 0 {
            let count = Int(query[at])
            guard count <= 63, at + 1 + count < query.count, name.count + count + 1 <= 254 else { return nil }
            if !name.isEmpty { name.append(UInt8(ascii: ".")) }
            for byte in query[(at + 1)..<(at + 1 + count)] {
                let isPlain = byte.isASCIILetterOrDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                name.append(byte.isASCIILetter ? byte | 0x20 : isPlain ? byte : UInt8(ascii: "?"))
            }
            at += 1 + count
        }
        guard at < query.count else { return nil }
        return (String(foreign: name), at + 1)
    }
}
