import CIntentWorker
import Foundation
import IntentLinux
import IntentSharedTypes
import IntentWorkerMessages

extension AppIntent {
    /// Creates the intent, sets its parameters and performs it.
    ///
    /// - Parameter directory: The run folder, to which the result's files are written.
    static func run(values: [String: IntentValue], files: IncomingFiles, directory: String) async -> RunEnding {
        await concluded(files) { await Self().prepareAndPerform(values, files, directory) }
    }

    /// Performs this intent with its current values, which are treated like values that a client sent.
    ///
    /// - Parameter directory: The run folder, which receives the files in the values and in the result.
    func run(sending directory: String) async -> RunEnding {
        let values: [String: IntentValue]
        let files: IncomingFiles
        do {
            (values, files) = try sentValues(directory)
        } catch {
            return Self.failure(error)
        }
        return await Self.concluded(files) { await prepareAndPerform(values, files, directory) }
    }

    /// Performs the operation, writes changed files back, and adds the donations and the undo action to the result.
    private static func concluded(_ files: IncomingFiles, _ operation: () async -> RunEnding) async -> RunEnding {
        var ending = await operation()
        do {
            try files.writeBack()
        } catch {
            ending = failure(RunError("cannot write a changed file: \(ErrorMessage.of(error))"))
        }
        if let session = RunSession.now { addWork(of: session, to: &ending) }
        return ending
    }

    /// Adds the donations and the undo action of the session to the result. Not inlined, so that the details are not
    /// part of the caller's frame, which each run allocates.
    @inline(never)
    private static func addWork(of session: RunSession, to ending: inout RunEnding) {
        let donations = session.donations.drain()
        let undo = session.undo?.offer
        guard donations != nil || undo != nil else { return }
        var details = ending.result.details ?? RunDetails()
        details.donations = donations?.donations
        details.withdrawals = donations?.withdrawals
        details.undo = undo
        ending.result.details = details
    }

    private func prepareAndPerform(
        _ values: [String: IntentValue],
        _ files: IncomingFiles,
        _ directory: String
    ) async -> RunEnding {
        do {
            RunSession.now?.questions.setParameters { try IntentInspection.parameters(of: self) }
            try await prepare(values, files: files)
            return try await performUntilFinished(in: directory)
        } catch is CancellationError {
            return RunEnding(.threwCancellation)
        } catch {
            RunSession.now?.keep(error: error)
            return Self.failure(error)
        }
    }

    /// Returns the values of the parameters, with their files as read-only descriptors, as a client would pass them.
    private func sentValues(_ directory: String) throws -> ([String: IntentValue], IncomingFiles) {
        var values: [String: IntentValue] = [:]
        var outgoing = OutgoingFiles(directory: directory)
        for (name, parameter) in try IntentInspection.parameters(of: self) where parameter.hasGivenValue {
            do {
                values[name] = try parameter.wireValue(files: &outgoing)
            } catch is InvalidValue {
                // Skip a value that cannot be sent. The parameter keeps this value, because the run is in the
                // same process.
                continue
            }
        }
        return (values, IncomingFiles(try outgoing.readOnlyDescriptors()))
    }

    /// Lists the values that a parameter offers. The list is the run's result value.
    static func options(_ query: OptionsQuery, values: [String: IntentValue], files: IncomingFiles) async -> RunEnding {
        do {
            let intent = Self()
            let parameters = try IntentInspection.parameters(of: intent)
            guard let parameter = parameters.first(where: { $0.name == query.parameter })?.parameter else {
                throw RunError("the intent '\(persistentIdentifier)' has no parameter '\(query.parameter)'")
            }
            return try await OptionsPreparation.$intent.withValue(intent) {
                for (name, other) in OptionsPreparation.inDependencyOrder(parameters, of: intent) {
                    guard let value = values[name] else { continue }
                    try await intent.set(other, named: name, to: value, files: files)
                }
                let value = try await intent.options(query, of: parameter)
                return RunEnding(.returned(value: value, dialog: nil))
            }
        } catch is CancellationError {
            return RunEnding(.threwCancellation)
        } catch {
            return failure(error)
        }
    }

