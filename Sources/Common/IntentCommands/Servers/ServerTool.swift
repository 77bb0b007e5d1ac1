import IntentCommandLine
import IntentHash
package import IntentProtocol

/// A tool of an MCP server, as an intent.
package struct ServerTool: Equatable, Sendable {
    /// The name by which the server knows the tool.
    package var serverName: String
    /// The intent as clients receive it.
    package var declaration: IntentDeclaration
    var parameters: [ToolParameter]
    private var inputSchema: ToolSchema
    /// The property of the structured result that is the value; nil for the whole structured result.
    var resultProperty: String?
    /// The schema of the structured result; nil for a tool that returns only content.
    var outputSchema: ToolSchema?

    /// The maximum length of a tool's name, in bytes.
    static let nameByteLimit = 256
    /// The maximum number of parameters of a tool.
    private static let parameterLimit = 64

    /// The digest of everything that the server says about the tool, except icons and other metadata.
    var version: String { declaration.details?.version ?? "" }

    /// - Parameters:
    ///   - members: The tool, as the result of `tools/list` contains it.
    ///   - taken: The names of the intents before it.
    /// - Throws: ``ArgumentError`` with the reason why the tool is no intent.
    init(_ members: [String: JSONValue], taken: Set<String>) throws(ArgumentError) {
        guard let name = members["name"]?.text, !name.isEmpty, name.utf8.count <= Self.nameByteLimit else {
            throw ArgumentError("a tool has no name, or a name of more than \(Self.nameByteLimit) bytes")
        }
        serverName = name
        let schema = members["inputSchema"] ?? ["type": "object"]
        guard schema.object != nil else { throw ArgumentError("its input schema is no object") }
        inputSchema = ToolSchema(schema)
        parameters = try Self.parameters(inputSchema)
        let annotations = members["annotations"]?.members ?? [:]
        let title = members["title"]?.text ?? annotations["title"]?.text ?? name
        var declaration = IntentDeclaration(
            name: Self.intentName(of: name, taken: taken),
            title: String(title.prefix(scalars: ToolParameter.titleLimit)),
            summary: Self.summary(members["description"]?.text, annotations),
            parameters: parameters.map(\.declaration),
            traits: [.progressReporting, .cancellable]
        )
        (declaration.result, resultProperty, outputSchema) = Self.result(members["outputSchema"])
        var details = IntentDetails()
        // A server could avoid an approval by a false annotation, so only the operator's Effect= lowers the effect.
        details.effect = .destroys
        details.version = Self.version(of: members)
        declaration.details = details
        self.declaration = declaration
    }

    static func parameters(_ schema: ToolSchema) throws(ArgumentError) -> [ToolParameter] {
        guard let whole = schema.resolved(schema.root) else {
            throw ArgumentError("its input schema refers to a schema that is not part of it")
        }
        let properties = whole.members["properties"]?.members ?? [:]
        guard properties.count <= parameterLimit else {
            throw ArgumentError("it has more than \(parameterLimit) parameters")
        }
        let required = (whole.members["required"]?.list ?? []).compactMap(\.text)
        // JSON objects have no order. What the caller must pass comes first.
        let others = properties.keys.filter { !required.contains($0) }.sorted()
        let names = required.filter { properties[$0] != nil } + others
        var parameters: [ToolParameter] = []
        for property in names {
            guard !parameters.contains(where: { $0.property == property }), let part = properties[property] else {
                continue
            }
            parameters.append(
                ToolParameter(
                    property,
                    named: intentName(of: property, taken: Set(parameters.map(\.declaration.name))),
                    part,
                    isRequired: required.contains(property),
                    in: schema
                )
            )
        }
        return parameters
    }

    /// Returns the name of an intent or a parameter for a name of the server. Most names stay as they are. Others, and
    /// those that another name already has, end with a hash of the server's name, so that they are stable.
    private static func intentName(of name: String, taken: Set<String>) -> String {
        func valid(_ name: String) -> String { CommandParameter.isName(name) ? name : "tool_" + name }
        let plain = CommandParameter.isName(name) ? name : valid(ToolName.of([name]))
        var (candidate, attempt) = (plain, 0)
        while taken.contains(candidate) {
            candidate = valid(ToolName.of([name], identity: [name], attempt: attempt))
            attempt += 1
        }
        return candidate
    }

    /// The description, followed by what the server claims about the tool. The claims do not change what is permitted.
    private static func summary(_ description: String?, _ annotations: [String: JSONValue]) -> String? {
        let claims = [("readOnlyHint", "only reads"), ("idempotentHint", "can be repeated without a further effect")]
            .filter { annotations[$0.0]?.flag == true }.map(\.1)
        let text = description.map { String($0.prefix(scalars: ToolParameter.descriptionLimit)) }
        let claim = claims.isEmpty ? nil : "The server says that the tool \(claims.joined(separator: " and "))."
        let parts = [text, claim].compactMap(\.self).filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: "\n")
    }

    private static func result(_ schema: JSONValue?) -> (ValueType?, property: String?, ToolSchema?) {
        guard let schema, schema.object != nil else { return (.array(.string), nil, nil) }
        let whole = ToolSchema(schema)
        let members = whole.resolved(schema)?.members ?? [:]
        // Servers wrap values other than objects, because the result must be an object before revision 2026-07-28.
        if let properties = members["properties"]?.object, properties.count == 1, let only = properties.first,
            members["required"]?.list == [.string(only.key)]
        {
            let form = PropertyForm(only.value, in: whole)
            if let type = form.type, !form.isNullable { return (plain(type), only.key, whole) }
        }
        return (.object(ObjectType(title: "Structured result")), nil, whole)
    }

    /// The type of a result that readers do not check again, so that a false output schema breaks no client.
    private static func plain(_ type: ValueType) -> ValueType {
        switch type {
        case .date, .url, .enumeration: .string
        case .array(let element): .array(plain(element))
        case .string, .int, .double, .bool, .file, .decimal, .duration, .entity, .object, .measurement, .currencyAmount,
            .dateComponents, .unknown:
            type
        }
    }

    private static func version(of members: [String: JSONValue]) -> String {
        let told = members.filter {
            ["name", "title", "description", "inputSchema", "outputSchema", "annotations"].contains($0.key)
        }
        return SHA256.hexadecimal(of: WireCoding.encode(JSONValue.object(told)))
    }

    /// Returns the arguments of a call, checked against the input schema.
    ///
    /// - Throws: ``ArgumentError`` with the reason why the values are not valid.
    func arguments(_ values: [String: IntentValue]) throws(ArgumentError) -> [String: JSONValue] {
        var arguments: [String: JSONValue] = [:]
        for parameter in parameters {
            guard let json = try parameter.json(values[parameter.declaration.name]) else { continue }
            arguments[parameter.property] = json
        }
        if let problem = inputSchema.problem(with: .object(arguments)) {
            throw ArgumentError("the values do not match the tool's schema: \(problem)")
        }
        return arguments
    }
}

/// The tools of a server, from the pages of `tools/list`.
package struct ServerTools: Equatable, Sendable {
    package private(set) var tools: [ServerTool] = []
    /// The tools that are no intents, with the reasons.
    package private(set) var warnings: [String] = []

    /// The maximum number of tools of a server.
    static let countLimit = 512

    package init() {}

    mutating func add(_ list: [JSONValue]) throws(ArgumentError) {
        for json in list {
            guard tools.count + warnings.count < Self.countLimit else {
                throw ArgumentError("the server has more than \(Self.countLimit) tools")
            }
            do throws(ArgumentError) {
                let members = json.members
                if let name = members["name"]?.text, tools.contains(where: { $0.serverName == name }) {
                    throw ArgumentError("an earlier tool has the same name")
                }
                tools.append(try ServerTool(members, taken: Set(tools.map(\.declaration.name))))
            } catch {
                let name = SafeText.quoted(WireCoding.excerpt(json.members["name"]?.text ?? ""))
                warnings.append("the tool \(name) of the server is not an intent: \(error.message)")
            }
        }
    }
}
