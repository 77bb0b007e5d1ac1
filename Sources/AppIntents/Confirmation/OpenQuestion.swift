/// What a run would have to know to go on.
struct OpenQuestion: Sendable {
    /// What an answer would be.
    enum Kind: String, Sendable {
        /// A value of the parameter.
        case value
        /// One of the choices.
        case choice
        /// Yes or no.
        case confirmation
    }

    let kind: Kind
    /// The parameter that it is about.
    let parameter: (any AnyIntentParameter)?
    let text: String
    /// What can be chosen, as people read it.
    let choices: [String]

    init(_ kind: Kind, of parameter: (any AnyIntentParameter)? = nil, _ text: String, choices: [String] = []) {
        self.kind = kind
        self.parameter = parameter
        self.text = text
        self.choices = choices
    }

    /// The question with what can be chosen.
    var wholeText: String {
        switch kind {
        case .value, .confirmation: text
        case .choice: choices.isEmpty ? text : "\(text) (\(choices.prefix(20).joined(separator: ", ")))"
        }
    }
}
