import Foundation
import IntentLinux
import IntentWire

/// The words of a command line as an intent's values.
struct IntentArguments: Sendable {
    private(set) var values: [String: IntentWire.IntentValue] = [:]
    private(set) var files: [SharedFileDescriptor] = []

    /// A usage error, for people.
    struct UsageError: Error, Equatable {
        let message: String
    }

    init(_ words: some Sequence<String>, for intent: IntentDeclaration) throws(UsageError) {
        var rest = ArraySlice(Array(words))
        while let word = rest.popFirst() {
            guard word.hasPrefix("--"), word.count > 2 else {
                throw UsageError(message: "unknown argument '\(word)': write --PARAMETER VALUE")
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
            try add(text, to: parameter)
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

    /// A repeated option appends to a list, and replaces any other value.
    private mutating func add(_ text: String, to parameter: ParameterDeclaration) throws(UsageError) {
        let option = parameter.name.asOption
        do {
            guard case .array(let element) = parameter.type else {
                let value = try read(text, as: parameter.type, option)
                values[parameter.name] = try parameter.type.accept(value, in: parameter.range)
                return
            }
            let value = try element.accept(try read(text, as: element, option), in: parameter.range)
            guard case .array(let others)? = values[parameter.name] else {
                values[parameter.name] = .array([value])
                return
            }
            values[parameter.name] = .array(others + [value])
        } catch let error as UsageError {
            throw error
        } catch let mismatch as ValueMismatch {
            throw UsageError(message: "--\(option) \(UnfitValue(mismatch).text)")
        } catch {
            preconditionFailure("an unexpected error while reading a value: \(error)")
        }
    }

    /// Parses a text as a value of the type. A text that does not parse stays text, which the type then refuses.
    private mutating func read(
        _ text: String,
        as type: IntentWire.ValueType,
        _ option: String
    ) throws(UsageError) -> IntentWire.IntentValue {
        switch type {
        case .string, .decimal, .url, .enumeration, .array, .entity, .measurement, .currencyAmount, .dateComponents,
            .unknown:
            .string(text)
        case .object: (try? JSONDecoder().decode(PlainJSON.self, from: Data(text.utf8)).value) ?? .string(text)
        case .int: Int64(text).map { .int($0) } ?? .string(text)
        case .double: Double(text).map { .double($0) } ?? .string(text)
        case .bool: ["true": .bool(true), "false": .bool(false)][text] ?? .string(text)
        case .date: .string(Date(typed: text)?.wireText ?? text)
        case .duration: Duration(typed: text).map { .double($0 / .seconds(1)) } ?? .string(text)
        case .file: try file(at: text, option)
        }
    }

    private mutating func file(at path: String, _ option: String) throws(UsageError) -> IntentWire.IntentValue {
        do {
            files.append(SharedFileDescriptor(try File.open(path)))
        } catch {
            throw UsageError(message: "--\(option): \(error)")
        }
        let name = (path as NSString).lastPathComponent
        return .file(FileReference(index: files.count - 1, name: name))
    }
}
