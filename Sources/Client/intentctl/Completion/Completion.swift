import IntentLinux

/// Computes the possible next words of a command line from the daemon's apps and runs, which the `add` methods accept.
package struct Completion {
    package struct Candidate: Equatable, Sendable {
        package var word: String
        /// The explanation of the candidate, for shells that show it.
        package var explanation: String

        package init(_ word: String, _ explanation: String = "") {
            self.word = word
            self.explanation = explanation
        }
    }

    /// The data that a completion needs from the daemon, the schedule folder or the files with host groups.
    package enum Need: Equatable, Sendable {
        case nothing
        case intents
        case apps
        case runs
        case schedules
        /// Hosts and groups of hosts, to complete the part of the list after its last comma.
        case hosts
        /// The parameters of an intent. If `after` is the option of a parameter, the values of that parameter.
        case parameters(of: String, after: String?)
    }

    /// What completes a word of a command.
    package enum Source: Sendable {
        case data(Need)
        case words([String])
    }

    /// The candidates that start with the typed word.
    package private(set) var candidates: [Candidate] = []
    package private(set) var need = Need.nothing
    /// The socket that the command line selects.
    package private(set) var socket: String?
    package private(set) var isUsers = false
    /// True if the command line selects a daemon on another host.
    package private(set) var isRemote = false
    private let typed: String

    /// - Parameter words: The words of the line without the program's name. The last word is still being typed and may
    ///   be empty.
    package init(_ words: [String]) {
        typed = words.last ?? ""
        follow(words)
    }

    private mutating func follow(_ words: [String]) {
        var rest = words.dropLast()[...]
        var command: CommandSpec?
        var given: [String] = []
        while let word = rest.popFirst() {
            let options = (command?.options ?? []) + CommandSpec.globalOptions
            if let option = Self.option(word, among: options), option.takesNextArgument, !word.contains(utf8: "=") {
                guard let value = rest.popFirst() else { return offerValues(of: option) }
                if option.name == "socket" { socket = value }
                if option.name == "host" { isRemote = true }
            } else if word.hasPrefix(utf8: "-"), word != "-" {
                if word == "--user" { isUsers = true }
                if word.hasPrefix(utf8: "--host=") { isRemote = true }
            } else if let known = command {
                given.append(word)
                if known.performsIntent ? given.count == 1 : given.first == "add" && given.count == 4 {
                    need = .parameters(of: word, after: rest.last.flatMap { $0.hasPrefix(utf8: "--") ? $0 : nil })
                    return
                }
            } else {
                command = CommandSpec.all.first { $0.name == word }
                if command == nil { return }
            }
        }
        if typed.hasPrefix(utf8: "-") {
            let options = (command?.options ?? []) + CommandSpec.globalOptions
            if typed.contains(utf8: "="), let option = Self.option(typed, among: options),
                case .word(let words) = option.kind
            {
                for word in words { offer("--\(option.name)=\(word)") }
            }
            for option in options {
                offer("--\(option.name)", option.help)
            }
        } else if let command {
            switch command.completes(given) {
            case .data(let need): self.need = need
            case .words(let words): for word in words { offer(word) }
            case nil: break
            }
        } else {
            // Omit the command that 'intentctl --host' starts. Users do not type its name, which would make "rel"
            // ambiguous for "reload".
            for command in CommandSpec.all { offer(command.name, command.summary) }
        }
    }

    /// Adds candidates from the daemon's apps.
    package mutating func add(_ apps: [AppDescription]) {
        switch need {
        case .nothing, .runs, .schedules, .hosts: break
        case .apps:
            for app in apps { offer(app.name) }
        case .intents:
            for app in apps {
                for intent in app.intents ?? [] where intent.isDiscoverable {
                    offer("\(app.name)/\(intent.name)", intent.title)
                }
            }
        case .parameters(let text, let previous):
            let parts = text.split(scalar: "/", maxSplits: 1).map(String.init)
            guard parts.count == 2, let app = apps.first(where: { $0.name == parts[0] }),
                let intent = app.intent(named: parts[1])
            else { return }
            let option = previous.map { String($0.dropFirst(scalars: 2)) }
            if let option, let (parameter, isNegated) = ParameterName.find(option, in: intent), !isNegated,
                parameter.type != .bool
            {
                return offerValues(of: parameter.type)
            }
            let typed = typed.split(scalar: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if typed.count == 2, typed[0].hasPrefix(utf8: "--"),
                case (let parameter, false)? = ParameterName.find(String(typed[0].dropFirst(scalars: 2)), in: intent)
            {
                return offerValues(of: parameter.type, after: typed[0] + "=")
            }
            for parameter in intent.parameters {
                offer("--\(ParameterName.kebab(parameter.name))", parameter.title)
            }
        }
    }

    package mutating func add(_ runs: [LiveRun]) {
        for run in runs { offer(run.run.text, "\(run.app)/\(run.intent)") }
    }

    /// Adds groups of hosts, and their members.
    package mutating func add(_ groups: HostGroups) {
        let before = typed.unicodeScalars.lastIndex(of: ",").map { String(typed.unicodeScalars[...$0]) } ?? ""
        for name in groups.names { offer("\(before)@\(name)") }
        for host in groups.knownHosts { offer(before + host) }
    }

    package mutating func add(schedules names: [String]) {
        for name in names { offer(name) }
    }

    // MARK: Private

    private mutating func offer(_ word: String, _ explanation: String = "") {
        // Omit a word that contains an invisible character. Apps choose some of the words, and a word with such a
        // character looks like another word. In addition, not all shells can quote line breaks.
        if word.unicodeScalars.contains(where: SafeText.isInvisible) { return }
        if word.hasPrefix(utf8: typed) { candidates.append(Candidate(word, SafeText.line(explanation))) }
    }

    private mutating func offerValues(of option: OptionSpec) {
        switch option.kind {
        case .word(let words): for word in words { offer(word) }
        case .value("RUN"): need = .runs
        case .value("APP[/INTENT]"): need = .apps
        case .value("HOST,...|@GROUP"): need = .hosts
        case .value, .values, .flag, .flagOrWord: break
        }
    }

    private mutating func offerValues(of type: ValueType, after before: String = "") {
        switch type {
        case .enumeration(let choices): for choice in choices { offer(before + choice.value, choice.title) }
        case .array(let element): offerValues(of: element, after: before)
        default: break
        }
    }

    private static func option(_ word: String, among options: [OptionSpec]) -> OptionSpec? {
        guard word.hasPrefix(utf8: "-"), word != "-" else { return nil }
        let name = String(word.unicodeScalars.drop { $0 == "-" }.prefix { $0 != "=" })
        return options.first { (word.hasPrefix(utf8: "--") ? $0.name : $0.short.map { String($0) }) == name }
    }
}
