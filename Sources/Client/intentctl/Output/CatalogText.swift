import IntentLinux

/// Describes apps and intents for users.
package enum CatalogText {
    package static func list(_ apps: [AppDescription]) -> String {
        let rows = apps.flatMap { app in
            (app.intents ?? []).filter(\.isDiscoverable).map { ["\(app.name)/\($0.name)", $0.title] }
        }
        return TextTable.render(["INTENT", "TITLE"], rows)
    }

    /// Explains how to install an app, for an empty list of apps.
    package static func noApps(ofUser: Bool) -> String {
        let folder = ofUser ? "~/.local/lib/intentd/apps" : "/usr/local/lib/intentd/apps"
        return """
            no apps are available: copy an app's executable into \(folder), \
            then run 'intentctl\(ofUser ? " --user" : "") reload'
            """
    }

    package static func describe(_ app: AppDescription) -> String {
        var lines = ["\(app.name)  \(SafeText.line(app.executable))", "", limits(app.limits)]
        lines += settings(app.settings ?? [])
        if let isolation = app.isolation { lines.append("isolation: \(IsolationText.of(isolation))") }
        // A command app's programs have a private /tmp wherever its file is (intentd-sandbox(7)).
        if app.executable.hasPrefix(utf8: "/tmp/"), !app.executable.hasSuffix(utf8: "/intentd-command") {
            lines.append("Warning: its runs have no private /tmp, because its executable is below /tmp; use $TMPDIR.")
        }
        lines.append("")
        for intent in app.intents ?? [] {
            lines.append("  \(app.name)/\(SafeText.line(intent.name))  \(SafeText.line(intent.title))")
        }
        lines += (app.catalog?.warnings ?? []).map { "Warning: \(SafeText.line($0))." }
        let shortcuts = app.catalog?.shortcuts ?? []
        if !shortcuts.isEmpty { lines += ["", "Shortcuts:"] }
        for shortcut in shortcuts {
            let phrases = shortcut.phrases.map { phrase in
                "'\(SafeText.line(phrase).replacing(utf8: "${applicationName}", with: app.name))'"
            }
            let title = shortcut.title.map { "  \(SafeText.line($0))" } ?? ""
            lines.append("  \(SafeText.line(shortcut.intent))\(title): \(phrases.joined(separator: ", "))")
        }
        lines += ["", "'intentctl describe \(app.name)/INTENT' shows the parameters of an intent."]
        return lines.joined(separator: "\n")
    }

    package static func describe(_ intent: IntentDeclaration, of app: AppDescription) -> String {
        var lines = ["\(app.name)/\(SafeText.line(intent.name))  \(SafeText.line(intent.title))"]
        if let summary = intent.summary { lines.append(SafeText.printed(summary)) }
        if let sentence = intent.sentence { lines.append(self.sentence(sentence, intent)) }
        lines.append("")
        if intent.parameters.isEmpty {
            lines.append("The intent has no parameters.")
        } else {
            let rows = intent.parameters.map { [option($0), typeAndRange($0), need($0), about($0)] }
            lines.append(TextTable.render(["PARAMETER", "TYPE", "NEEDED", "MEANING"], rows))
        }
        lines += choices(intent)
        lines += more(about: intent, of: app)
        lines.append("")
        lines.append("Returns: \(SafeText.line(intent.result.map(result) ?? "no value"))")
        lines.append(clocks(intent, app.limits(of: intent.name)))
        let sections = ["Limits"] + ([intent.name] + intent.aliases).map { "Intent \($0)" }
        lines += settings((app.settings ?? []).filter { sections.contains($0.section) })
        lines += ["", "  " + SafeText.line(readyLine(intent, target: ["\(app.name)/\(intent.name)"]))]
        return lines.joined(separator: "\n")
    }

    /// Returns a command line that performs the intent, with an example value for each required parameter.
    ///
    /// - Parameter target: The words that identify the intent. They follow intentctl's own options.
    package static func readyLine(_ intent: IntentDeclaration, target: [String]) -> String {
        (["intentctl run"] + target.map { ShellWord.quote(SafeText.line($0)) }
            + intent.parameters.filter(\.isRequired).map(\.example)).joined(separator: " ")
    }

    private static func option(_ parameter: ParameterDeclaration) -> String {
        let name = ParameterName.kebab(parameter.name)
        return parameter.type == .bool ? "--[no-]\(name)" : "--\(name)"
    }

    private static func need(_ parameter: ParameterDeclaration) -> String {
        if let value = parameter.defaultValue { return "default \(ValueText.of(value))" }
        return parameter.isOptional ? "optional" : "required"
    }

    private static func about(_ parameter: ParameterDeclaration) -> String {
        let about =
            parameter.summary.map { "\(parameter.title): \($0)" } ?? parameter.title
            + (parameter.boolNames.map { " (true: \($0.true), false: \($0.false))" } ?? "")
        return parameter.isSecret == true ? about + " (secret: never recorded)" : about
    }

    private static func result(_ type: ValueType) -> String {
        switch type {
        case .file: "a file, written into --out DIR"
        case .array(.file): "a list of files, written into --out DIR"
        case .array(let element): "a list in which each element is \(result(element))"
        case .date: "a date and time"
        case .duration: "a number of seconds"
        case .entity(let type): "a \(type.title), as JSON with its id, title and properties"
        case .object(let type): "a \(type.title), as JSON"
        case .string, .int, .double, .bool, .decimal, .url, .enumeration, .measurement, .currencyAmount,
            .dateComponents, .unknown:
            type.words
        }
    }

    /// Returns the placeholder and the bounds of a parameter, such as `INTEGER, 1 to 10`.
    private static func typeAndRange(_ parameter: ParameterDeclaration) -> String {
        [parameter.placeholder, parameter.range.flatMap(NumberText.of)].compactMap(\.self).joined(separator: ", ")
    }

    /// Replaces each `${name}` in a sentence with the parameter's name in angle brackets.
    private static func sentence(_ text: String, _ intent: IntentDeclaration) -> String {
        SafeText.line(
            intent.parameters.reduce(text) {
                $0.replacing(utf8: "${\($1.name)}", with: "<\(ParameterName.kebab($1.name))>")
            }
        )
    }

    /// Returns the values of each enumeration with their titles, one per line.
    private static func choices(_ intent: IntentDeclaration) -> [String] {
        intent.parameters.flatMap { parameter -> [String] in
            guard case .enumeration(let choices) = parameter.type.element else { return [] }
            let rows = choices.map { ["  \(SafeText.line($0.value))", $0.title] }
            return ["", TextTable.render(["--\(ParameterName.kebab(parameter.name))", ""], rows)]
        }
    }

    /// Returns additional lines about an intent: the options of its parameters, its conditional summaries, deprecation,
    /// category and keywords.
    private static func more(about intent: IntentDeclaration, of app: AppDescription) -> [String] {
        var lines: [String] = []
        for parameter in intent.parameters where parameter.hasOptions == true {
            let name = ParameterName.kebab(SafeText.line(parameter.name))
            let target = ShellWord.quote("\(app.name)/\(SafeText.line(intent.name))")
            lines.append("--\(name): 'intentctl options \(target) \(ShellWord.quote(name))' lists the options.")
            lines += parameter.search.map(search) ?? []
        }
        for sentence in intent.details?.sentences ?? [] {
            guard let text = sentence.text else { continue }
            let condition =
                sentence.conditions.isEmpty
                ? "" : ", when " + sentence.conditions.map { SafeText.line($0.words) }.joined(separator: " and ")
            lines.append("Does: \(self.sentence(text, intent))\(condition)")
        }
        if let deprecation = intent.details?.deprecation {
            let instead = deprecation.replacement.map { "; use \(SafeText.line($0))" } ?? ""
            lines.append("Deprecated\(deprecation.message.map { ": \(SafeText.line($0))" } ?? "")\(instead)")
        }
        if let category = intent.details?.category { lines.append("Category: \(SafeText.line(category))") }
        if let keywords = intent.details?.keywords, !keywords.isEmpty {
            lines.append("Keywords: \(keywords.map(SafeText.line).joined(separator: ", "))")
        }
        return lines.isEmpty ? [] : [""] + lines
    }

    /// Lists the comparators of each property by which users can search the options, one line per property.
    private static func search(_ search: PropertySearchDeclaration) -> [String] {
        var lines = search.properties.map { property in
            let comparators = property.comparators.map { comparator in
                let value = comparator.type.placeholder
                let values = comparator.operandCount == 2 ? "\(value) and \(value)" : value
                return SafeText.line("\(comparator.name) \(values)")
            }
            let condition = ShellWord.quote("\(SafeText.line(property.name)) …")
            return "  --where \(condition): \(comparators.joined(separator: ", "))"
        }
        if !search.sortableBy.isEmpty {
            lines.append("  --sort: \(search.sortableBy.map(SafeText.line).joined(separator: ", "))")
        }
        return lines
    }

    /// Lists the settings that a file sets. All others have their defaults.
    static func settings(_ settings: [SettingInEffect]) -> [String] {
        settings.compactMap { setting in
            setting.source.map { source in
                SafeText.line("  \(setting.key)=\(setting.value)  ([\(setting.section)], \(source))")
            }
        }
    }

    private static func limits(_ limits: RunLimits) -> String {
        "Limits: \(TimeSpan.format(limits.runtime)), with progress up to \(TimeSpan.format(limits.ceiling)), "
            + "long-running up to \(TimeSpan.format(limits.longCeiling)); \(asking(limits))"
    }

    private static func asking(_ limits: RunLimits) -> String {
        "--limit can request up to \(TimeSpan.format(limits.grantableRuntime))"
    }

    private static func clocks(_ intent: IntentDeclaration, _ limits: RunLimits) -> String {
        var text = "Limit: \(TimeSpan.format(limits.runtime))"
        if intent.traits.contains(.longRunning) {
            text += " without progress, \(TimeSpan.format(limits.longCeiling)) in total while long-running"
        } else if intent.traits.contains(.progressReporting) {
            text += " without progress, \(TimeSpan.format(limits.ceiling)) in total"
        }
        text += "; \(asking(limits))"
        let grace = intent.traits.contains(.cancellable) ? limits.graceCancellable : limits.grace
        return text + "; \(TimeSpan.format(grace)) to clean up when cancelled"
    }
}

extension SummarySentence.Condition {
    /// The condition in words, such as `cup is large`.
    fileprivate var words: String {
        let shown = values.map { $0 == .null ? "nothing" : ValueText.of($0) }.joined(separator: " or ")
        return switch comparison {
        case "hasAnyValue": "\(parameter) is given"
        case "hasNoValue": "\(parameter) is not given"
        case "equalTo", "oneOf": "\(parameter) is \(shown)"
        case "notEqualTo": "\(parameter) is not \(shown)"
        case "lessThan": "\(parameter) is less than \(shown)"
        case "lessThanOrEqualTo": "\(parameter) is at most \(shown)"
        case "greaterThan": "\(parameter) is more than \(shown)"
        case "greaterThanOrEqualTo": "\(parameter) is at least \(shown)"
        case "contains": "\(parameter) contains \(shown)"
        case "doesNotContain": "\(parameter) does not contain \(shown)"
        case "hasPrefix": "\(parameter) starts with \(shown)"
        case "hasSuffix": "\(parameter) ends with \(shown)"
        default: "\(parameter) \(comparison) \(shown)"
        }
    }
}
