import IntentWire

extension IntentParameter {
    /// The error to throw from `perform()` when this parameter's value is missing: the person is asked, and the intent
    /// is performed again from its start with the answer.
    ///
    /// Without a dialog the question is the parameter's `requestValueDialog`, or else its title. When nobody is there to
    /// answer, the run ends with the question.
    ///
    /// Source: Apple's IntentParameter.needsValueError page.
    public func needsValueError(_ dialog: IntentDialog? = nil) -> AppIntentError {
        var open = valueQuestion(dialog, type: traits.type ?? Value._intentValueCoding.type)
        open.question.isOptional = nil
        open.assign = { [self] in try await set($0, files: .ofAnswer) }
        return AppIntentError(.unanswered(open))
    }

    /// ``needsValueError(_:)`` without words of its own.
    ///
    /// Source: the sample on Apple's AppIntent page, which throws it.
    public var needsValue: AppIntentError { needsValueError() }

    /// The earlier name of ``needsValueError(_:)``.
    ///
    /// Source: Apple's IntentParameter.requestValue page.
    @available(*, deprecated, renamed: "needsValueError(_:)")
    public func requestValue(_ dialog: IntentDialog? = nil) -> any Error {
        needsValueError(dialog)
    }

    /// Asks for a value, and goes on with it. The run's clock stands still meanwhile.
    ///
    /// - Throws: The question when nobody is there to answer it; `CancellationError` when the run is cancelled.
    ///
    /// Source: Apple's IntentParameter.requestValue page.
    public func requestValue(_ dialog: IntentDialog? = nil) async throws -> Value.ValueType {
        let type = elementType
        var question = valueQuestion(dialog, type: type)
        question.question.defaultValue = suggestion(of: type)
        return try await question.asked { try await self.element($0, of: type) }
    }

    /// The error to throw from `perform()` when several values may be meant: the person is asked, and the intent is
    /// performed again from its start with the one that was chosen.
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

    /// Asks which of several values is meant, and goes on with it. The run's clock stands still meanwhile.
    ///
    /// With none to choose from it asks for any value.
    ///
    /// - Throws: The question when nobody is there to answer it; `CancellationError` when the run is cancelled.
    ///
    /// Source: Apple's IntentParameter.requestDisambiguation page.
    public func requestDisambiguation(
        among itemsToDisambiguate: [Value.ValueType],
        dialog: IntentDialog? = nil
    ) async throws -> Value.ValueType {
        guard !itemsToDisambiguate.isEmpty else { return try await requestValue(dialog) }
        let choice = ParameterChoice(itemsToDisambiguate)
        return try await choiceQuestion(choice, dialog).asked { try choice.item($0) }
    }

    /// Asks whether a value is the one that is meant; false when it is not.
    ///
    /// - Throws: The question when nobody is there to answer it; `CancellationError` when the run is cancelled.
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
        return try await open.asked { $0 == .bool(true) }
    }

    private var titleText: String { traits.title?.text ?? name?.asTitle ?? "A value is missing." }

    // MARK: Questions

    private func valueQuestion(_ dialog: IntentDialog?, type: IntentWire.ValueType?) -> OpenQuestion {
        let text = (dialog ?? traits.question)?.full.text ?? titleText
        // A type without values is asked for by nobody.
        var open = OpenQuestion(.value, of: self, text, title: titleText, type: type ?? .string)
        open.question.range = traits.range
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

    /// The declared default, where it is one value of the type.
    private func suggestion(of type: IntentWire.ValueType?) -> IntentWire.IntentValue? {
        guard let defaultValue, let type else { return nil }
        var files = OutgoingFiles(directory: nil)
        // One that cannot be written down is not suggested.
        guard let value = try? Value._intentValueCoding.encode(defaultValue, &files), value != .null else { return nil }
        return try? type.accept(value, in: traits.range)
    }

    // MARK: Answers

    /// What one value is, of a list one element.
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
            throw UnfitValue(error)
        }
        let files = IncomingFiles.ofAnswer
        if case .array = accepted {} else { try traits.check(accepted, files) }
        let fitting = traits.completed(accepted)
        let coding = Value.ValueType._intentValueCoding
        guard let resolve = coding.resolve else { return try coding.decode(fitting, files) }
        return try await resolve(fitting, files)
    }

    /// The value itself, where the parameter is no list; else a list of it.
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

/// Values to choose from, each with a name for the answer.
struct ParameterChoice<Value: _IntentValue>: Sendable {
    let cases: [EnumerationCase]
    let titles: [String]
    private let items: [Value]

    init(_ items: [Value]) {
        self.items = Array(items.prefix(OpenQuestion.choiceLimit))
        let shown = self.items.map { IntentItem(describing: $0) }
        titles = shown.map(\.title.text)
        var names = self.items.map(Self.name)
        // A name is one only when it means one value.
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
            throw UnfitValue("takes one of the values")
        }
        return items[index]
    }

    /// What the value is called on the wire: its text, an entity's id; nil where it has no short one.
    private static func name(of item: Value) -> String? {
        var files = OutgoingFiles(directory: nil)
        // What cannot be written down goes by its place.
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
