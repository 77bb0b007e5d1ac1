import Foundation
import IntentLinux
import IntentWire

/// A command line's words as an intent's values.
struct IntentArguments: Sendable {
    private(set) var values: [String: IntentWire.IntentValue] = [:]
    private(set) var files: [SharedFileDescriptor] = []

    /// What is wrong with a command line, for people.
    struct UsageError: Error, Equatable {
        let message: String
    }

    init(_ words: some Sequence<String>, for intent: IntentDeclaration) throws(UsageError) {
        var rest = ArraySlice(Array(words))
        while let word = rest.popFirst() {
            guard word.hasPrefix("--"), word.count > 2 else {
                throw UsageError(message: "'\(word)' is no option: write --PARAMETER VALUE")
            }
            let option = word.dropFirst(2).prefix { $0 != "=" }
            let (parameter, isNegated) = try Self.parameter(String(option), of: intent)
            let inline = word.contains("=") ? String(word.dropFirst(option.count + 3)) : nil
            if parameter.type == .bool, inline == nil {
                values[parameter.name] = .bool(!isNegated)
                continue
            }
            guard let text = inline ?? rest.popFirst() else {
                throw UsageError(message: "--\(option) has no value")
            }
            values[parameter.name] = try value(text, for: parameter)
        }
        for parameter in intent.parameters where parameter.isRequired && values[parameter.name] == nil {
            throw UsageError(message: "\(intent.name) needs --\(parameter.name.asOption) (\(parameter.title))")
        }
    }

    private static func parameter(
        _ option: String,
        of intent: IntentDeclaration
    ) throws(UsageError) -> (ParameterDeclaration, isNegated: Bool) {
        if let found = intent.parameters.first(where: { $0.name == option || $0.name.asOption == option }) {
            return (found, false)
        }
        if option.hasPrefix("no-") {
            let name = option.dropFirst(3)
            let found = intent.parameters.first { $0.type == .bool && ($0.name == name || $0.name.asOption == name) }
            if let found { return (found, true) }
        }
        let hint = NearestName.hint(for: option, among: intent.parameters.map(\.name.asOption))
        throw UsageError(message: "\(intent.name) has no parameter '\(option)'" + (hint.map { "; \($0)" } ?? ""))
    }

    private mutating func value(
        _ text: String,
        for parameter: ParameterDeclaration
    ) throws(UsageError) -> IntentWire.IntentValue {
        let value: IntentWire.IntentValue? =
            switch parameter.type {
            case .string: .string(text)
            case .int: Int64(text).map { .int($0) }
            case .double: Double(text).map { .double($0) }
            case .bool: ["true": .bool(true), "false": .bool(false)][text]
            case .file: try file(at: text, for: parameter)
            }
        guard let value else {
            let wanted =
                parameter.type == .bool ? "true or false" : parameter.type == .int ? "a whole number" : "a number"
            throw UsageError(message: "--\(parameter.name.asOption) wants \(wanted), not '\(text)'")
        }
        return value
    }

    private mutating func file(
        at path: String,
        for parameter: ParameterDeclaration
    ) throws(UsageError) -> IntentWire.IntentValue {
        do {
            files.append(SharedFileDescriptor(try File.open(path)))
        } catch {
            throw UsageError(message: "--\(parameter.name.asOption): \(error)")
        }
        let name = (path as NSString).lastPathComponent
        return .file(FileReference(index: files.count - 1, name: name))
    }
}
