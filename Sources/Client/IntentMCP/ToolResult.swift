import FoundationEssentials
import IntentCommandLine
import IntentLinux
package import IntentProtocol

/// A file in a run's result.
package struct ToolResultFile: Hashable, Sendable {
    package var reference: FileReference
    package var byteCount: Int64
    /// The media type, which the name, the app or the content determines.
    package var type: String
    /// The content of the file if it is small; otherwise nil.
    package var contents: [UInt8]?

    /// The maximum size of the texts that a tool's result contains, in bytes.
    package static let textByteLimit: Int64 = 100_000
    /// The maximum size of the images that a tool's result contains, in bytes.
    package static let imageByteLimit: Int64 = 1 << 20

    package init(_ reference: FileReference, byteCount: Int64, type: String, contents: [UInt8]?) {
        self.reference = reference
        self.byteCount = byteCount
        self.type = type
        self.contents = contents
    }
}

/// A run that has ended, with the data that its tool result contains.
package struct EndedRun: Hashable, Sendable {
    package var end: RunEnd
    /// The reason why the run failed; nil if the run was successful.
    package var reason: String?
    /// The files in the value.
    package var files: [ToolResultFile]
    /// The pictures in the snippet.
    package var pictures: [ToolResultFile]

    package init(_ end: RunEnd, reason: String?, files: [ToolResultFile], pictures: [ToolResultFile] = []) {
        self.end = end
        self.reason = reason
        self.files = files
        self.pictures = pictures
    }
}

/// Creates the results of tool calls (CallToolResult).
enum ToolResult {
    /// The maximum length of a text block in a result, in bytes. Clients can read longer text as a resource.
    static let textByteLimit = 256 << 10

    /// Returns the schema of `structuredContent` for an intent with the given result type. Without a result, it has no
    /// value.
    static func schema(of type: ValueType?) -> JSONValue { schema(ofValue: type.map(resultSchema)) }

    /// Returns the schema of `structuredContent`, which contains everything that the text blocks say: some clients pass
    /// only one of the two on to their model. Only `state` and `message` are required, because the run may have failed,
    /// may be waiting for a person, or may still be running.
    static func schema(ofValue value: JSONValue?) -> JSONValue {
        let (text, object): (JSONValue, JSONValue) = (["type": "string"], ["type": "object"])
        return [
            "type": "object",
            "properties": .members([
                "run": text, "state": text, "message": text, "dialog": text, "error": object, "question": object,
                "next": object, "undo": object, "files": ["type": "array", "items": object], "value": value,
            ]),
            "required": ["state", "message"],
        ]
    }

    /// Returns the schema of a result value. It differs from the schema of an argument: an entity is an object, and a
    /// file is a URI.
    private static func resultSchema(_ type: ValueType) -> JSONValue {
        switch type {
        case .entity, .object: ["type": "object"]
        case .array(let element): ["type": "array", "items": resultSchema(element)]
        case .string, .int, .double, .bool, .file, .decimal, .date, .url, .duration, .enumeration, .measurement,
            .currencyAmount, .dateComponents, .unknown:
            JSONSchema.of(type, file: .uri)
        }
    }

    // MARK: Results

    /// Returns the result of a call after its run has ended.
    ///
    /// - Parameters:
    ///   - account: Facts that the client has not shown: the run's duration, its questions and the last part of its
    ///     output.
    ///   - hint: What the model can do after the failure; nil if it is unknown.
    ///   - toolNamed: Returns the name of the tool for another intent in the same app.
    static func of(
        _ ended: EndedRun,
        account: [String],
        hint: String? = nil,
        toolNamed: (_ intent: String) -> String?
    ) -> [String: JSONValue] {
        let run = ended.end.run
        guard case .done(let value, let dialog) = ended.end.outcome else {
            let reason = ended.reason ?? "the run ended without a result"
            let denial = ended.end.account.details?.denial.map { SafeText.line($0.explanation) }
            let hints = [denial, hint].compactMap(\.self)
            let failure = ToolFailure(
                reason,
                hint: hints.isEmpty ? nil : hints.joined(separator: "; "),
                code: ended.end.outcome.kindName
            )
            return Self.failure(failure, of: run, account)
        }
        let details = ended.end.account.details
        var content: [JSONValue] = []
        var structured: [String: JSONValue] = ["run": .string(run.text), "state": "done"]
        /// The text blocks that `structured` contains as its message: all blocks except the dialog and the value.
        var messages: [String] = []
        func say(_ words: String, forPeople: Bool = false) {
            let words = limited(words, of: run)
            messages.append(words)
            content.append(text(words, forPeople: forPeople))
        }
        if let dialog = dialog.map(SafeText.printed) {
            content.append(text(limited(dialog, of: run), forPeople: true))
            structured["dialog"] = .string(limited(dialog, of: run))
        }
        if let supporting = details?.supportingDialog { say(supporting, forPeople: true) }
        if let snippet = details?.snippet {
            let lines = SnippetText.lines(snippet, columns: SnippetText.columnLimit, .none)
            if !lines.isEmpty { say(lines.joined(separator: "\n"), forPeople: true) }
            for sentence in Self.uses(of: snippet, run) { say(sentence) }
        }
        if let value {
            let json = plain(value, of: run)
            let written = json.printed
            if value != .null { content.append(text(limited(written, of: run))) }
            if written.utf8.count <= textByteLimit {
                structured["value"] = json == .null ? nil : json
            } else {
                messages.append("the value is too long: \(RunResource(run: run, part: .value).uri)")
            }
        }
        if !ended.files.isEmpty {
            let files = FileBlocks(ended.files, of: run)
            content += files.blocks
            messages += files.sentences
            structured["files"] = .array(files.described)
        }
        if let next = details?.opens {
            let name = toolNamed(next.intent) ?? next.intent
            let values = JSONValue.object(next.values.mapValues { JSONValue(plain: $0) })
            structured["next"] = call(name, values)
            say("next: call \(SafeText.line(name)) with \(values.text())")
        }
        if let undo = details?.undo, undo.intent != nil {
            let actionName = undo.name.map { " (\(SafeText.line($0)))" } ?? ""
            structured["undo"] = call(RunTool.undo.rawValue, ["run": .string(run.text)])
            say("to undo this run\(actionName), call intent_undo with {\"run\": \"\(run)\"}")
        }
        if !account.isEmpty { say(account.joined(separator: "\n")) }
        if content.isEmpty { say("done") }
        structured["message"] = .string(messages.isEmpty ? "done" : messages.joined(separator: "\n"))
        return ["content": .array(content), "structuredContent": .object(structured), "isError": false]
    }