    private func options(_ query: OptionsQuery, of parameter: any AnyIntentParameter) async throws -> IntentValue {
        if let identifier = query.identifier {
            return .array([try await entity(identifier, of: parameter, named: query.parameter)])
        }
        let found =
            if let search = query.search { try await parameter.found(by: search) } else {
                try await parameter.options(matching: query.text)
            }
        guard let options = found else {
            let lacks = query.search == nil ? "has no options to choose from" : "cannot be searched by properties"
            throw RunError("'\(query.parameter)' of '\(Self.persistentIdentifier)' \(lacks)")
        }
        return options.wireValue
    }

    /// Returns the entity with the given identifier as an option, which also contains the entity's properties.
    private func entity(
        _ identifier: String,
        of parameter: any AnyIntentParameter,
        named name: String
    ) async throws -> IntentValue {
        let named = IntentValue.string(identifier)
        let isList = if case .array? = parameter.declaration(named: name)?.type { true } else { false }
        try await set(parameter, named: name, to: isList ? .array([named]) : named, files: IncomingFiles())
        var files = OutgoingFiles(directory: nil)
        var value: IntentValue?
        do {
            value = try parameter.wireValue(files: &files)
            if !files.deferred.isEmpty { value = try await files.fetchDeferred(in: value) }
        } catch let invalid as InvalidValue {
            throw RunError("the entity '\(identifier)' \(invalid.text)")
        }
        if case .array(let values)? = value { value = values.first }
        guard case .object(var members)? = value, let id = members.removeValue(forKey: "id") else {
            throw RunError("'\(name)' of '\(Self.persistentIdentifier)' does not accept entities")
        }
        members["value"] = id
        return .object(members)
    }

    private static func failure(_ error: any Error) -> RunEnding { RunEnding(failure: error) }

    /// Calls `perform()`, and repeats the call after each answered question and each request to restart.
    private func performUntilFinished(in directory: String) async throws -> RunEnding {
        try await OptionsPreparation.$intent.withValue(self) {
            // Most intents have no entities that need confirmation. Their runs skip the check, which would suspend
            // them.
            var ownership = OwnershipCheck.isNeeded(for: Self.self) ? OwnershipCheck() : nil
            while true {
                if let ending = try await performOnce(in: directory, &ownership) { return ending }
            }
        }
    }

    // Steps that few runs need are separate functions, so that their variables are not part of a frame that each run
    // allocates.

    /// Calls `perform()` once. Returns nil if it must be called again because a question was answered or it requested a
    /// restart.
    private func performOnce(in directory: String, _ ownership: inout OwnershipCheck?) async throws -> RunEnding? {
        do {
            if ownership != nil { try await confirmOwnership(&ownership) }
            intentd_use_crash_stack()
            return try await ending(of: try await perform(), in: directory)
        } catch {
            return try await ending(after: error)
        }
    }

    private func confirmOwnership(_ ownership: inout OwnershipCheck?) async throws {
        let values = try IntentInspection.parameters(of: self).compactMap { $0.parameter.anyValue }
        guard let dialog = try await ownership?.dialog(for: values) else { return }
        try await requestConfirmation(dialog: IntentDialog(stringLiteral: dialog))
    }

    /// Returns the ending of a run after `perform()` has returned.
    private func ending(of result: PerformResult, in directory: String) async throws -> RunEnding {
        var outgoing = OutgoingFiles(directory: directory)
        var value = try result.wireValue(files: &outgoing)
        // Most values have no deferred properties. Their runs skip this call, which would suspend them.
        if !outgoing.deferred.isEmpty { value = try await outgoing.fetchDeferred(in: value) }
        if case .object? = value { value = try await outgoing.addExport(of: result.value, to: value) }
        RunSession.now?.keep(value: result.value)
        if let shown = Self.snippet(of: result) {
            return try await ending(of: result, value, &outgoing, showing: shown)
        }
        return Self.ending(of: result, value, outgoing, nil)
    }

