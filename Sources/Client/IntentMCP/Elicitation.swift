import IntentCommandLine
import IntentLinux
import IntentProtocol

/// A form in which the client shows a run's question to a person (`elicitation/create`, mode `form`).
struct Elicitation {
    private let question: Question
    /// The name of the only field in the form.
    private let field: String
    private let schema: JSONValue

    /// Creates a form. Returns nil for a question that a form cannot ask: a question about a secret, a file, an object,
    /// or a list of values other than choices.
    init?(_ question: Question) {
        guard question.isSecret != true, let schema = Self.schema(of: question) else { return nil }
        self.question = question
        self.schema = schema
        field =
            switch question.kind {
            case .confirmation?: "confirm"
            case .choice?: "choice"
            case .value?, .unknown?, nil: question.parameter ?? "value"
            }
    }

    /// Returns the method and parameters of the request that shows the form, as an object.
    ///
    /// - Parameters:
    ///   - about: The subject of the question: the title of the run, or its app and intent.
    ///   - refusal: The reason why intentd or the form rejected an earlier answer; nil for the first request.
    func request(about: String, refusal: String?) -> JSONValue {
        let shown = question.snippet.map {
            SnippetText.lines($0, columns: SnippetText.columnLimit, .none).map { $0 + "\n" }.joined()
        }
        // The title of a run contains values of the agent. A question for approval quotes them itself.
        let subject = question.number == 0 ? "" : SafeText.line(about) + "\n"
        let problem = (refusal ?? question.problem).map { "\n\($0)" } ?? ""
        let params: JSONValue = [
            "mode": "form", "message": .string(SafeText.printed("\(subject)\(shown ?? "")\(question.text)\(problem)")),
            "requestedSchema": [
                "type": "object", "properties": [field: schema],
                "required": question.isOptional == true ? [] : [.string(field)],
            ],
        ]
        return ["method": "elicitation/create", "params": params]
    }

    enum Reply: Hashable {
        case answer(IntentValue)
        /// The person closed the form without an answer, so the run must be cancelled.
        case cancel
        /// The reply does not match the form.
        case invalid(String)
    }

    /// Interprets the client's reply to the form (ElicitResult).
    func reply(_ result: [String: JSONValue]?) -> Reply {
        guard let result, result["action"]?.text == "accept" else {
            if question.kind == .confirmation { return .answer(.bool(false)) }
            if let stop = question.choices.first(where: { $0.style == .cancel }) { return .answer(.string(stop.value)) }
            return question.isOptional == true ? .answer(.null) : .cancel
        }
        let declaration = ParameterDeclaration(name: field, title: field, type: question.type, range: question.range)
        guard let json = result["content"]?.object?[field], json != .null else {
            return question.isOptional == true ? .answer(.null) : .invalid("the form contains no value for '\(field)'")
        }
        do throws(ToolFailure) {
            let input = try ToolFailure.mapping { () throws(ParameterError) in
                try ParameterInput(json: json, for: declaration, location: " in the form")
            }
            return .answer(input?.plainValue ?? .null)
        } catch {
            return .invalid(error.text)
        }
    }

    /// Returns the schema of the field: a primitive schema that forms permit, or a choice of several values. Nil for
    /// other types.
    private static func schema(of question: Question) -> JSONValue? {
        if question.kind == .confirmation {
            return ["type": "boolean", "title": .string(question.acceptLabel ?? "Continue"), "default": false]
        }
        let declaration = ParameterDeclaration(
            name: "answer",
            title: question.title ?? question.parameter ?? "Answer",
            type: question.type,
            range: question.range,
            size: question.size
        )
        switch question.type {
        case .array(.enumeration(let cases)):
            return .members([
                "type": "array", "title": .string(declaration.title), "items": ["anyOf": titled(cases)],
                "minItems": (question.size?.minimum).map { .int(Int64($0)) },
                "maxItems": (question.size?.maximum).map { .int(Int64($0)) },
            ])
        case .file, .array, .object, .unknown: return nil
        case .enumeration(let cases):
            return [
                "type": "string", "title": .string(declaration.title), "oneOf": titled(cases),
            ]
        case .entity(let type):
            return plain("string", declaration.title, "the id of a \(type.title)")
        case .decimal, .measurement, .currencyAmount, .dateComponents:
            return plain("string", declaration.title, question.type.words)
        case .duration: return plain("number", declaration.title, "seconds")
        case .string, .int, .double, .bool, .date, .url: return JSONSchema.of(declaration, file: .uri)
        }
    }

    /// The cases in the form that the schema of forms requires.
    private static func titled(_ cases: [EnumerationCase]) -> JSONValue {
        .array(cases.map { ["const": .string($0.value), "title": .string($0.title)] })
    }

    private static func plain(_ type: String, _ title: String, _ description: String) -> JSONValue {
        ["type": .string(type), "title": .string(title), "description": .string(description)]
    }
}
