import IntentSharedTypes

extension IntentParameter {
    /// Returns an error for `perform()` to throw when this parameter has no value. The worker then asks the person for
    /// the value, and calls `perform()` again with the answer.
    ///
    /// Without a dialog, the question is the parameter's `requestValueDialog` or, if it has none, its title. If no
    /// client can answer the question, the run ends and its outcome contains the question.
    ///
    /// Source: Apple's IntentParameter.needsValueError page.
    public func needsValueError(_ dialog: IntentDialog? = nil) -> AppIntentError {
        var open = valueQuestion(dialog, type: traits.type ?? Value._intentValueCoding.type)
        open.question.isOptional = nil
        open.assign = { [self] in try await set($0, files: .ofAnswer) }
        return AppIntentError(.unanswered(open))
    }

    /// The error that ``needsValueError(_:)`` returns without a dialog.
    ///
    /// Source: the sample on Apple's AppIntent page.
    public var needsValue: AppIntentError { needsValueError() }

    /// An earlier name for ``needsValueError(_:)``.
    ///
    /// Source: Apple's IntentParameter.requestValue page.
    @available(*, deprecated, renamed: "needsValueError(_:)")
    public func requestValue(_ dialog: IntentDialog? = nil) -> any Error {
        needsValueError(dialog)
    }

    /// Asks the person for a value and returns it. The run's deadline is suspended during the wait.
    ///
    /// - Throws: An error that contains the question when no client can answer the question; `CancellationError` when
    ///   the run is cancelled.
    ///
    /// Source: Apple's IntentParameter.requestValue page.
    public func requestValue(_ dialog: IntentDialog? = nil) async throws -> Value.ValueType {
        try await askForValue(dialog, nil)
    }

    func askForValue(_ dialog: IntentDialog?, _ snippet: ShownSnippet?) async throws -> Value.ValueType {
        let type = elementType
        var question = valueQuestion(dialog, type: type)
        question.question.defaultValue = suggestion(of: type)
        question.question.snippet = try await snippet?.ofQuestion
        return try await question.ask { try await self.element($0, of: type) }
    }

    /// Returns an error for `perform()` to throw when several values match. The worker then asks the person to choose
    /// one of them, and calls `perform()` again with the choice.
    ///
    /// Source: Apple's IntentParameter.needsDisambiguationError page.
    public func needsDisambiguationError(
        among items: [Value.ValueType],
        dialog: IntentDialog? = nil
    ) -> AppIntentError {
        guard !items.isEmpty else { return needsValueError(dialog) }
        let choice = ParameterChoice(items)
        var open = choiceQuestion(choice, dialog)
        open.assign = { [self] in try await assign(choice.item($0)) }
        return AppIntentError(.unanswered(open))
    }

    /// Asks the person to choose one of several values and returns it. The run's deadline is suspended during the wait.
    ///
    /// If the list is empty, the person may enter any value.
    ///
    /// - Throws: An error that contains the question when no client can answer the question; `CancellationError` when
    ///   the run is cancelled.
    ///
    /// Source: Apple's IntentParameter.requestDisambiguation page.
    public func requestDisambiguation(
        among itemsToDisambiguate: [Value.ValueType],
        dialog: IntentDialog? = nil
    ) async throws -> Value.ValueType {
        try await askForChoice(itemsToDisambiguate, dialog, nil)
    }

    func askForChoice(
        _ items: [Value.ValueType],
        _ dialog: IntentDialog?,
        _ snippet: ShownSnippet?
    ) async throws -> Value.ValueType {
        guard !items.isEmpty else { return try await askForValue(dialog, snippet) }
        let choice = ParameterChoice(items)
        var question = choiceQuestion(choice, dialog)
        question.question.snippet = try await snippet?.ofQuestion
        return try await question.ask { try choice.item($0) }
    }

    /// Asks the person whether a value is correct. Returns false if the person answers no.
    ///
    /// - Throws: An error that contains the question when no client can answer the question; `CancellationError` when
    ///   the run is cancelled.
    ///
    /// Source: Apple's IntentParameter.requestConfirmation page.
    public func requestConfirmation(
        for itemToConfirm: Value.ValueType,
        dialog: IntentDialog? = nil
    ) async throws -> Bool {
        try await askForConfirmation(itemToConfirm, dialog, nil)
    }

    func askForConfirmation(
        _ item: Value.ValueType,
        _ dialog: IntentDialog?,
        _ snippet: ShownSnippet?
    ) async throws -> Bool {
        let shown = IntentItem(describing: item).title.text
        var open = AskedQuestion(
            .confirmation,
            of: self,
            dialog?.full.text ?? "\(titleText): \(shown)?",
            title: titleText,
            type: .bool,
            choices: [shown]
        )
        open.question.snippet = try await snippet?.ofQuestion
        return try await open.ask { $0 == .bool(true) }
    }

