import FoundationEssentials
package import IntentCommandLine
import IntentLinux
package import IntentProtocol

/// A file in a run's result.
package struct ToolResultFile: Hashable, Sendable {
    package var reference: FileReference
    package var byteCount: Int64
    /// The content of the file if it is small; otherwise nil.
    package var contents: [UInt8]?

    /// The maximum size, in bytes, of a file that is embedded in a tool's result.
    package static let embeddedByteLimit: Int64 = 64 << 10

    package init(_ reference: FileReference, byteCount: Int64, contents: [UInt8]?) {
        self.reference = reference
        self.byteCount = byteCount
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

    /// Returns the schema of `structuredContent` for an intent with the given result type.
    static func schema(of type: ValueType?) -> JSONValue {
        schema(ofValue: type.map { resultSchema($0) } ?? ["type": "null"])
    }

    /// Returns the schema of `structuredContent`. Only `state` is required, because the run may have failed, may be
    /// waiting for a person, or may still be running.
    static func schema(ofValue value: JSONValue) -> JSONValue {
        let text: JSONValue = ["type": "string"]
        return [
            "type": "object",
            "properties": [
                "run": text, "state": text, "dialog": text, "next": text, "undo": text, "denial": text,
                "value": ["anyOf": [value, ["type": "null"]]],
            ],
            "required": ["state"],
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
    ///   - toolNamed: Returns the name of the tool for another intent in the same app.
    static func of(
        _ ended: EndedRun,
        account: [String],
        toolNamed: (_ intent: String) -> String?
    ) -> [String: JSONValue] {
        let run = ended.end.run
        var content: [JSONValue] = []
        var structured: [String: JSONValue] = ["run": .string(run.text)]
        guard case .done(let value, let dialog) = ended.end.outcome else {
            structured["state"] = "ended"
            let reason = ended.reason ?? "the run ended without a result"
            let denial = ended.end.account.details?.denial.map { SafeText.line($0.explanation) }
            structured["denial"] = denial.map(JSONValue.string)
            let lines = [reason] + (denial.map { [$0] } ?? []) + account
            content.append(text(limited(lines.joined(separator: "\n"), of: run)))
            return ["content": .array(content), "structuredContent": .object(structured), "isError": true]
        }
        structured["state"] = "done"
        let details = ended.end.account.details
        if let dialog = dialog.map(SafeText.printed) {
            content.append(text(limited(dialog, of: run), forPeople: true))
            structured["dialog"] = .string(limited(dialog, of: run))
        }
        if let supporting = details?.supportingDialog {
            content.append(text(limited(supporting, of: run), forPeople: true))
        }
        if let snippet = details?.snippet {
            content += Self.blocks(snippet, of: run)
        }
        if let value {
            let json = plain(value, of: run)
            let written = json.printed
            if written.utf8.count <= textByteLimit { structured["value"] = json }
            if value != .null { content.append(text(limited(written, of: run))) }
        }
        content += ended.files.map { block($0, of: run) }
        if let next = details?.opens {
            let name = toolNamed(next.intent) ?? next.intent
            let values = JSONValue.object(next.values.mapValues { JSONValue(plain: $0) }).text()
            structured["next"] = .string(name)
            content.append(text("next: call \(SafeText.line(name)) with \(values)"))
        }
        if let undo = details?.undo, undo.intent != nil {
            let actionName = undo.name.map { " (\(SafeText.line($0)))" } ?? ""
            structured["undo"] = .string(run.text)
            content.append(text("to undo this run\(actionName), call intent_undo with {\"run\": \"\(run)\"}"))
        }
        if !account.isEmpty { content.append(text(limited(account.joined(separator: "\n"), of: run))) }
        if content.isEmpty { content.append(text("done")) }
        return ["content": .array(content), "structuredContent": .object(structured), "isError": false]
    }

    /// Returns the result of a call while its run continues.
    static func unfinished(_ run: RunID, state: String, _ message: String) -> [String: JSONValue] {
        [
            "content": [text(message)], "structuredContent": ["run": .string(run.text), "state": .string(state)],
            "isError": false,
        ]
    }

    static func failure(_ failure: ToolFailure) -> [String: JSONValue] {
        ["content": [text(limited(SafeText.printed(failure.text), of: nil))], "isError": true]
    }

    // MARK: Content blocks

    static func text(_ text: String, forPeople: Bool = false) -> JSONValue {
        .members([
            "type": "text", "text": .string(text),
            "annotations": forPeople ? ["audience": ["user", "assistant"]] : nil,
        ])
    }

    /// Returns the snippet as text, and the calls that press its controls and refresh it.
    private static func blocks(_ snippet: Snippet, of run: RunID) -> [JSONValue] {
        let lines = SnippetText.lines(snippet, columns: SnippetText.columnLimit, .none)
        var blocks = lines.isEmpty ? [] : [text(limited(lines.joined(separator: "\n"), of: run), forPeople: true)]
        if !snippet.controls.isEmpty {
            blocks.append(text("to press a control, call intent_press with {\"control\": NUMBER, \"run\": \"\(run)\"}"))
        }
        if snippet.source != nil {
            blocks.append(text("to refresh the snippet, call intent_refresh with {\"run\": \"\(run)\"}"))
        }
        return blocks
    }

    /// Returns a content block for a file: the content of a small file, or a link to a larger file.
    private static func block(_ file: ToolResultFile, of run: RunID) -> JSONValue {
        let uri = RunResource(run: run, part: .file(file.reference.index, name: file.reference.name)).uri
        let type = file.reference.contentType.flatMap { $0.contains(utf8: "/") ? JSONValue.string($0) : nil }
        guard let contents = file.contents else {
            return .members([
                "type": "resource_link", "uri": .string(uri), "name": .string(SafeText.line(file.reference.name)),
                "mimeType": type, "size": .int(file.byteCount),
            ])
        }
        return ["type": "resource", "resource": resource(uri, contents, type)]
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
    private static func limited(_ text: String, of run: RunID?) -> String {
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

/// A resource that belongs to a run, either `intent-run://RUN/value` or `intent-run://RUN/INDEX/NAME`.
package struct RunResource: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        /// The value that the run returned, as JSON.
        case value
        /// The file with the given index in the run's result.
        case file(Int, name: String)
    }

    package var run: RunID
    package var part: Part

    private static let scheme = "intent-run://"

    init(run: RunID, part: Part) {
        self.run = run
        self.part = part
    }

    init?(uri: String) {
        guard uri.hasPrefix(utf8: Self.scheme) else { return nil }
        let path = uri.dropFirst(scalars: Self.scheme.scalarCount)
        let parts = path.split(scalar: "/", omittingEmptySubsequences: false)
        guard parts.count >= 2, let run = RunID(parts[0]) else { return nil }
        self.run = run
        if parts[1] == "value", parts.count == 2 {
            part = .value
        } else {
            guard let index = Int(parts[1]), (0..<FileReference.countLimit).contains(index) else { return nil }
            part = .file(index, name: parts.count > 2 ? String(parts[2]) : "")
        }
    }

    /// Returns the content of the resource, in the format of `resources/read`.
    package func json(_ contents: [UInt8], _ type: String?) -> JSONValue {
        ToolResult.resource(uri, contents, type.map { .string($0) })
    }

    package var uri: String {
        switch part {
        case .value: "\(Self.scheme)\(run)/value"
        case .file(let index, let name): "\(Self.scheme)\(run)/\(index)/\(PercentEncoding.encoded(name))"
        }
    }
}