    @inline(never)
    private static func snippet(of result: PerformResult) -> ShownSnippet? {
        if let snippet = result.followUp?.snippet { return snippet }
        // Most programs have no such entity. Their runs skip the cast, for which the runtime searches all conformances.
        return EntityConformances.ofProgram.hasSnippets ? ShownSnippet(of: result.value) : nil
    }

    private func ending(
        of result: PerformResult,
        _ value: IntentValue?,
        _ outgoing: inout OutgoingFiles,
        showing shown: ShownSnippet
    ) async throws -> RunEnding {
        let snippet = try await shown.snippet(of: self, &outgoing)
        return Self.ending(of: result, value, outgoing, snippet)
    }

    @inline(never)
    private static func ending(
        of result: PerformResult,
        _ value: IntentValue?,
        _ outgoing: OutgoingFiles,
        _ snippet: Snippet?
    ) -> RunEnding {
        let followUp = result.followUp
        let dialog = followUp?.dialog?.full.text.bounded(to: ErrorMessage.limit)
        var ending = RunEnding(.returned(value: value, dialog: dialog), files: outgoing)
        let supporting = followUp?.dialog?.supporting?.text.bounded(to: ErrorMessage.limit)
        let opens = followUp?.following.map { IntentReference(to: $0) }
        if supporting != nil || opens != nil || snippet != nil {
            ending.result.details = RunDetails(supportingDialog: supporting, opens: opens, snippet: snippet)
        }
        return ending
    }

    /// Returns the ending of a run after `perform()` has thrown an error, or nil if `perform()` must be called again.
    private func ending(after error: any Error) async throws -> RunEnding? {
        let known = (error as? any CustomAppIntentErrorConvertible)?.appIntentError ?? error as? AppIntentError
        if known?.requestsRestart == true {
            try Task.checkCancellation()
            return nil
        }
        guard case .unanswered(let question)? = known?.meaning else { throw error }
        // If this intent performs another intent, a question about a parameter of that intent ends the run. The
        // caller cannot set the parameter, and a repeated call to `perform()` would create the other intent again.
        let own = try IntentInspection.parameters(of: self).first { $0.parameter === question.parameter }
        if let own, try await assignAnswer(to: question, of: own) { return nil }
        var ending = RunEnding(
            .needsValue(
                parameter: own?.name,
                question: question.textWithChoices.bounded(to: ErrorMessage.limit)
            )
        )
        ending.result.details = RunDetails(
            code: known?.code?.text,
            questionKind: question.kind.rawValue,
            choices: question.choices.isEmpty ? nil : question.choices.prefix(100).map { $0.bounded(to: 256) }
        )
        return ending
    }

    /// Asks a question and assigns the answer to the parameter. Returns false if no client can answer the question.
    private func assignAnswer(
        to question: AskedQuestion,
        of own: (name: String, parameter: any AnyIntentParameter)
    ) async throws -> Bool {
        guard let assign = question.assign else { return false }
        do {
            try await question.ask { answer in
                try await assign(answer)
                do {
                    try await check(own.parameter, named: own.name)
                } catch let error as RunError {
                    throw InvalidValue(error.message)
                }
            }
            return true
        } catch let error as AppIntentError {
            if case .unanswered = error.meaning { return false }
            throw error
        }
    }

    /// Sets the parameters of the intent and resolves its dependencies.
    func prepare(_ values: [String: IntentValue] = [:], files: IncomingFiles = IncomingFiles()) async throws {
        try await OptionsPreparation.$intent.withValue(self) { try await setParameters(values, files) }
    }