    private var titleText: String { traits.title?.text ?? name?.asTitle ?? "A value is missing." }

    // MARK: Questions

    private func valueQuestion(_ dialog: IntentDialog?, type: IntentSharedTypes.ValueType?) -> AskedQuestion {
        let text = (dialog ?? traits.question)?.full.text ?? titleText
        // A question must have a type. If the parameter's type is unknown, the answer is a string.
        var open = AskedQuestion(.value, of: self, text, title: titleText, type: type ?? .string)
        open.question.range = traits.range
        open.question.acceptLabel = traits.boolNames?.true.bounded(to: 256)
        open.question.denyLabel = traits.boolNames?.false.bounded(to: 256)
        if case .array? = type {
            open.question.size = traits.size.map { ElementCount(minimum: $0.minimum, maximum: $0.maximum) }
        }
        return open
    }

    private func choiceQuestion(_ choice: ParameterChoice<Value.ValueType>, _ dialog: IntentDialog?) -> AskedQuestion {
        let text = (dialog ?? traits.disambiguation ?? traits.question)?.full.text ?? titleText
        return AskedQuestion(
            .choice,
            of: self,
            text,
            title: titleText,
            type: .enumeration(choice.cases),
            choices: choice.titles
        )
    }

    /// Returns the declared default if it is a single value of the type; otherwise returns nil.
    private func suggestion(of type: IntentSharedTypes.ValueType?) -> IntentValue? {
        guard let defaultValue, let type else { return nil }
        var files = OutgoingFiles(directory: nil)
        // Do not suggest a value that cannot be encoded.
        guard let value = try? Value._intentValueCoding.encode(defaultValue, &files), value != .null else { return nil }
        return try? type.accept(value, in: traits.range)
    }

    // MARK: Answers

    /// The type of the parameter's value; if the value is a list, the type of an element.
    private var elementType: IntentSharedTypes.ValueType? {
        let type = traits.type ?? Value._intentValueCoding.type
        if case .array(let element)? = type, Value.ValueType.self != Value.self { return element }
        return type
    }

    private func element(_ value: IntentValue, of type: IntentSharedTypes.ValueType?) async throws
        -> Value.ValueType
    {
        let accepted: IntentValue
        do {
            accepted = try (type ?? .string).accept(value, in: traits.range)
        } catch {
            throw InvalidValue(error)
        }
        let files = IncomingFiles.ofAnswer
        if case .array = accepted {} else { try traits.check(accepted, files) }
        let fitting = traits.completed(accepted)
        let coding = Value.ValueType._intentValueCoding
        guard let resolve = coding.resolve else { return try coding.decode(fitting, files) }
        return try await resolve(fitting, files)
    }

    /// Sets the parameter's value. A list parameter receives a list that contains only this value.
    private func assign(_ item: Value.ValueType) async throws {
        if let value = item as? Value ?? [item] as? Value {
            wrappedValue = value
            return
        }
        var files = OutgoingFiles(directory: nil)
        let coding = Value.ValueType._intentValueCoding
        try await set(.array([try coding.encode(item, &files)]), files: IncomingFiles())
    }
}

/// The values from which a person can choose. A name identifies each value in the answer.
struct ParameterChoice<Value: _IntentValue>: Sendable {
    let cases: [EnumerationCase]
    let titles: [String]
    private let items: [Value]

    init(_ items: [Value]) {
        self.items = Array(items.prefix(AskedQuestion.choiceLimit))
        let shown = self.items.map { IntentItem(describing: $0) }
        titles = shown.map(\.title.text)
        var names = self.items.map(Self.name)
        // If a value has no name or two values have the same name, identify all values by their positions.
        if Set(names).count < names.count || names.contains(nil) { names = names.indices.map { "\($0 + 1)" } }
        cases = zip(names, shown).map { name, item in
            EnumerationCase(
                value: name ?? "",
                title: item.title.text.bounded(to: 256),
                subtitle: item.subtitle?.text.bounded(to: 256)
            )
        }
    }

    func item(_ answer: IntentValue) throws -> Value {
        guard case .string(let name) = answer, let index = cases.firstIndex(where: { $0.value == name }) else {
            throw InvalidValue("must be one of the listed values")
        }
        return items[index]
    }

    /// Returns the name that identifies a value in an answer: the value as a string, or the id of an entity. Returns
    /// nil if the value has no short name.
    private static func name(of item: Value) -> String? {
        var files = OutgoingFiles(directory: nil)
        // A value that cannot be encoded has no name.
        guard let value = try? Value._intentValueCoding.encode(item, &files) else { return nil }
        let text: String? =
            switch value {
            case .string(let text): text
            case .int(let number): "\(number)"
            case .object(let members):
                if case .string(let id)? = members["id"] { id } else { nil }
            case .null, .bool, .double, .array, .file: nil
            }
        return text.flatMap { $0.isEmpty || $0.utf8.count > 256 ? nil : $0 }
    }
}
