import IntentCommandLine
import IntentLinux
package import IntentProtocol

/// The tools for the installed apps, in a fixed order.
package struct ToolTable {
    /// The number of tools on a page of `tools/list`.
    static let pageSize = 200

    private(set) var tools: [Tool] = []
    private var indices: [String: Int] = [:]
    /// Notes for the person who registers the server: tool names that had to be changed, and apps without tools.
    package private(set) var remarks: [String] = []

    package init(_ apps: [AppDescription]) {
        for kind in RunTool.allCases { add(kind.tool, named: kind.rawValue) }
        for app in apps.sorted(by: { $0.name < $1.name }) {
            guard let intents = app.intents else {
                remarks.append("the app \(app.name) has no tools: \(app.problem ?? "it did not report its intents")")
                continue
            }
            let listed = intents.filter { $0.isDiscoverable && $0.details?.isForAgents != false }
                .sorted { $0.name < $1.name }
            for intent in listed { addTool(for: intent, of: app) }
            addFindTools(for: listed, of: app)
        }
    }

    func tool(named name: String) -> Tool? { indices[name].map { tools[$0] } }

    // MARK: Tools of apps

    private mutating func addTool(for intent: IntentDeclaration, of app: AppDescription) {
        let sentence = intent.sentence.map { "Does: \(Self.namingParameters($0, in: intent))." }
        let deprecation = intent.details?.deprecation.map { "Deprecated: \($0.message ?? "no reason given")." }
        let approval = intent.details?.needsApproval == true ? "A person must approve each call." : nil
        let texts = [intent.summary, sentence, deprecation, approval].compactMap(\.self)
        let tool = Tool(
            name: "",
            title: Self.line(intent.title),
            description: Self.limited(texts.isEmpty ? intent.title : texts.joined(separator: " ")),
            inputSchema: JSONSchema.parameters(of: intent, file: .uri),
            outputSchema: ToolResult.schema(of: intent.result),
            hints: Self.hints(of: intent),
            action: .perform(app: app, intent)
        )
        add(tool, named: [app.name, ToolName.short(intent.name)], meaning: "\(app.name)/\(intent.name)")
    }

    /// Adds a tool for each type of entity, and a tool for each other parameter with options.
    private mutating func addFindTools(for intents: [IntentDeclaration], of app: AppDescription) {
        var found: Set<String> = []
        for intent in intents {
            for parameter in intent.parameters where parameter.hasOptions == true {
                let words: [String]
                let subject: String
                if case .entity(let type) = parameter.type.element {
                    guard found.insert(type.name).inserted else { continue }
                    words = [app.name, "find", type.name]
                    subject = type.title
                } else {
                    words = [app.name, "options", ToolName.short(intent.name), parameter.name]
                    subject = "options for \(parameter.title)"
                }
                let tool = Tool(
                    name: "",
                    title: Self.line("Find \(subject)"),
                    description: Self.limited(
                        "Lists the values that the parameter \(parameter.name) of \(intent.title) accepts, "
                            + "with their titles. Pass a value as the argument."
                    ),
                    inputSchema: FindArguments.schema(for: parameter),
                    outputSchema: ToolResult.schema(ofValue: ["type": "array"]),
                    hints: .reading,
                    action: .find(app: app, intent, parameter)
                )
                add(tool, named: words, meaning: "\(app.name)/\(intent.name) \(parameter.name)")
            }
        }
    }

    private mutating func add(_ tool: Tool, named words: [String], meaning: String) {
        var name = ToolName.of(words)
        if indices[name] != nil { name = ToolName.of(words + [meaning], isUnique: false) }
        if name != words.joined(separator: "_") {
            remarks.append(
                "\(Self.line(meaning)): the tool is named \(name), because a name must be unique and consist of at "
                    + "most \(ToolName.lengthLimit) letters (A-Z, a-z), digits, '_' and '-'"
            )
        }
        // If an app declares two intents with the same name, only the first has a tool.
        guard indices[name] == nil else { return }
        add(tool, named: name)
    }

    private mutating func add(_ tool: Tool, named name: String) {
        indices[name] = tools.count
        tools.append(tool)
        tools[tools.count - 1].name = name
    }

    // MARK: Strings from apps

    private static func hints(of intent: IntentDeclaration) -> ToolHints {
        ToolHints(
            isReadOnly: intent.effect == .reads,
            isDestructive: intent.effect == .destroys || intent.effect == .changes && !intent.isUndoable,
            isIdempotent: intent.effect == .reads || intent.details?.isIdempotent == true,
            isOpenWorld: true
        )
    }

    /// Replaces every `${name}` in a sentence with `<name>`.
    private static func namingParameters(_ sentence: String, in intent: IntentDeclaration) -> String {
        intent.parameters.reduce(sentence) { $0.replacing(utf8: "${\($1.name)}", with: "<\($1.name)>") }
    }

    static func line(_ text: String) -> String { String(SafeText.line(text).prefix(scalars: Tool.descriptionLimit)) }

    private static func limited(_ text: String) -> String {
        String(SafeText.printed(text).prefix(scalars: Tool.descriptionLimit))
    }
}

extension ToolTable {
    /// Returns the page of `tools/list` that starts at the given index.
    ///
    /// - Parameter showsViews: True if the client shows views of results.
    func page(from start: Int, showsViews: Bool = false) -> (tools: JSONValue, next: Int?) {
        let end = min(start + Self.pageSize, tools.count)
        return (.array(tools[start..<end].map { $0.json(showsViews: showsViews) }), end < tools.count ? end : nil)
    }

    /// The name of each tool, and its entry as a model receives it.
    package var entries: [(name: String, text: String)] { tools.map { ($0.name, $0.json().text()) } }
}
