import IntentCommandLine
package import IntentProtocol

/// The page of an answer link: one question, with a form for one answer. It has no script, and no text of the app is markup.
package enum AnswerPage {
    package static let contentType = "text/html; charset=utf-8"
    /// The rules for the page: it loads nothing, and its form leads to this site.
    package static let contentSecurity =
        "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    /// The name of the field of the form, and the field that says that no value is given.
    private static let (field, emptyField) = ("value", "none")

    /// Returns the page with a question.
    ///
    /// - Parameter problem: Why the last answer was not accepted.
    package static func question(_ asking: AskingRun, problem: String? = nil) -> String {
        let question = asking.question.question
        var lines = [
            "<p>\(escaped(asking.title ?? "\(asking.app): \(asking.intent)"))</p>",
            "<h1>\(escaped(question.text))</h1>",
        ]
        if let problem = problem ?? question.problem { lines.append("<p><strong>\(escaped(problem))</strong></p>") }
        if let input = input(for: question) {
            lines.append("<form method=\"post\" autocomplete=\"off\">\(input)</form>")
        } else {
            lines.append("<p>Answer with: <code>intentctl answer \(asking.run)</code></p>")
        }
        return document(question.title ?? asking.app, lines)
    }

    /// Returns a page with a sentence.
    package static func message(_ text: String) -> String { document("intentd", ["<p>\(escaped(text))</p>"]) }

    /// Reads the answer in a form (application/x-www-form-urlencoded).
    package static func answer(to question: Question, in body: [UInt8]) throws(ErrorReport) -> IntentValue {
        let fields = FormText.fields(body)
        if question.isOptional == true, fields[emptyField] != nil { return .null }
        guard let text = fields[field], input(for: question) != nil,
            case .value(let value)? = ParameterInput.read(text, as: question.type)
        else { throw ErrorReport(.badAnswer, "expected \(question.type.words)") }
        return value
    }

    /// Returns the fields for an answer; nil if it needs more than a text.
    private static func input(for question: Question) -> String? {
        func button(_ value: String, _ label: String) -> String {
            "<button name=\"\(field)\" value=\"\(escaped(value))\">\(escaped(label))</button> "
        }
        var html: String
        switch question.type {
        case .bool:
            html = button("true", question.acceptLabel ?? "Yes") + button("false", question.denyLabel ?? "No")
        case .enumeration(let cases): html = cases.map { button($0.value, $0.title) }.joined()
        case .string, .int, .double, .decimal, .date, .url, .duration, .measurement, .currencyAmount, .dateComponents:
            let type = question.isSecret == true ? "password" : "text"
            let suggestion = question.isSecret == true ? nil : question.defaultValue.map { JSONValue(plain: $0) }
            let value = suggestion.map { if case .string(let text) = $0 { text } else { $0.text() } } ?? ""
            html =
                "<input name=\"\(field)\" type=\"\(type)\" value=\"\(escaped(value))\" autofocus> <button>Answer</button> "
        case .file, .array, .entity, .object, .unknown: return nil
        }
        if question.isOptional == true { html += "<button name=\"\(emptyField)\" value=\"1\">No value</button>" }
        return html
    }

    private static func document(_ title: String, _ lines: [String]) -> String {
        "<!doctype html><html><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">"
            + "<meta name=\"robots\" content=\"noindex\"><title>\(escaped(title))</title></head><body>"
            + lines.joined(separator: "\n") + "</body></html>\n"
    }

    /// Escapes a text for an element or a quoted attribute. Characters that change the direction of text, or that are not
    /// visible, are escaped, too.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for byte in SafeText.line(text).unicodeScalars {
            switch byte {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(byte)
            }
        }
        return result
    }
}

/// The fields of a form (application/x-www-form-urlencoded).
package enum FormText {
    /// Returns the fields by name. The first field of a name counts. Invalid escapes stay as they are.
    package static func fields(_ body: [UInt8]) -> [String: String] {
        var fields: [String: String] = [:]
        for part in body.split(separator: UInt8(ascii: "&")).prefix(16) {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = decoded(pair[0])
            if fields[name] == nil { fields[name] = pair.count > 1 ? decoded(pair[1]) : "" }
        }
        return fields
    }

    private static func decoded(_ part: ArraySlice<UInt8>) -> String {
        var (bytes, rest): ([UInt8], ArraySlice<UInt8>) = ([], part)
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+") {
                bytes.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(foreign: rest.prefix(2)), radix: 16), rest.first != UInt8(ascii: "+")
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(foreign: bytes)
    }
}
