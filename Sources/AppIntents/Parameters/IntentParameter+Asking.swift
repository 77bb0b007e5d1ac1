import IntentWire

extension IntentParameter {
    /// Returns the error to throw from `perform()` if this parameter's value is missing. The run then asks the person
    /// and calls `perform()` again with the answer.
    ///
    /// Without a dialog, the question is the parameter's `requestValueDialog`, or else its title. If no client can
    /// answer it, the run ends with the question.
    ///
    /// Source: Apple's IntentParameter.needsValueError page.
    public func needsValueError(_ dialog: IntentDialog? = nil) -> AppIntentError {
        var open = valueQuestion(dialog, type: traits.type ?? Value._intentValueCoding.type)
        open.question.isOptional = nil
        open.assign = { [self] in try await set($0, files: .ofAnswer) }
        return AppIntentError(.unanswered(open))
    }

    /// The error of ``needsValueError(_:)`` without a dialog.
    ///
    /// Source: the sample on Apple's AppIntent page.
    public var needsValue: AppIntentError { needsValueError() }

    /// The earlier name of ``needsValueError(_:)``.
    ///
    /// Source: Apple's IntentParameter.requestValue page.
    @available(*, deprecated, renamed: "needsValueError(_:)")
    public func requestValue(_ dialog: IntentDialog? = nil) -> any Error {
        needsValueError(dialog)
    }

    /// Asks for a value and returns it. The run's deadline is suspended while it waits.
    ///
    /// - Throws: An error that contains the question when no client can answer it; `CancellationError` when the run is
    ///   cancelled.
    ///
    /// Source: Apple's IntentParameter.requestValue page.
    public func requestValue(_ dialog: IntentDialog? = nil) async throws -> Value.ValueType {
        let type = elementType
        var question = valueQuestion(dialog, type: type)
        question.question.defaultValue = suggestion(of: type)
        return try await question.ask { try await self.element($0, of: type) }
    }

    /// Returns the error to throw from `perform()` if several values match. The run then asks the person and calls
    /// `perform()` again with the chosen value.
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

    /// Asks which of several values is meant, and returns it. The run's deadline is suspended while it waits.
    ///
    /// If the list is empty, asks for any value.
    ///
    /// - Throws: An error that contains the question when no client can answer it; `CancellationError` when the run is
    ///   cancelled.
    ///
    /// Source: Apple's IntentParameter.requestDisambiguation page.
    public func requestDisambiguation(
        among itemsToDisambiguate: [Value.ValueType],
        dialog: IntentDialog? = nil
    ) async throws -> Value.ValueType {
        guard !itemsToDisambiguate.isEmpty else { return try await requestValue(dialog) }
        let choice = ParameterChoice(itemsToDisambiguate)
        return try await choiceQuestion(choice, dialog).ask { try choice.item($0) }
    }

    /// Asks whether a value is correct. Returns false if the person declines.
    ///
    /// - Throws: An error that contains the question when no client can answer it; `CancellationError` when the run is
    ///   cancelled.
    ///
    /// Source: Apple's IntentParameter.requestConfirmation page.
    public func requestConfirmation(
        for itemToConfirm: Value.ValueType,
        dialog: IntentDialog? = nil
    ) async throws -> Bool {
        let shown = IntentItem(describing: itemToConfirm).title.text
        let open = OpenQuestion(
            .confirmation,
            of: self,
            dialog?.full.text ?? "\(titleText): \(shown)?",
            title: titleText,
            type: .bool,
            choices: [shown]
        )
        return try await open.ask { $0 == .bool(true) }
    }

    private var titleText: String { traits.title?.text ?? name?.asTitle ?? "A value is missing." }

    // MARK: Questions

    private func valueQuestion(_ dialog: IntentDialog?, type: IntentWire.ValueType?) -> OpenQuestion {
        let text = (dialog ?? traits.question)?.full.text ?? titleText
        // A question needs a type. If the parameter has none, ask for text.
        var open = OpenQuestion(.value, of: self, text, title: titleText, type: type ?? .string)
        open.question.range = traits.range
        open.question.acceptLabel = traits.boolNames?.true.bounded(to: 256)
        open.question.denyLabel = traits.boolNames?.false.bounded(to: 256)
        if case .array? = type {
            open.question.size = traits.size.map { ElementCount(minimum: $0.minimum, maximum: $0.maximum) }
        }
        return open
    }

    private func choiceQuestion(_ choice: ParameterChoice<Value.ValueType>, _ dialog: IntentDialog?) -> OpenQuestion {
        let text = (dialog ?? traits.disambiguation ?? traits.question)?.full.text ?? titleText
        return OpenQuestion(
            .choice,
            of: self,
            text,
            title: titleText,
            type: .enumeration(choice.cases),
            choices: choice.titles
        )
    }

    /// Returns the declared default if it is a single value of the type; otherwise nil.
    private func suggestion(of type: IntentWire.ValueType?) -> IntentWire.IntentValue? {
        guard let defaultValue, let type else { return nil }
        var files = OutgoingFiles(directory: nil)
        // Do not suggest a value that cannot be encoded.
        guard let value = try? Value._intentValueCoding.encode(defaultValue, &files), value != .null else { return nil }
        return try? type.accept(value, in: traits.range)
    }

    // MARK: Answers

    /// The type of the value, or the type of an element if the value is a list.
    private var elementType: IntentWire.ValueType? {
        let type = traits.type ?? Value._intentValueCoding.type
        if case .array(let element)? = type, Value.ValueType.self != Value.self { return element }
        return type
    }

    private func element(_ value: IntentWire.IntentValue, of type: IntentWire.ValueType?) async throws
        -> Value.ValueType
    {
        let accepted: IntentWire.IntentValue
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

    /// Sets the value. A list parameter is set to a list with this value as the only element.
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

/// Values to choose from, each with a name that identifies it in an answer.
struct ParameterChoice<Value: _IntentValue>: Sendable {
    let cases: [EnumerationCase]
    let titles: [String]
    private let items: [Value]

    init(_ items: [Value]) {
        self.items = Array(items.prefix(OpenQuestion.choiceLimit))
        let shown = self.items.map { IntentItem(describing: $0) }
        titles = shown.map(\.title.text)
        var names = self.items.map(Self.name)
        // Use positions instead if a value has no name, or if two values have the same name.
        if Set(names).count < names.count || names.contains(nil) { names = names.indices.map { "\($0 + 1)" } }
        cases = zip(names, shown).map { name, item in
            EnumerationCase(
                value: name ?? "",
                title: item.title.text.bounded(to: 256),
                subtitle: item.subtitle?.text.bounded(to: 256)
            )
        }
    }

    func item(_ answer: IntentWire.IntentValue) throws -> Value {
        guard case .string(let name) = answer, let index = cases.firstIndex(where: { $0.value == name }) else {
            throw InvalidValue("must be one of the values")
        }
        return items[index]
    }

    /// Returns the name of a value in an answer: its text, or an entity's id. Returns nil for a value without a short
    /// name.
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
