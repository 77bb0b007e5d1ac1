/// Parses a command line according to ``CommandSpec``. The result depends only on the arguments.
package struct InvocationParser {
    private var arguments: ArraySlice<String>
    private var consumed: [String] = []

    private init(_ arguments: [String]) {
        self.arguments = arguments[...]
    }

    /// - Parameter arguments: The arguments after the program's name.
    package static func parse(_ arguments: [String]) throws(CommandFailure) -> Invocation {
        var parser = InvocationParser(arguments)
        return try parser.parse()
    }

    /// Returns true if the arguments request JSON output. Does not parse the other arguments, because the error about a
    /// malformed command line must have the requested format too.
    package static func wantsJSON(_ arguments: [String]) -> Bool {
        zip(arguments, arguments.dropFirst() + [""]).contains { argument, next in
            argument == "--output=json" || argument == "-ojson"
                || ((argument == "--output" || argument == "-o") && next == "json")
        }
    }

    private mutating func parse() throws(CommandFailure) -> Invocation {
        var invocation = Invocation(.help)
        try parseOptions(CommandSpec.globalOptions, of: nil, into: &invocation)
        guard let word = nextArgument() else {
            if invocation.has("version") { return Invocation(.version) }
            if invocation.has("help") { return invocation }
            throw .usage("no command given", hint: HelpText.pointer(nil))
        }
        let spec = try CommandSpec.named(word)
        invocation.command = spec
        try parseWords(of: spec, into: &invocation)
        if invocation.has("help") {
            var help = Invocation(.help)
            help.words = [spec.name]
            return help
        }
        if invocation.has("version") { return Invocation(.version) }
        try check(invocation, spec)
        return invocation
    }

    /// Returns the number of words that the command takes before the arguments that belong to the intent or to
    /// intentd-fleet, even if they look like options. Returns nil if the next argument belongs to the command.
    private func lastWordCount(of spec: CommandSpec, after invocation: Invocation) -> Int? {
        if spec == .fleet { return 0 }
        if spec.performsIntent {
            return invocation.has("local") && arguments.first?.hasPrefix(utf8: "-") == false ? 1 : 0
        }
        if spec == .retry { return arguments.prefix { !$0.hasPrefix(utf8: "-") }.count }
        let isScheduledIntent =
            spec == .schedule && invocation.words.first == "add" && invocation.words.count == 4
        return isScheduledIntent ? 0 : nil
    }

    private mutating func parseWords(of spec: CommandSpec, into invocation: inout Invocation) throws(CommandFailure) {
        let options = spec.options + CommandSpec.globalOptions
        while true {
            let isOver = try parseOptions(options, of: spec, into: &invocation)
            if invocation.words.isEmpty { invocation.leading = consumed }
            guard let word = nextArgument() else { return }
            invocation.words.append(word)
            if let count = lastWordCount(of: spec, after: invocation) {
                invocation.words += arguments.prefix(count)
                invocation.rest = Array(arguments.dropFirst(count))
                if spec == .learn, invocation.rest.first == "--" { invocation.rest.removeFirst() }
                return
            }
            if isOver {
                invocation.words += arguments
                return
            }
        }
    }

    private func check(_ invocation: Invocation, _ spec: CommandSpec) throws(CommandFailure) {
        if invocation.has("socket"), invocation.has("user") {
            throw .usage("--socket and --user cannot be combined", hint: "remove one of them")
        }
        if invocation.has("fleet") {
            for other in ["socket", "user", "local"] where invocation.has(other) {
                throw .usage("--fleet and --\(other) cannot be combined", hint: "remove one of them")
            }
            guard spec.reach.contains(.fleet) else {
                throw .usage(
                    "'\(spec.name)' does not support --fleet",
                    hint: "remove --fleet; 'intentctl help fleet' lists the commands of a fleet"
                )
            }
        }
        let count = invocation.words.count
        let words = invocation.has("local") ? spec.localWords ?? spec.words : spec.words
        let wanted = words.count
        guard count >= wanted.lowerBound else {
            throw .usage("'\(spec.name)' needs \(words.text)", hint: HelpText.pointer(spec))
        }
        if count > wanted.upperBound, invocation.has("user"),
            spec.options.contains(where: { $0.flagWithValue == "user" })
        {
            let word = invocation.words[wanted.upperBound]
            throw .usage(
                "unexpected '\(word)': --user selects your own intentd and takes no value",
                hint: "for the runs of a user: --user=\(ShellWord.quote(word))"
            )
        }
        guard count <= wanted.upperBound else {
            throw .usage(
                "unexpected argument '\(invocation.words[wanted.upperBound])'",
                hint: HelpText.pointer(spec)
            )
        }
        if spec == .new, count > 1, !["command", "mcp-server", "shortcut"].contains(where: invocation.has) {
            throw .usage("unexpected argument '\(invocation.words[1])'", hint: HelpText.pointer(spec))
        }
        if invocation.has("detach"), invocation["on-disconnect"] == "cancel" {
            throw .usage(
                "--detach and --on-disconnect cancel cannot be combined, because the run would be cancelled at once",
                hint: "remove one of them"
            )
        }
        if invocation.has("detach"), invocation.has("local") {
            throw .usage(
                "--detach and --local cannot be combined, because the private intentd exits with intentctl",
                hint: "remove one of them"
            )
        }
    }

    /// Parses options until the first word.
    ///
    /// - Returns: True if `--` ended the options.
    @discardableResult
    private mutating func parseOptions(
        _ specs: [OptionSpec],
        of command: CommandSpec?,
        into invocation: inout Invocation
    ) throws(CommandFailure) -> Bool {
        while let argument = arguments.first, argument.hasPrefix(utf8: "-"), argument != "-" {
            _ = nextArgument()
            if argument == "--" { return true }
            let parts = argument.split(scalar: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let spec: OptionSpec?
            var value: String? = parts.count > 1 ? String(parts[1]) : nil
            if argument.hasPrefix(utf8: "--") {
                let name = String(parts[0].dropFirst(scalars: 2))
                spec = specs.first { $0.name == name || value != nil && $0.flagWithValue == name }
            } else {
                let letters = argument.unicodeScalars.dropFirst()
                spec = specs.first { $0.short == letters.first }
                value = letters.count > 1 ? String(letters.dropFirst()) : nil
            }
            guard let spec else { throw unknown(String(parts[0]), specs, command) }
            let text = try self.value(of: spec, given: value, command)
            invocation.options[spec.name] = text
            if case .values = spec.kind { invocation.lists[spec.name, default: []].append(text) }
        }
        return false
    }

    private mutating func value(
        of spec: OptionSpec,
        given: String?,
        _ command: CommandSpec?
    ) throws(CommandFailure) -> String {
        let problem: String
        switch spec.kind {
        case .flag:
            guard given != nil else { return "" }
            problem = " takes no value"
        case .flagOrWord(let words):
            guard let given, !words.contains(given) else { return given ?? "" }
            problem = ": expected no value or \(words.joined(separator: " or ")), got '\(given)'"
        case .value(let word), .values(let word):
            if let value = given ?? nextArgument() { return value }
            problem = " needs a value: \(word)"
        case .word(let words):
            let value = given ?? nextArgument()
            if let value, words.contains(value) { return value }
            problem = ": expected \(words.joined(separator: " or "))" + (value.map { ", got '\($0)'" } ?? "")
        }
        throw .usage("--\(spec.name)\(problem)", hint: HelpText.pointer(command))
    }

    private func unknown(_ option: String, _ specs: [OptionSpec], _ command: CommandSpec?) -> CommandFailure {
        let name = String(option.unicodeScalars.drop { $0 == "-" })
        let near = NearestName.opening(for: name, among: specs.map(\.name), prefix: "--")
        return .usage("unknown option '\(option)'", hint: near + HelpText.pointer(command))
    }

    private mutating func nextArgument() -> String? {
        guard let argument = arguments.popFirst() else { return nil }
        consumed.append(argument)
        return argument
    }
}
