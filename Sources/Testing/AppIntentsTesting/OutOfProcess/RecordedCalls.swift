internal import IntentClient
internal import IntentCommandLine
internal import IntentLauncherMessages

/// The record of an agent's work on one request of a person. Specific to Linux.
public struct RecordedTurn: Sendable {
    /// The calls of the app's intents, in order.
    public let calls: [AnyAppIntent]
    /// The entities in the answers to these calls, with their properties, in the order in which they were first answered.
    public let foundEntities: [AnyAppEntity]
    /// The app's skills that the agent has read, in order.
    public let loadedSkills: [SkillDefinition]
    /// The agent's last reply to the person; empty if none was recorded.
    public let response: String
}

extension IntentDefinitions {
    /// Reads the calls that an agent made, from lines of JSON. The intents are not performed. Specific to Linux.
    ///
    /// - Parameter lines: The lines, as ``recordedTurn(in:)`` reads them.
    /// - Throws: ``IntentTestError`` when a line is not JSON, or the app's intents cannot be read.
    public func recordedCalls(in lines: String) async throws -> [AnyAppIntent] {
        try await recordedTurn(in: lines).calls
    }

    /// Reads what an agent did, from lines of JSON. The intents are not performed. Specific to Linux.
    ///
    /// Each line is one of these:
    /// - a request of the Model Context Protocol: `tools/call`, or only its `params`; `prompts/get` and `resources/read` for
    ///   skills
    /// - the answer to such a request, with the request's `id`
    /// - a run as `intentctl history --export jsonl` prints it
    /// - a message to the person: `{"role":"assistant","content":"Done."}`
    ///
    /// Lines about something else are skipped: other requests, tools of `intentd` itself, and intents of other apps.
    ///
    /// - Parameter lines: The lines, in the order of the conversation.
    /// - Throws: ``IntentTestError`` when a line is not JSON, or the app's intents cannot be read.
    public func recordedTurn(in lines: String) async throws -> RecordedTurn {
        let catalog = try await catalog
        var calls: [AnyAppIntent] = []
        var found: [AnyAppEntity] = []
        var skills: [SkillDefinition] = []
        var response = ""
        // The identifiers of the calls that were not answered yet.
        var open: Set<JSONValue> = []
        for line in lines.utf8.split(separator: UInt8(ascii: "\n")) where line.contains(where: { $0 != 0x20 }) {
            guard let json = JSONValue(parsing: Array(line)) else {
                throw IntentTestError("cannot read a recorded call: expected JSON, got '\(String(Substring(line)))'")
            }
            let record = RecordedLine(json)
            if let reply = record.reply { response = reply }
            if let name = record.skill(among: catalog.skills ?? []) { skills.append(self.skills[name]) }
            if let id = record.id, open.remove(id) != nil, let answer = record.answer {
                for entity in answer.entities where !found.contains(entity) { found.append(entity) }
            }
            guard let (name, values) = record.call, let intent = Self.intent(named: name, in: catalog) else { continue }
            if let id = record.id { open.insert(id) }
            calls.append(
                AnyAppIntent(
                    identifier: intent.name,
                    values: values.mapValues { ResolvedValue(value: $0, files: [], what: "a value") },
                    host: host
                )
            )
        }
        return RecordedTurn(calls: calls, foundEntities: found, loadedSkills: skills, response: response)
    }

    /// Returns the intent of a tool or of a run. The name of a tool is that of the app, `_`, and that of the intent
    /// without the suffix `Intent`.
    private static func intent(named name: String, in catalog: IntentCatalog) -> IntentDeclaration? {
        if case .intent(let exact) = catalog.intent(named: name) { return exact }
        let intents = catalog.intents.filter { intent in
            ([intent.name] + intent.aliases).contains { name.hasSuffix(utf8: "_\($0)") }
        }
        // The longest name is the most exact one: the tool App_Find_Book is Find_Book, and not Book.
        return intents.max { $0.name.utf8.count < $1.name.utf8.count }
    }
}

/// A line of a record: a request, its parameters, an answer, a run, or a message to the person.
private struct RecordedLine {
    typealias Value = IntentLauncherMessages.IntentValue

    private let json: JSONValue

    init(_ json: JSONValue) {
        self.json = json
    }

    var id: JSONValue? { json["id"] }
    /// The structured content of an answer.
    var answer: Value? { json["result"]?["structuredContent"].map(Value.init(recorded:)) }

    private var method: String? { json["method"]?.text }
    private var params: JSONValue? { json["params"] }

    private func values(_ json: JSONValue?) -> [String: Value] {
        if case .object(let members)? = json.map(Value.init(recorded:)) { members } else { [:] }
    }

    /// The name of a tool or of an intent, with the values of the call.
    var call: (name: String, values: [String: Value])? {
        if let intent = json["intent"]?.text { return (intent, values(json["parameters"])) }
        if let method, method != "tools/call" { return nil }
        guard let name = (params ?? json)["name"]?.text else { return nil }
        let values = values((params ?? json)["arguments"])
        // This tool of intentd calls another one, by its name.
        guard name == "intent_call", case .string(let tool)? = values["tool"] else { return (name, values) }
        if case .object(let values)? = values["arguments"] { return (tool, values) }
        return (tool, [:])
    }

    /// Returns the name of the skill that the line requests, as a prompt or as a resource.
    func skill(among skills: [SkillDeclaration]) -> String? {
        let requested: String? =
            switch method {
            case "prompts/get": params?["name"]?.text
            case "resources/read": params?["uri"]?.text
            case _: nil
            }
        guard let requested, method == "prompts/get" || requested.hasPrefix(utf8: "intent-skill://") else { return nil }
        return skills.map(\.name).filter { name in
            requested.hasSuffix(utf8: "_skill_\(name)") || requested.hasSuffix(utf8: "/\(name)")
        }.max { $0.utf8.count < $1.utf8.count }
    }

    /// The text of a message to the person.
    var reply: String? {
        guard json["role"]?.text == "assistant", let content = json["content"] else { return nil }
        guard case .array(let blocks) = content else { return content.text }
        let texts = blocks.compactMap { $0["text"]?.text }
        return texts.isEmpty ? nil : texts.joined(separator: "\n")
    }
}

extension JSONValue {
    fileprivate subscript(_ name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}

extension IntentLauncherMessages.IntentValue {
    /// Creates the value of plain JSON, or of a record, in which an object is a member `object`.
    fileprivate init(recorded json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .int(let number): self = .int(number)
        case .double(let number): self = .double(number)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map(Self.init(recorded:)))
        case .object(let members):
            if members.count == 1, case .object(let inner)? = members["object"] {
                self = .object(inner.mapValues(Self.init(recorded:)))
            } else {
                self = .object(members.mapValues(Self.init(recorded:)))
            }
        }
    }

    /// The entities in the value. An entity is an object with an id, and with a title or properties.
    fileprivate var entities: [AnyAppEntity] {
        switch self {
        case .array(let values): return values.flatMap(\.entities)
        case .object(let members):
            let inner = members.sorted { $0.key < $1.key }.flatMap(\.value.entities)
            guard case .string(let id)? = members["id"], members["title"] != nil || members["properties"] != nil else {
                return inner
            }
            return [AnyAppEntity(identifier: id, recorded: self)] + inner
        case .null, .bool, .int, .double, .string, .file: return []
        }
    }
}
