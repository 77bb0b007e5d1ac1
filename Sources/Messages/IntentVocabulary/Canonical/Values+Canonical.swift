/// Writes the values that messages contain.
extension CanonicalWriter {
    package mutating func put(_ value: IntentValue) throws(NotCanonical) {
        switch value {
        case .null: raw("null")
        case .bool(let flag): put(flag)
        case .int(let number): put(number)
        case .double(let number): try put(number)
        case .string(let text): put(text)
        case .array(let values):
            raw("[")
            for (index, value) in values.enumerated() {
                if index > 0 { raw(",") }
                try put(value)
            }
            raw("]")
        case .file, .object: throw NotCanonical()
        }
    }

    package mutating func put(_ values: [String: IntentValue]) throws(NotCanonical) {
        raw("{")
        var isFirst = true
        // Sort by UTF-8 bytes, as JSONEncoder does. String's `<` compares characters instead.
        for (name, value) in values.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            if !isFirst { raw(",") }
            isFirst = false
            put(name)
            raw(":")
            try put(value)
        }
        raw("}")
    }

    package mutating func put(_ progress: ProgressReport) throws(NotCanonical) {
        put(#"{"completedUnitCount":"#, progress.completedUnitCount)
        put(#","detail":"#, progress.detail)
        raw(#","fraction":"#)
        try put(progress.fraction)
        put(#","title":"#, progress.title)
        put(#","totalUnitCount":"#, progress.totalUnitCount)
        raw("}")
    }

    package mutating func putReturned(
        _ kind: String,
        _ value: IntentValue?,
        _ dialog: String?
    ) throws(NotCanonical) {
        raw("{")
        if let dialog {
            put(#""dialog":"#, dialog)
            raw(",")
        }
        put(#""kind":"#, kind)
        if let value {
            raw(#","value":"#)
            try put(value)
        }
    }
}

extension CanonicalReader {
    package mutating func progress() throws(NotCanonical) -> ProgressReport {
        try expect(#"{"completedUnitCount":"#)
        let completed = try integer()
        let detail = skip(#","detail":"#) ? try string() : nil
        try expect(#","fraction":"#)
        let fraction = try fraction()
        let title = skip(#","title":"#) ? try string() : nil
        try expect(#","totalUnitCount":"#)
        let total = try integer()
        try expect("}")
        return ProgressReport(
            completedUnitCount: completed,
            totalUnitCount: total,
            fraction: fraction,
            title: title,
            detail: detail
        )
    }

    package mutating func run() throws(NotCanonical) -> RunID {
        guard let run = RunID(try string()) else { throw NotCanonical() }
        return run
    }

    package mutating func strings() throws(NotCanonical) -> [String] {
        try list { (reader: inout CanonicalReader) throws(NotCanonical) in try reader.string() }
    }
}
