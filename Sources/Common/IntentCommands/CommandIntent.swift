package import IntentConfiguration
import IntentProtocol

/// An intent in an intentd.command(5) file: a section `[Intent NAME]`.
package struct CommandIntent: Hashable, Sendable {
    package var name: String
    package var title: String
    package var description: String?
    /// `Summary=`: the sentence that describes a run.
    package var summary: TemplateWord?
    /// `Exec=`: the program and its arguments. The first word has no placeholder.
    package var exec: [TemplateWord] = []
    /// `Environment=`: the program's environment variables.
    package var environment: [CommandVariable] = []
    package var workingDirectory: TemplateWord?
    package var standardInput: TemplateWord?
    /// `Terminal=`: the program has a terminal instead of pipes for its output.
    package var usesTerminal = false
    package var isLongRunning = false
    package var progress = CommandProgressSource.none
    package var progressPattern = ValuePattern.percentage
    package var progressSource = CommandOutputStream.both
    package var isCancellable = false
    /// `Cancel=`: the program that stops a cancelled run; nil to stop it with a signal.
    package var cancel: [TemplateWord]?
    package var killSignal = CommandSignal.terminate
    package var result = CommandResult.none
    package var dialog: TemplateWord?
    /// `SuccessExitStatus=`: the exit statuses that mean success. Nil for the default: 0, or any with `Result=status`.
    package var successExitStatus: Set<Int32>?
    package var undo: CommandUndo?
    /// `ReadOnly=` and `Destructive=`. At most one of them may be set.
    var effects: [IntentDetails.Effect] = []
    package var isIdempotent = false
    /// True for a tool of an MCP server. Its questions and progress are messages of the server.
    package private(set) var isTool = false
    package var parameters: [CommandParameter] = []
    /// The line number of the section.
    package var line: Int

    init(name: String, line: Int) {
        self.name = name
        self.line = line
        title = name
    }

    /// Creates the intent of a run that calls a tool of an MCP server.
    package init(ofTool name: String) {
        self.init(name: name, line: 0)
        isTool = true
        isCancellable = true
        progress = .notify
    }

    /// The path of the program.
    package var program: String { exec.first?.fixedText ?? "" }

    package func parameter(_ name: String) -> CommandParameter? { parameters.first { $0.name == name } }

    /// The names from each `%{out:NAME}` in `Exec=` and `Environment=`, in order and without duplicates.
    package var outputs: [String] {
        var names: [String] = []
        for placeholder in (exec + environment.map(\.value)).flatMap(\.placeholders) {
            if case .output(let name) = placeholder, !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// The names of the parameters of which a word of `Exec=` or `Environment=` contains the value.
    var namedParameters: Set<String> {
        Set(
            (exec + environment.map(\.value)).flatMap(\.placeholders).compactMap { placeholder in
                if case .value(let name) = placeholder { name } else { nil }
            }
        )
    }

    /// True if the worker needs the contents of the program's standard output.
    package var readsOutput: Bool { capturesOutput || dialog?.placeholders.contains(.lastLine) == true }

    /// True if standard output is the result of the run, and is therefore not part of the run's output.
    package var capturesOutput: Bool {
        switch result {
        case .text, .integer, .number, .boolean, .json, .lines: true
        case .none, .status, .files: false
        }
    }

    package func succeeds(with status: Int32) -> Bool {
        successExitStatus?.contains(status) ?? (status == 0 || result == .status)
    }
}

/// A variable in a program's environment.
package struct CommandVariable: Hashable, Sendable {
    package var name: String
    package var value: TemplateWord
}

/// `Undo=`: the intent that undoes a run, and the values for its parameters.
package struct CommandUndo: Hashable, Sendable {
    package var intent: String
    package var values: [CommandVariable]
}

extension ValuePattern {
    /// The default of `ProgressPattern=`.
    static let percentage: ValuePattern = {
        do {
            return try ValuePattern(#"(?<percent>\d+(?:\.\d+)?)%"#)
        } catch {
            preconditionFailure("the built-in regular expression is invalid: \(error)")
        }
    }()
}