    private func setParameters(_ values: [String: IntentValue], _ files: IncomingFiles) async throws {
        let (parameters, dependencies) = try IntentInspection.parts(of: self)
        for name in values.keys.sorted() where !parameters.contains(where: { $0.name == name }) {
            throw RunError("the intent '\(Self.persistentIdentifier)' has no parameter '\(name)'")
        }
        for (name, parameter) in OptionsPreparation.inDependencyOrder(parameters, of: self) {
            if let value = values[name] { try await set(parameter, named: name, to: value, files: files) }
        }
        for (name, parameter) in parameters {
            // Call the provider after all given values are set, because its default may depend on them.
            if values[name] == nil, !parameter.hasGivenValue, let provider = parameter.optionsProvider,
                let chosen = await OptionsSource.defaultResult(of: provider)
            {
                parameter.choose(chosen)
            }
            guard parameter.isSet else { throw RunError("parameter '\(name)' is missing", code: "missingParameter") }
        }
        for (name, parameter) in parameters where values[name] != nil { try await check(parameter, named: name) }
        for dependency in dependencies { try await dependency.resolve(for: Self.persistentIdentifier) }
    }
}

extension AppIntent {
    private func set(
        _ parameter: any AnyIntentParameter,
        named name: String,
        to value: IntentValue,
        files: IncomingFiles
    ) async throws {
        do {
            try await parameter.set(value, files: files)
        } catch let invalid as InvalidValue {
            throw RunError("parameter '\(name)' \(invalid.text)", code: "badParameter")
        }
    }

    /// Checks that the parameter's value is among the results of its provider.
    ///
    /// Entities are not checked, because the query has already found them, and a provider may suggest only
    /// some entities.
    private func check(_ parameter: any AnyIntentParameter, named name: String) async throws {
        guard let source = parameter.traits.options, parameter.valueOptions == nil, parameter.hasGivenValue else {
            return
        }
        var files = OutgoingFiles(directory: nil)
        guard let value = try parameter.wireValue(files: &files) else { return }
        let options = try await source.options(matching: nil).options
        let given = if case .array(let values) = value { values } else { [value] }
        for value in given where !options.contains(where: { $0.value == value }) {
            let names = options.map { if case .string(let text) = $0.value { text } else { $0.title } }
            let hint =
                if case .string(let text) = value { NearestName.hint(for: text, among: names) } else { String?.none }
            let some = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", …" : "")
            throw RunError(
                "parameter '\(name)' must be one of \(some)\(hint.map { "; \($0)" } ?? "")",
                code: "badParameter"
            )
        }
    }
}

extension AnyIntentParameter {
    /// Returns the options of the parameter, or nil if the parameter has no provider.
    func options(matching text: String?) async throws -> OptionList? {
        if let source = traits.options { return try await source.options(matching: text) }
        return try await valueOptions?._options(matching: text).list
    }

    /// Returns the entities that match a search, or nil if the parameter has no property query.
    func found(by search: PropertySearch) async throws -> OptionList? {
        guard let query = propertyQuery else { return nil }
        try await OptionsPreparation.prepare(query)
        return try await query._found(by: search)
    }

    /// The provider of the parameter's options: its own provider or query, or else the default query of its type.
    var optionsProvider: (any DynamicOptionsProvider)? {
        traits.options?.provider ?? (valueOptions as? any AppEntity.Type)?._anyDefaultQuery
    }

    /// The query that can search for the parameter's values by properties; nil if no such query exists.
    var propertyQuery: (any EntityPropertyQuery)? { optionsProvider as? any EntityPropertyQuery }
}

extension IntentResult {
    fileprivate func wireValue(files: inout OutgoingFiles) throws -> IntentValue? {
        guard let value else { return nil }
        do {
            return try Value._intentValueCoding.encode(value, &files)
        } catch let invalid as InvalidValue {
            throw RunError("the returned value \(invalid.text)")
        } catch let error as SystemError {
            throw RunError("cannot return a file: \(error)")
        }
    }
}

/// An error that does not come from the app's code.
struct RunError: LocalizedError, Equatable {
    let message: String
    /// The error code by which programs recognise the error.
    let code: String

    init(_ message: String, code: String = "notPerformed") {
        self.message = message
        self.code = code
    }

    var errorDescription: String? { message }
}
