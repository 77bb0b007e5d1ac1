/// The reason why a value cannot be encoded or decoded, for error messages.
struct CodingProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Describes an error from an encoder or decoder, with the path to the value that caused it.
    init(_ error: any Error) {
        switch error {
        case EncodingError.invalidValue(_, let context):
            self.init(context.debugDescription, at: context.codingPath)
        case DecodingError.keyNotFound(let key, let context):
            self.init("'\(key.stringValue)' is missing", at: context.codingPath)
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            self.init(context.debugDescription, at: context.codingPath)
        case _: self.init("\(error)")
        }
    }

    private init(_ problem: String, at path: [any CodingKey]) {
        let place = path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        self.init(place.isEmpty ? problem : "\(problem), in '\(place)'")
    }
}
