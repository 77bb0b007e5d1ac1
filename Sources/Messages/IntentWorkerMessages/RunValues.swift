package import IntentSharedTypes

/// The values of a run's parameters, together with their JSON.
///
/// `intentd` encodes the values of a run only once, to measure their size. It then copies the same bytes to the run's
/// record, to the database and to the command for the worker.
package struct RunValues: Sendable {
    package let byName: [String: IntentValue]
    private let encoded: [UInt8]?

    /// Encodes the values immediately, so that ``json`` returns the same bytes on each access.
    package init(encoding values: [String: IntentValue]) {
        byName = values
        // A copy, because the array of a writer has room for more than most values need.
        encoded = WireCoding.encode(values).withUnsafeBufferPointer { Array($0) }
    }

    /// Stores the values without encoding them. Every access to ``json`` then encodes them.
    package init(_ values: [String: IntentValue]) {
        byName = values
        encoded = nil
    }

    /// The values as JSON, encoded by `WireCoding`.
    package var json: [UInt8] { encoded ?? WireCoding.encode(byName) }
}

extension RunValues: Hashable {
    package static func == (left: RunValues, right: RunValues) -> Bool { left.byName == right.byName }

    package func hash(into hasher: inout Hasher) { hasher.combine(byName) }
}

extension RunValues: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, IntentValue)...) {
        self.init(Dictionary(uniqueKeysWithValues: elements))
    }
}

extension RunValues: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([String: IntentValue].self))
    }

    package func encode(to encoder: any Encoder) throws {
        if let encoded, let encoder = encoder as? MessageEncoder { return encoder.encode(encoded: encoded) }
        try byName.encode(to: encoder)
    }
}