    /// Returns the result of a call that needs no run.
    static func value(_ value: JSONValue, message: String = "done") -> [String: JSONValue] {
        [
            "content": [text(limited(value.shown.text(), of: nil))],
            "structuredContent": ["state": "done", "message": .string(message), "value": value], "isError": false,
        ]
    }

    /// Returns the result of a call while its run continues.
    ///
    /// - Parameter question: The run's open question, if any.
    static func unfinished(_ run: RunID, _ message: String, _ question: Question? = nil) -> [String: JSONValue] {
        [
            "content": [text(message)],
            "structuredContent": .members([
                "run": .string(run.text), "state": question == nil ? "running" : "waiting", "message": .string(message),
                "next": call(RunTool.result.rawValue, ["run": .string(run.text)]),
                "question": question.map { question in
                    .members([
                        "text": .string(question.text),
                        "asks": .string(question.isConfirmation ? "approval" : "answer"),
                        "command": "intentctl answer \(run)",
                        "choices": question.choices.isEmpty
                            ? nil : .array(question.choices.map { .string($0.value) }),
                    ])
                },
            ]), "isError": false,
        ]
    }

    /// Returns the result of a call that failed.
    ///
    /// - Parameters:
    ///   - run: The run that failed; nil if the call was refused before a run began.
    ///   - account: Facts about the run that the client has not shown.
    static func failure(_ failure: ToolFailure, of run: RunID? = nil, _ account: [String] = []) -> [String: JSONValue] {
        let message = limited(([SafeText.printed(failure.text)] + account).joined(separator: "\n"), of: run)
        let error: JSONValue = .members([
            "code": .string(failure.code), "text": .string(limited(failure.message, of: run)),
            "hint": failure.hint.map { .string($0) },
        ])
        return [
            "content": [text(message)],
            "structuredContent": .members([
                "run": run.map { .string($0.text) }, "state": run == nil ? "refused" : "ended",
                "message": .string(message), "error": error,
            ]), "isError": true,
        ]
    }

    /// Returns a call of a tool as data.
    private static func call(_ tool: String, _ arguments: JSONValue) -> JSONValue {
        ["tool": .string(tool), "arguments": arguments]
    }

    // MARK: Content blocks

    static func text(_ text: String, forPeople: Bool = false) -> JSONValue {
        .members([
            "type": "text", "text": .string(text),
            "annotations": forPeople ? ["audience": ["user", "assistant"]] : nil,
        ])
    }

    /// Returns the calls that press a snippet's controls and refresh it.
    private static func uses(of snippet: Snippet, _ run: RunID) -> [String] {
        var sentences: [String] = []
        if !snippet.controls.isEmpty {
            sentences.append("to press a control, call intent_press with {\"control\": NUMBER, \"run\": \"\(run)\"}")
        }
        if snippet.source != nil {
            sentences.append("to refresh the snippet, call intent_refresh with {\"run\": \"\(run)\"}")
        }
        return sentences
    }

    /// Returns the content of a resource: a string if it is UTF-8 without invisible characters, otherwise base 64. A
    /// string would be escaped, which would change a file.
    static func resource(_ uri: String, _ contents: [UInt8], _ type: JSONValue?) -> JSONValue {
        let written = String(validForeign: contents).flatMap { SafeText.data($0) == $0 ? $0 : nil }
        return .members([
            "uri": .string(uri), "mimeType": type, "text": written.map { .string($0) },
            "blob": written == nil ? .string(Data(contents).base64EncodedString()) : nil,
        ])
    }

    /// Returns a value as JSON, with a URI for each file.
    private static func plain(_ value: IntentValue, of run: RunID) -> JSONValue {
        switch value {
        case .file(let file): .string(RunResource(run: run, part: .file(file.index, name: file.name)).uri)
        case .array(let values): .array(values.map { plain($0, of: run) })
        case .object(let members): .object(members.mapValues { plain($0, of: run) })
        case .null, .bool, .int, .double, .string: JSONValue(plain: value)
        }
    }

    /// Truncates a string that is too long, and appends the URI of the resource that contains all of it.
    static func limited(_ text: String, of run: RunID?) -> String {
        guard text.utf8.count > textByteLimit else { return text }
        // A scalar has at most 4 bytes.
        let kept = String(text.prefix(scalars: textByteLimit / 4))
        let rest = run.map { "; the complete text: \(RunResource(run: $0, part: .value).uri)" } ?? ""
        return kept + "\n[\(text.utf8.count - kept.utf8.count) more bytes\(rest)]"
    }
}

extension JSONValue {
    /// The value for display: a string without quotation marks and terminal control characters, or other JSON.
    fileprivate var printed: String {
        if case .string(let text) = self { return SafeText.printed(text) }
        return shown.text()
    }
}
