/// The values for retrying a recorded run.
package struct RecordedInputs {
    package private(set) var inputs: [String: ParameterInput]
    /// The parameters with values that history does not record: secrets and files.
    package private(set) var missing: [ParameterDeclaration] = []
    private let run: RunID

    /// - Parameter given: New values, which replace recorded values.
    /// - Throws: ``CommandFailure`` if the intent no longer has one of the run's parameters.
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
                .unknownParameter,
                "cannot retry run \(run): \(intent.name) no longer has the parameter '\(WireCoding.excerpt(name))'",
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

    /// Asks on the terminal for values that history does not record. If the user presses Ctrl-D, the remaining values
    /// stay missing.
    mutating func ask() throws(CommandFailure) {
        while let parameter = missing.first, let input = try MissingValues.ask(for: parameter) {
            inputs[parameter.name] = input
            missing.removeFirst()
        }
    }

    /// - Throws: ``CommandFailure`` with the names of the missing parameters.
    package func check() throws(CommandFailure) {
        guard !missing.isEmpty else { return }
        let names = missing.map { "--\(ParameterName.kebab($0.name))" }
        throw CommandFailure(
            .missingParameter,
            "cannot retry run \(run): history contains no secrets or files; missing: \(names.joined(separator: ", "))",
            hint: "write: intentctl retry \(run) " + missing.map(\.example).joined(separator: " ")
        )
    }

    /// The values of all parameters, except parameters with files.
    var values: [String: IntentValue] {
        inputs.compactMapValues { if case .value(let value) = $0 { value } else { nil } }
    }
}
