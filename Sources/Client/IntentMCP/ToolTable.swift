import IntentCommandLine
import IntentLinux
package import IntentProtocol

/// The tools for the installed apps, in a fixed order.
package struct ToolTable: Sendable {
    /// The number of tools on a page of `tools/list`. Many clients read only the first page.
    static let pageSize = 1000

    /// What the tools are made from.
    package let apps: [AppDescription]
    private(set) var tools: [Tool] = []
    private(set) var prompts: [Prompt] = []
    private(set) var skills: [Skill] = []
    /// The catalogues of the apps, by name.
    private(set) var catalogs: [String: IntentCatalog] = [:]
    private var indices: [String: Int] = [:]
    private var finders: [[String]: String] = [:]
    /// True if lists contain tools that search and call the tools of apps, instead of the tools themselves.
    private var hidesTools = false
    /// Notes for the person who registers the server: tool names that had to be changed, and apps without tools.
    package private(set) var remarks: [String] = []

    package init(_ apps: [AppDescription], _ filter: ToolFilter = ToolFilter()) {
        self.apps = apps
        for kind in RunTool.allCases where !filter.readsOnly || kind.tool.hints.isReadOnly {
            add(kind.tool, named: kind.rawValue)
        }
        catalogs = Dictionary(apps.compactMap { app in app.catalog.map { (app.name, $0) } }) { first, _ in first }
        var candidates: [Candidate] = []
        for app in apps.sorted(by: { $0.name < $1.name }) {
            guard let intents = app.intents else {
                remarks.append("the app \(app.name) has no tools: \(app.problem ?? "it did not report its intents")")
                continue
            }
            let listed = intents.filter { intent in
                intent.isDiscoverable && intent.details?.isForAgents != false
                    && filter.matches(intent.name, of: app.name)
            }.sorted { $0.name < $1.name }
            candidates += listed.filter { filter.permits($0, of: app.name) }.map { Self.candidate(for: $0, of: app) }
            candidates += Self.findCandidates(for: listed, of: app)
        }
        remarks += filter.patternsWithoutIntent(in: apps).map { "--only '\($0)' matches no intent" }
        // If an app declares two intents with the same name, only the first has a tool.
        var known: Set<[String]> = []
        add(candidates.filter { known.insert($0.identity).inserted })
        describeParameters()
        prompts = Prompt.all(of: apps, self)
        skills = Skill.all(of: apps, self)
        guard filter.searches, tools.count(where: \.isOfApp) > ToolFilter.searchThreshold else { return }
        hidesTools = true
        for kind in IndexTool.allCases where !filter.readsOnly || kind != .call { add(kind.tool, named: kind.rawValue) }
    }

    func tool(named name: String) -> Tool? { indices[name].map { tools[$0] } }

    // MARK: Tools of apps

    /// A tool of an app before it has a name.
    private struct Candidate {
        var tool: Tool
        /// The words of the name. The words of two tools can result in the same name: `Mail`, `Box_Send` and
        /// `Mail_Box`, `Send`.
        var words: [String]
        /// The purpose, app, intent and parameter of the tool, which differ from those of all other tools.
        var identity: [String]

        /// What the tool is for, in remarks.
        var meaning: String {
            let parameter = identity.count > 3 ? " \(identity[3])" : ""
            return "\(identity[1])/\(identity[2])\(parameter)"
        }
    }

    private static func candidate(for intent: IntentDeclaration, of app: AppDescription) -> Candidate {
        let tool = Tool(
            name: "",
            title: line(intent.title),
            description: limited(description(of: intent)),
            inputSchema: [:],
            outputSchema: ToolResult.schema(of: intent.result),
            hints: hints(of: intent, in: app),
            action: .perform(app: app, intent)
        )
        return Candidate(
            tool: tool,
            words: [app.name, ToolName.short(intent.name)],
            identity: ["perform", app.name, intent.name]
        )
    }

    /// Returns a tool for each type of entity, and a tool for each other parameter with options.
    private static func findCandidates(for intents: [IntentDeclaration], of app: AppDescription) -> [Candidate] {
        var candidates: [Candidate] = []
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
                    title: line("Find \(subject)"),
                    description: limited(
                        "Lists the values that the parameter \(parameter.name) of \(intent.title) accepts, "
                            + "with their titles. Pass a value as the argument."
                    ),
                    inputSchema: FindArguments.schema(for: parameter),
                    outputSchema: ToolResult.schema(ofValue: ["type": "array", "items": ["type": "object"]]),
                    hints: .reading,
                    action: .find(app: app, intent, parameter)
                )
                candidates.append(
                    Candidate(tool: tool, words: words, identity: ["find", app.name, intent.name, parameter.name])
                )
            }
        }
        return candidates
    }

    /// Names and adds the tools of apps. If the words of several tools result in one name, all of them receive another
    /// name, so that no app can take the name of another app's tool.
    private mutating func add(_ candidates: [Candidate]) {
        var names = candidates.map { ToolName.of($0.words) }
        // Some frameworks write all names in lower case. Names are ASCII.
        var refused = Set(indices.keys.map { $0.lowercased() })
        func clashing() -> [Int] {
            let lower = names.map { $0.lowercased() }
            let counts = Dictionary(lower.map { ($0, 1) }, uniquingKeysWith: +)
            return names.indices.filter { refused.contains(lower[$0]) || counts[lower[$0], default: 0] > 1 }
        }
        // A hash can result in the name of another tool, which an app may have intended.
        for attempt in 0..<Self.attemptLimit {
            let clashes = clashing()
            if clashes.isEmpty { break }
            refused.formUnion(clashes.map { names[$0].lowercased() })
            for index in clashes {
                names[index] = ToolName.of(
                    candidates[index].words,
                    identity: candidates[index].identity,
                    attempt: attempt
                )
            }
        }
        let unnamed = Set(clashing())
        for (index, candidate) in candidates.enumerated() {
            let meaning = Self.line(candidate.meaning)
            guard !unnamed.contains(index) else {
                remarks.append("\(meaning) has no tool, because its name is not unique")
                continue
            }
            if names[index] != candidate.words.joined(separator: "_") {
                remarks.append(
                    "\(meaning): the tool is named \(names[index]), because a name must be unique and consist of at "
                        + "most \(ToolName.lengthLimit) letters (A-Z, a-z), digits, '_' and '-'"
                )
            }
            add(candidate.tool, named: names[index])
        }
    }

    private static let attemptLimit = 8

    /// Adds the schemas of intents, which name the tools that find values of their parameters.
    private mutating func describeParameters() {
        for index in tools.indices {
            guard case .perform(let app, let intent) = tools[index].action else { continue }
            let schema = JSONSchema.parameters(of: intent, file: .uri) { parameter in
                finder(of: parameter, of: intent, in: app).map { "find it with \($0)" }
            }
            tools[index].inputSchema = DryRun.isOffered(by: intent) ? DryRun.adding(to: schema) : schema
        }
    }

    /// Returns the name of the tool that finds values of a parameter; nil without one.
    func finder(of parameter: ParameterDeclaration, of intent: IntentDeclaration, in app: AppDescription) -> String? {
        finders[Self.subject(of: parameter, of: intent, in: app)]
    }

    /// Returns the tool that performs an intent.
    func tool(for intent: String, in app: String) -> Tool? {
        tools.first {
            guard case .perform(let owner, let declaration) = $0.action else { return false }
            return owner.name == app && declaration.answers(to: intent)
        }
    }

    /// Returns the name APP/INTENT of the intent that a tool performs; nil for another name.
    func intent(ofTool name: String) -> String? {
        guard case .perform(let app, let intent)? = tool(named: name)?.action else { return nil }
        return "\(app.name)/\(intent.name)"
    }

    /// Returns what a model can do after a failure that names a parameter with a find tool: use that tool.
    func hint(about reason: String?, app: String, intent: String) -> String? {
        guard let reason, case .perform(let app, let intent)? = tool(for: intent, in: app)?.action else { return nil }
        let sentences = intent.parameters.filter { reason.contains(utf8: "'\($0.name)'") }.compactMap { parameter in
            finder(of: parameter, of: intent, in: app).map { "find values of '\(parameter.name)' with \($0)" }
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: "; ")
    }

    /// What a find tool finds: the entities of a type, or the options of one parameter.
    private static func subject(
        of parameter: ParameterDeclaration,
        of intent: IntentDeclaration,
        in app: AppDescription
    ) -> [String] {
        if case .entity(let type) = parameter.type.element { return [app.name, type.name] }
        return [app.name, intent.name, parameter.name]
    }

    private mutating func add(_ tool: Tool, named name: String) {
        indices[name] = tools.count
        if case .find(let app, let intent, let parameter) = tool.action {
            finders[Self.subject(of: parameter, of: intent, in: app)] = name
        }
        tools.append(tool)
        tools[tools.count - 1].name = name
    }

    // MARK: Strings from apps

    /// What a model is told about an intent, even if its author has not described it.
    private static func description(of intent: IntentDeclaration) -> String {
        let sentence = intent.sentence.map { "Does: \(namingParameters($0, in: intent))." }
        let parameters = intent.parameters.map { "\($0.title) (\($0.name))" }.joined(separator: ", ")
        let about = intent.summary ?? "\(intent.title)."
        let isUnexplained = intent.summary == nil && sentence == nil && !parameters.isEmpty
        let undo = intent.isUndoable ? ", which can be undone." : "."
        let effect: String? =
            switch intent.effect {
            case .reads: "Only reads data."
            case .changes: "Changes data\(undo)"
            case .destroys: "Deletes or overwrites data\(undo)"
            case .unknown: nil
            }
        let deprecation = intent.details?.deprecation.map { "Deprecated: \($0.message ?? "no reason given")." }
        let approval = intent.details?.needsApproval == true ? "A person must approve each call." : nil
        return [about, sentence, isUnexplained ? "Takes: \(parameters)." : nil, effect, deprecation, approval]
            .compactMap(\.self).joined(separator: " ")
    }

    private static func hints(of intent: IntentDeclaration, in app: AppDescription) -> ToolHints {
        ToolHints(
            isReadOnly: intent.effect == .reads,
            isDestructive: intent.effect == .destroys || intent.effect == .changes && !intent.isUndoable,
            isIdempotent: intent.effect == .reads || intent.details?.isIdempotent == true,
            isOpenWorld: app.reachesOthers(by: intent)
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
        let listed = listed
        let end = min(start + Self.pageSize, listed.count)
        guard start < end else { return ([], nil) }
        return (.array(listed[start..<end].map { $0.json(showsViews: showsViews) }), end < listed.count ? end : nil)
    }

    /// Returns true if a client receives other lists from another table.
    func isListed(differentlyFrom other: ToolTable) -> Bool {
        listed.map { $0.json() } != other.listed.map { $0.json() } || promptEntries != other.promptEntries
    }

    /// The entries in `prompts/list`: shortcuts, then skills.
    var promptEntries: [JSONValue] { prompts.map(\.json) + skills.map(\.json) }

    func hasTools(of app: String) -> Bool {
        tools.contains { if case .perform(let owner, _) = $0.action { owner.name == app } else { false } }
    }

    private var listed: [Tool] { hidesTools ? tools.filter { !$0.isOfApp } : tools }

    /// The name of each tool, and its entry as a model receives it.
    package var entries: [(name: String, text: String)] { listed.map { ($0.name, $0.json().text()) } }
}

extension AppDescription {
    /// Returns true if runs of an intent can reach other hosts or other programs of this host, by the operator's
    /// settings.
    fileprivate func reachesOthers(by intent: IntentDeclaration) -> Bool {
        guard let settings, isolation?.grade != .some(.none) else { return true }
        let sections = ["Sandbox"] + ([intent.name] + intent.aliases).map { "Intent \($0)" }
        return ["Network", "AllowHosts", "Sockets"].contains { key in
            // Settings of intents follow settings of the app.
            let setting = settings.last { $0.key == key && sections.contains($0.section) }
            return setting.map { !["no", "false", "off", "0", "none", ""].contains($0.value.lowercased()) } == true
        }
    }
}
