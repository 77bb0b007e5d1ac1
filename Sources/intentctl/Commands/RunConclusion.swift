import IntentClient

/// Says how a run ended: the value on standard output, all else on standard error.
struct RunConclusion {
    /// What becomes of the value's files.
    enum Files {
        /// They are written there; nil for the current folder, looked at when a file comes.
        case save(in: ResultFolder?)
        /// They are named, and belong to whoever waits for the run.
        case name
    }

    /// Nil where it is not known any more.
    var intent: IntentDeclaration?
    var clocks: EndSentence.Clocks?
    var files: Files
    var wantsJSON: Bool

    func conclude(_ result: RunResult) throws(CommandFailure) -> ExitCode {
        var value: IntentValue?
        if case .done(let returned, let dialog) = result.outcome {
            if let dialog { Console.note(SafeText.printed(dialog)) }
            if let returned {
                value = try ValueText.replacingFiles(in: ValueText.typed(returned, as: intent?.result)) {
                    (reference) throws(CommandFailure) in
                    guard let file = result.file(reference) else { return SafeFileName.of(reference.name) }
                    return try place(file)
                }
            }
        }
        if let sentence = EndSentence.of(result.end, clocks: clocks, intent: intent) { Console.note(sentence) }
        let details = result.end.account.details
        if let next = details?.opens { Console.note(Self.sentence(about: next)) }
        if let undo = details?.undo, undo.intent != nil {
            let name = undo.name.map { " (\(SafeText.line($0)))" } ?? ""
            Console.note("it can be taken back\(name): intentctl undo \(result.run)")
        }
        if result.hasLostFiles {
            Console.note("its files are gone: whoever asked for it has them, or nobody fetched them in time")
        }
        if wantsJSON {
            try Console.output(RunDocument.of(result, value: value.map(ValueText.document)).prettyText())
        } else if let value, value != .null {
            let text = ValueText.of(value)
            // A pipe gets the value as it is; a terminal none of an app's control characters.
            try Console.output(text)
        }
        return ExitCode(result.outcome)
    }

    /// `next: OpenBook --target 7`
    private static func sentence(about next: IntentReference) -> String {
        let values = next.values.sorted { $0.key < $1.key }.map { name, value in
            "--\(ParameterName.kebab(name)) \(ShellWord.quote(ValueText.of(value)))"
        }
        return "next: " + SafeText.line(([next.intent] + values).joined(separator: " "))
    }

    private func place(_ file: RunFile) throws(CommandFailure) -> String {
        switch files {
        case .save(let folder?): try folder.save(file)
        case .save(nil): try ResultFolder(path: ".").save(file)
        case .name: SafeFileName.of(file.name)
        }
    }
}
