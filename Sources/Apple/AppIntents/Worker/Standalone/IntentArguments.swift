import IntentCommandLine
import IntentLinux
import IntentSharedTypes

/// The parameter values from the command-line arguments, and the opened files to which the values refer.
struct IntentArguments: Sendable {
    private(set) var values: [String: IntentValue] = [:]
    private(set) var files: [SharedFileDescriptor] = []

    /// Parses the arguments and opens the files.
    ///
    /// - Parameter program: The name of the program, for the example in an error message.
    init(_ arguments: [String], for intent: IntentDeclaration, of program: String) throws(ParameterError) {
        let inputs = try ParameterOptions.parse(arguments, for: intent)
        let example = [program, intent.name] + intent.parameters.filter(\.isRequired).map(\.example)
        try ParameterOptions.check(inputs, for: intent, readyLine: example.joined(separator: " "))
        for parameter in intent.parameters {
            guard let input = inputs[parameter.name] else { continue }
            let option = "--" + ParameterName.kebab(parameter.name)
            let value = try open(input, option)
            do throws(ValueMismatch) {
                values[parameter.name] = try parameter.type.accept(value, in: parameter.range)
            } catch {
                throw ParameterError(.badParameter, "\(option): \(error.message)", hint: error.hint)
            }
        }
    }

    private mutating func open(_ input: ParameterInput, _ option: String) throws(ParameterError) -> IntentValue {
        switch input {
        case .value(let value): return value
        case .list(let elements):
            var values: [IntentValue] = []
            for element in elements { values.append(try open(element, option)) }
            return .array(values)
        case .path(let path):
            return try add(path, named: path.split(scalar: "/").last.map(String.init) ?? path, option)
        case .standardInput: return try add("/dev/stdin", named: "stdin", option)
        }
    }

    private mutating func add(
        _ path: String,
        named name: String,
        _ option: String
    ) throws(ParameterError) -> IntentValue {
        do {
            files.append(SharedFileDescriptor(try File.open(path)))
        } catch {
            throw ParameterError(.badParameter, "\(option): \(error)", hint: nil)
        }
        return .file(FileReference(index: files.count - 1, name: name))
    }
}
