package import IntentClient
package import IntentCommandLine

/// The values with which a recorded run is performed again.
package struct RecordedInputs {
    package private(set) var inputs: [String: ParameterInput]
    /// The parameters with values that history does not have: secrets and files.
    package private(set) var missing: [ParameterDeclaration] = []
    private let run: RunID

    /// - Parameter given: New values, which replace recorded ones.
    /// - Throws: ``CommandFailure`` when the intent no longer has a parameter of the run.
    package init(
        _ story: RunStory,
        for intent: IntentDeclaration,
        given: [String: ParameterInput] = [:]
    ) throws(CommandFailure) {
        run = story.summary.run
        inputs = given
        let names = Set(story.values.keys).union(story.secretNames)
        for name in names.subtracting(intent.parameters.map(\.name)).sorted() {
            throw CommandFailure(
                .usage,
                code: ErrorReport.Code.unknownParameter.rawValue,
                "cannot retry run \(run): it has a value for '\(name)', and \(intent.name) has no such parameter now",
                hint: "perform it with new values: intentctl run \(story.summary.app)/\(intent.name)"
            )
        }
        for parameter in intent.parameters where names.contains(parameter.name) && given[parameter.name] == nil {
            if let value = story.values[parameter.name], parameter.type.element != .file {
                inputs[parameter.name] = .value(value)
            } else {
                missing.append(parameter)
            }
        }
    }

    /// Asks on the terminal for the values that history does not have. Ctrl-D leaves the remaining ones missing.
    mutating func ask() throws(CommandFailure) {
        while let parameter = missing.first, let input = try MissingValues.ask(for: parameter) {
            inputs[parameter.name] = input
            missing.removeFirst()
        }
    }

    /// - Throws: ``CommandFailure`` with the parameters that are missing.
    package func check() throws(CommandFailure) {
        guard !missing.isEmpty else { return }
        let names = missing.map { "--\(ParameterName.kebab($0.name))" }
        throw CommandFailure(
            .usage,
            code: ErrorReport.Code.missingParameter.rawValue,
            "cannot retry run \(run): history has no value of \(names.joined(separator: ", ")), a secret or a file",
            hint: "write: intentctl retry \(run) " + missing.map(\.example).joined(separator: " ")
        )
    }

    /// The recorded values. Files are not among them.
    var values: [String: IntentValue] {
        inputs.compactMapValues { if case .value(let value) = $0 { value } else { nil } }
    }
}
