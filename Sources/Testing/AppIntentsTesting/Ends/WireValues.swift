internal import AppIntents
internal import IntentLauncherMessages
internal import IntentLinux

/// The conversion between the values of an app's types and the values that an app and `intentd` exchange.
enum WireValues {
    /// Decodes a value as one of the app's types.
    static func decode<Value: _IntentValue>(
        _ value: IntentLauncherMessages.IntentValue,
        files: [SharedFileDescriptor] = [],
        as type: Value.Type,
        what: String
    ) throws(IntentTestError) -> Value {
        do {
            return try Value.decoded(from: value, files: files)
        } catch {
            throw IntentTestError("cannot read \(what) as \(type): the value is \(text(of: value)); \(error)")
        }
    }

    /// Returns a short description of a value, for a test's error messages.
    static func text(of value: IntentLauncherMessages.IntentValue) -> String {
        switch value {
        case .null: "nil"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let text): "\"\(text)\""
        case .array(let values): "[\(values.map(text(of:)).joined(separator: ", "))]"
        case .file(let file): "file '\(file.name)'"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\($0.key): \(text(of: $0.value))" }.joined(separator: ", "))}"
        }
    }
}
