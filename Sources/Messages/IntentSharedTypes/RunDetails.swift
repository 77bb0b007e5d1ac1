/// Details that a worker reports at the end of a run, in addition to the value or error message.
public struct RunDetails: Hashable, Sendable, Codable {
    /// The error's name, for use by programs: for example `unrecoverable.entityNotFound` or `KitchenError.closed`.
    public var code: String?
    /// The dialog to show next to a view, if it differs from the spoken dialog.
    public var supportingDialog: String?
    /// The intent to perform next, as requested by the result.
    public var opens: IntentReference?
    /// The kind of the unanswered question: `value`, `choice` or `confirmation`.
    public var questionKind: String?
    /// The display names of the possible answers.
    public var choices: [String]?
    /// The intents that the run donated, in order.
    public var donations: [IntentReference]?
    /// The donations from earlier runs that this run withdrew.
    public var withdrawals: DonationWithdrawals?
    /// The failed system call, derived from the thrown error.
    public var failedCall: FailedCall?
    /// The access that the sandbox denied. Set by `intentd`, never by the worker.
    public var denial: SandboxDenial?
    /// The hosts to which the run's sandbox connected, or could not connect. Set by `intentd`, never by the worker.
    public var hosts: [HostUse]?
    /// The crash report from the worker's signal handler. Set by `intentd` for a run that a signal ended.
    public var crash: CrashReport?
    /// Where the worker's threads were when the run reached a limit of time. Set by `intentd` for a run that timed out.
    public var stacks: StackReport?
    /// The undo action that the run registered; nil when it registered no undo action.
    public var undo: UndoOffer?
    /// The view to show with the result; nil for a result without a view.
    public var snippet: Snippet?

    /// Creates details. Omitted properties are nil.
    public init(
        code: String? = nil,
        supportingDialog: String? = nil,
        opens: IntentReference? = nil,
        questionKind: String? = nil,
        choices: [String]? = nil,
        donations: [IntentReference]? = nil,
        withdrawals: DonationWithdrawals? = nil,
        failedCall: FailedCall? = nil,
        undo: UndoOffer? = nil,
        snippet: Snippet? = nil
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
        self.snippet = snippet
    }

    /// True when no property is set.
    public var isEmpty: Bool { self == RunDetails() }

    /// The ``code`` of a run that was refused because the declaration of its intent is no longer the one in the catalogue
    /// (``IntentDetails/version``).
    package static let changedDeclaration = "tool.changed"
}

/// The undo action that a run registered.
public struct UndoOffer: Hashable, Sendable, Codable {
    /// The name of the action to undo, such as `Delete Notes`.
    public var name: String?
    /// The intent that undoes the run; nil when the run registered only closures, which are lost when the worker exits.
    /// In the record of a run, it is also nil when the intent has secret values.
    public var intent: IntentReference?

    /// Creates an undo offer.
    public init(name: String? = nil, intent: IntentReference? = nil) {
        self.name = name
        self.intent = intent
    }
}

/// An intent and the values of its parameters.
public struct IntentReference: Hashable, Sendable, Codable {
    /// The intent's name.
    public var intent: String
    /// The values by parameter name.
    public var values: [String: IntentValue]
    /// The identifier by which a donation can be withdrawn; nil for other references.
    public var identifier: String?
    /// The value of the result that was donated with the intent; nil for other references.
    public var result: IntentValue?

    /// Creates a reference.
    public init(intent: String, values: [String: IntentValue], identifier: String? = nil) {
        self.intent = intent
        self.values = values
        self.identifier = identifier
    }
}

/// The donations that a run withdrew.
public struct DonationWithdrawals: Hashable, Sendable, Codable {
    /// The names of the intents. All donations of an intent in this list were withdrawn.
    public var intents: [String]?
    /// The identifiers of the donations that were withdrawn individually.
    public var identifiers: [String]?
    /// The entities. Every donation that has one of these entities as a parameter value was withdrawn.
    public var entities: [EntityWithdrawal]?

    /// Creates a description of withdrawn donations.
    public init(intents: [String]? = nil, identifiers: [String]? = nil, entities: [EntityWithdrawal]? = nil) {
        self.intents = intents
        self.identifiers = identifiers
        self.entities = entities
    }

    /// Returns true if the donation was withdrawn.
    public func cover(_ donation: IntentReference) -> Bool {
        intents?.contains(donation.intent) == true
            || donation.identifier.map { identifiers?.contains($0) == true } == true
            || entities?.contains { $0.covers(donation) } == true
    }
}

/// The withdrawal of every donation that has one of several entities as a parameter value. All the entities have the
/// same type.
public struct EntityWithdrawal: Hashable, Sendable, Codable {
    /// The identifiers of the entities.
    public var identifiers: [String]
    /// The names of the parameters that accept one or several entities of this type, by the intent's name.
    public var parameters: [String: [String]]

    /// Creates a withdrawal.
    public init(identifiers: [String], parameters: [String: [String]]) {
        self.identifiers = identifiers
        self.parameters = parameters
    }

    /// Returns true if a parameter of the donation has one of the entities as its value.
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

/// A query for the options of a parameter. The intent is not performed.
public struct OptionsQuery: Hashable, Sendable, Codable {
    /// The parameter's name.
    public var parameter: String
    /// The string that the options must match; nil for the suggested options.
    public var text: String?
    /// The property search that the options must match; nil for the suggested options. It cannot be combined with
    /// ``text``.
    public var search: PropertySearch?
    /// The identifier of a single entity to return with its properties. It cannot be combined with ``text`` or
    /// ``search``.
    public var identifier: String?

    /// Creates a query. Without a string, a search or an identifier, it returns the suggested options.
    public init(parameter: String, text: String? = nil, search: PropertySearch? = nil, identifier: String? = nil) {
        self.parameter = parameter
        self.text = text
        self.search = search
        self.identifier = identifier
    }
}
