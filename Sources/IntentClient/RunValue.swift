internal import IntentLinux
internal import IntentWire

/// A parameter's value or a result.
public enum RunValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([RunValue])
    /// A file, handed over as a descriptor.
    case file(RunFile)
    /// Named parts: an entity with its `id` and `title`, or any other.
    case object([String: RunValue])
}

extension RunValue {
    /// The value of a message, its files taken from those that rode along; nil when it names one that did not.
    init?(_ value: IntentValue, files: [SharedFileDescriptor]) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .array(let values):
            let converted = values.compactMap { RunValue($0, files: files) }
            guard converted.count == values.count else { return nil }
            self = .array(converted)
        case .object(let members):
            let converted = members.compactMapValues { RunValue($0, files: files) }
            guard converted.count == members.count else { return nil }
            self = .object(converted)
        case .file(let reference):
            guard files.indices.contains(reference.index) else { return nil }
            self = .file(
                RunFile(
                    name: reference.name,
                    contentType: reference.contentType,
                    shared: files[reference.index]
                )
            )
        }
    }

    /// The value for a message; its files are added to those that will ride along.
    func wireValue(collecting files: inout [SharedFileDescriptor]) -> IntentValue {
        switch self {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .int(let value): return .int(value)
        case .double(let value): return .double(value)
        case .string(let value): return .string(value)
        case .array(let values): return .array(values.map { $0.wireValue(collecting: &files) })
        case .object(let members):
            // In the order of the names, so that equal values are equal bytes.
            var converted: [String: IntentValue] = [:]
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                converted[name] = value.wireValue(collecting: &files)
            }
            return .object(converted)
        case .file(let file):
            files.append(file.shared)
            return .file(
                FileReference(index: files.count - 1, name: file.name, contentType: file.contentType)
            )
        }
    }
}
