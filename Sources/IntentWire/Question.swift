/// What a run asks somebody in its middle. One at a time is open.
package struct Question: Hashable, Sendable, Codable {
    /// Chosen by the worker, rising from 1: an answer names the question that it is for.
    package var number: UInt64
    /// What a person is asked.
    package var text: String
    /// The parameter whose value is asked for; nil for another kind of question.
    package var parameter: String?
    /// What an answer must be.
    package var type: ValueType

    package init(number: UInt64, text: String, parameter: String? = nil, type: ValueType) {
        self.number = number
        self.text = text
        self.parameter = parameter
        self.type = type
    }
}
