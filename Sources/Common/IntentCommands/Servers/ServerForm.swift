package import IntentCommandLine
package import IntentProtocol

/// A form of a server (`elicitation/create`), which is asked as one question for each field.
package struct ServerForm: Equatable, Sendable {
    private var fields: [ToolParameter]
    private var schema: ToolSchema
    private var message: String
    private var content: [String: JSONValue] = [:]
    private var index = 0

    /// The maximum number of fields of a form.
    private static let fieldLimit = 32
    private static let messageLimit = 2000

    /// - Throws: ``ArgumentError`` for a form that cannot be asked.
    init(_ params: [String: JSONValue]) throws(ArgumentError) {
        guard params["mode"]?.text ?? "form" == "form", let schema = params["requestedSchema"], schema.object != nil
        else {
            throw ArgumentError("only forms with a schema can be asked")
        }
        self.schema = ToolSchema(schema)
        message = String((params["message"]?.text ?? "").prefix(scalars: Self.messageLimit))
        fields = try ServerTool.parameters(self.schema)
        guard fields.count <= Self.fieldLimit, !message.isEmpty || !fields.isEmpty else {
            throw ArgumentError("a form needs a message, and may have at most \(Self.fieldLimit) fields")
        }
    }

    /// The question to ask next; nil if all fields have an answer. Its number is 0.
    package var question: Question? {
        // A form without fields asks for a consent.
        if fields.isEmpty {
            return index > 0 ? nil : Question(number: 0, text: message, type: .bool, kind: .confirmation)
        }
        guard fields.indices.contains(index) else { return nil }
        let field = fields[index].declaration
        let about = field.summary ?? field.title
        var question = Question(
            number: 0,
            text: fields.count == 1 && field.summary == nil ? message : "\(message)\n\(about)",
            type: field.type,
            kind: .value
        )
        question.title = field.title
        question.range = field.range
        question.size = field.size
        question.isOptional = field.isOptional.trueOrNil
        question.defaultValue = field.defaultValue
        return question
    }

    /// The reply to the form (ElicitResult) after the answer to its last question; nil while a question is open.
    ///
    /// - Parameter answer: The answer to ``question``; nil if no user answers it.
    package mutating func reply(_ answer: IntentValue?) -> [String: JSONValue]? {
        guard let question, let answer else { return ["action": "cancel"] }
        if question.isDeclined(by: answer) { return ["action": "decline"] }
        if fields.indices.contains(index) {
            let field = fields[index]
            do throws(ArgumentError) {
                if let json = try field.json(answer) { content[field.property] = json }
            } catch {
                return ["action": "cancel"]
            }
        }
        index += 1
        guard self.question == nil else { return nil }
        guard schema.problem(with: .object(content)) == nil else { return ["action": "cancel"] }
        return ["action": "accept", "content": .object(content)]
    }
}
