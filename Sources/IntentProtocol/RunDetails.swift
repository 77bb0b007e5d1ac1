/// What a worker tells of its run's end beside the value or the message.
public struct RunDetails: Hashable, Sendable, Codable {
    /// What programs know the error by: `unrecoverable.entityNotFound`, `KitchenError.closed`.
    public var code: String?
    /// The dialog's words beside something shown, where they differ.
    public var supportingDialog: String?
    /// The intent that is to follow.
    public var opens: IntentReference?
    /// What kind of answer the question takes: `value`, `choice`, `confirmation`.
    public var questionKind: String?
    /// What can be answered, as people read it.
    public var choices: [String]?
    /// What the run told the system that a person did, in order.
    public var donations: [IntentReference]?
    /// Which donations of runs before this one are taken back.
    public var withdrawals: DonationWithdrawals?
    /// The call to the system that failed, as the error tells that was thrown.
    public var failedCall: FailedCall?
    /// What the sandbox has to do with that: `intentd`'s own word, whatever a worker says.
    public var denial: SandboxDenial?
    /// How it can be taken back.
    public var undo: UndoOffer?

    public init(
        code: String? = nil,
        supportingDialog: String? = nil,
        opens: IntentReference? = nil,
        questionKind: String? = nil,
        choices: [String]? = nil,
        donations: [IntentReference]? = nil,
        withdrawals: DonationWithdrawals? = nil,
        failedCall: FailedCall? = nil,
        undo: UndoOffer? = nil
    ) {
        self.code = code
        self.supportingDialog = supportingDialog
        self.opens = opens
        self.questionKind = questionKind
        self.choices = choices
        self.donations = donations
        self.withdrawals = withdrawals
        self.failedCall = failedCall
        self.undo = undo
    }

    public var isEmpty: Bool { self == RunDetails() }
}

/// What a run registered to be taken back by.
public struct UndoOffer: Hashable, Sendable, Codable {
    /// What would be taken back, in a word: `Delete Notes`.
    public var name: String?
    /// The intent that takes it back; nil where only what ended with the process was registered.
    public var intent: IntentReference?

    public init(name: String? = nil, intent: IntentReference? = nil) {
        self.name = name
        self.intent = intent
    }
}

/// An intent with the values of its parameters, as another one names it.
public struct IntentReference: Hashable, Sendable, Codable {
    public var intent: String
    public var values: [String: IntentValue]
    /// Of a donation: what it can be taken back by; nil otherwise.
    public var identifier: String?

    public init(intent: String, values: [String: IntentValue], identifier: String? = nil) {
        self.intent = intent
        self.values = values
        self.identifier = identifier
    }
}

/// Which donations are taken back.
public struct DonationWithdrawals: Hashable, Sendable, Codable {
    /// All of these intents.
    public var intents: [String]?
    /// Those with these identifiers.
    public var identifiers: [String]?
    /// Those with one of these entities as a parameter's value.
    public var entities: [EntityWithdrawal]?

    public init(intents: [String]? = nil, identifiers: [String]? = nil, entities: [EntityWithdrawal]? = nil) {
        self.intents = intents
        self.identifiers = identifiers
        self.entities = entities
    }

    public func cover(_ donation: IntentReference) -> Bool {
        intents?.contains(donation.intent) == true
            || donation.identifier.map { identifiers?.contains($0) == true } == true
            || entities?.contains { $0.covers(donation) } == true
    }
}

/// Which donations are taken back for what they are about: entities of one type.
public struct EntityWithdrawal: Hashable, Sendable, Codable {
    /// The entities' ids as text.
    public var identifiers: [String]
    /// Which parameters take such an entity, or several: their names by the intent's.
    public var parameters: [String: [String]]

    public init(identifiers: [String], parameters: [String: [String]]) {
        self.identifiers = identifiers
        self.parameters = parameters
    }

    public func covers(_ donation: IntentReference) -> Bool {
        parameters[donation.intent]?.contains { donation.values[$0].map(names) == true } == true
    }

    private func names(_ value: IntentValue) -> Bool {
        switch value {
        case .string(let identifier): identifiers.contains(identifier)
        case .array(let values): values.contains(where: names)
        case .null, .bool, .int, .double, .object, .file: false
        }
    }
}

/// The wish to know what a parameter's value can be chosen from, instead of performing the intent.
public struct OptionsQuery: Hashable, Sendable, Codable {
    public var parameter: String
    /// Only what this text may mean; nil: what is suggested.
    public var text: String?
    /// Only what has such properties; nil: what is suggested. Not together with a text.
    public var search: PropertySearch?

    public init(parameter: String, text: String? = nil, search: PropertySearch? = nil) {
        self.parameter = parameter
        self.text = text
        self.search = search
    }
}
