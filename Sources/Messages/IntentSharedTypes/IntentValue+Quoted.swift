extension IntentValue {
    /// The value on one line, for a person who decides about it: strings are quoted, and nothing in them is invisible.
    package var quoted: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): SafeText.quoted(text)
        case .file(let file):
            // The name and the type that the client chose, and the position in the list of files.
            "\(SafeText.quoted(file.name)) (file \(file.index + 1)"
                + "\(file.contentType.map { ", type \(SafeText.quoted($0))" } ?? ""))"
        case .array(let values): "[\(values.map(\.quoted).joined(separator: ", "))]"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { "\(SafeText.quoted($0.key)): \($0.value.quoted)" }
                .joined(separator: ", ") + "}"
        }
    }
}
