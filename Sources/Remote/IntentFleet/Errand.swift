package import IntentProtocol

/// A request to the host that performs or has performed a run, or to the host that stores the run's files.
package struct Errand: Sendable, Equatable {
    package var id: Int64
    package var run: Int64
    package var attempt: Int
    package var owner: String
    package var kind: Kind
    /// The serial after which output is requested, or the index of a file.
    package var number: Int64
    /// intentd's identifier for the run on the host that performed it; nil until the run has ended. For ``Kind/input``,
    /// the name under which the host stores the run's files.
    package var local: String?
    package var asker: String
    /// The number of the answer's parts that the requesting host has collected.
    package var collected: Int

    package enum Kind: String, Sendable {
        /// A page of the run's output.
        case logs
        /// A file in the run's result.
        case file
        /// The result's files are no longer needed.
        case discard
        /// A file that the run receives.
        case input
    }

    /// Creates an errand from a row of `fleet.errands`; nil if the row is malformed.
    package init?(_ row: [String?]) {
        guard row.count == 9, let id = row[0].flatMap({ Int64($0) }), let run = row[1].flatMap({ Int64($0) }),
            let attempt = row[2].flatMap({ Int($0) }), let owner = row[3], let kind = row[4].flatMap(Kind.init),
            let number = row[5].flatMap({ Int64($0) }), let asker = row[7], let collected = row[8].flatMap({ Int($0) })
        else { return nil }
        self.id = id
        self.run = run
        self.attempt = attempt
        self.owner = owner
        self.kind = kind
        self.number = number
        local = row[6]
        self.asker = asker
        self.collected = collected
    }

    /// Returns the request to intentd.
    package func request(about run: RunID) -> ClientRequest {
        switch kind {
        case .logs: .logs(run: run.text, after: number)
        case .file: .fetch(run: run.text, from: Int(clamping: number))
        case .discard: .discardFiles(run: run.text)
        case .input: preconditionFailure("intentd does not store the files of runs of other hosts")
        }
    }
}

/// A part of an answer to an ``Errand``, as a row of `fleet.collect`.
package struct Parcel: Sendable, Equatable {
    package var number: Int
    package var bytes: [UInt8]
    package var isLast: Bool

    /// The maximum size of a part, in bytes.
    package static let byteLimit = 128 << 10
    /// The maximum number of uncollected parts that the database keeps for an answer.
    package static let window = 16

    package init(number: Int, bytes: [UInt8], isLast: Bool) {
        self.number = number
        self.bytes = bytes
        self.isLast = isLast
    }

    /// Creates a part from a row of `fleet.collect`; nil for a row without a part, such as the first row.
    package init?(_ row: [String?]) {
        guard row.count == 3, let number = row[0].flatMap({ Int($0) }), let text = row[1], let isLast = row[2],
            let bytes = Self.bytes(hexadecimal: text), bytes.count <= Self.byteLimit
        else { return nil }
        self.init(number: number, bytes: bytes, isLast: isLast == "t")
    }

    private static func bytes(hexadecimal text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0 else { return nil }
        func value(_ digit: UInt8) -> UInt8? {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
            default: nil
            }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

extension [UInt8] {
    /// The bytes in lower-case hexadecimal digits.
    package var hexadecimal: String {
        let digits = Array<UInt8>("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: count * 2) { buffer in
            for (index, byte) in enumerated() {
                buffer[2 * index] = digits[Int(byte >> 4)]
                buffer[2 * index + 1] = digits[Int(byte & 15)]
            }
            return count * 2
        }
    }
}
