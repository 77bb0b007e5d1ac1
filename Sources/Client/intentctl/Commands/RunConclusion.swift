import IntentLinux

/// Prints the result of a run: the value on standard output, and everything else on standard error.
struct RunConclusion {
    /// How intentctl handles the files in the value.
    enum Files {
        /// Save the files in this folder. If it is nil, save them in the current directory, which must then be
        /// writable.
        case save(in: ResultFolder?)
        /// Print only the names of the files. The client that requested the run receives the files.
        case name
    }

    /// The intent's declaration; nil if it is unknown.
    var intent: IntentDeclaration?
    var clocks: EndSentence.Clocks?
    var files: Files
    var wantsJSON: Bool
    /// False if the run's intentd exits with this program. In that case, other commands cannot find the run.
    var isKept = true

    /// Prints the result, and tells intentd that its files are stored if this program has saved all of them.
    func conclude(_ result: RunResult, over connection: IntentConnection) async throws -> ExitCode {
        let code = try conclude(result)
        // If this request fails, intentd removes the files after the time in KeepFiles=.
        if isSavingInFolder, result.end.fileCount > 0 { try? await connection.discardFiles(of: result.run) }
        return code
    }

    func conclude(_ result: RunResult) throws(CommandFailure) -> ExitCode {
        var value: IntentValue?
        if case .done(let returned, let dialog) = result.outcome {
            if let dialog { Console.note(SafeText.printed(dialog)) }
            if let returned {
                let shown = isSavingInFolder ? returned : withNamedExport(returned)
                value = try ValueText.replacingFiles(in: ValueText.typed(shown, as: intent?.result)) {
                    (reference) throws(CommandFailure) in
                    guard let file = result.file(reference) else { return SafeFileName.of(reference.name) }
                    return try text(file, of: result.run)
                }
            }
        }
        if let sentence = EndSentence.of(result.end, clocks: clocks, intent: intent) { Console.note(sentence) }
        let details = result.end.account.details
        if let denial = details?.denial {
            Console.note(SafeText.line(denial.explanation))
            if let advice = denial.advice { Console.note(SafeText.line(advice)) }
        }
        if isKept, ExitCode(result.outcome) != .done {
            let command = "intentctl \(DaemonOptions.ofCommand.text)why \(result.run)"
            Console.note("run \(result.run): '\(command)' explains its end")
        }
        if let snippet = details?.snippet, !wantsJSON {
            for image in snippet.images where isSavingInFolder {
                if let file = result.file(image) { _ = try text(file, of: result.run) }
            }
            SnippetDisplay.show(snippet, of: isKept ? result.run : nil)
        }
        if let next = details?.opens { Console.note(Self.sentence(about: next)) }
        if isKept, let undo = details?.undo, undo.intent != nil {
            let name = undo.name.map { " (\(SafeText.line($0)))" } ?? ""
            Console.note("to undo this\(name): intentctl \(DaemonOptions.ofCommand.text)undo \(result.run)")
        }
        if result.hasLostFiles {
            Console.note("the run's files are no longer kept: another client discarded them, or KeepFiles= expired")
        }
        if wantsJSON {
            try Console.output(RunDocument.of(result, value: value.map { JSONValue(plain: $0) }))
        } else if let value, value != .null, value != .array([]) {
            // Write the value unchanged to pipes and files, and without control characters to terminals.
            try Console.output(ValueText.of(value))
        }
        return ExitCode(result.outcome)
    }

    /// Describes the intent to perform next: `next: OpenBook --target 7`.
    private static func sentence(about next: IntentReference) -> String {
        let values = next.values.sorted { $0.key < $1.key }.map { name, value in
            "\(ShellWord.quote("--\(ParameterName.kebab(name))")) \(ShellWord.quote(ValueText.of(value)))"
        }
        return "next: " + SafeText.line(([ShellWord.quote(next.intent)] + values).joined(separator: " "))
    }

    /// True if the snippet's images and an entity's export are saved too, because the caller specified a folder.
    private var isSavingInFolder: Bool {
        if case .save(_?) = files { true } else { false }
    }

    /// Replaces the file to which a `Transferable` entity was exported with the file's name.
    private func withNamedExport(_ value: IntentValue) -> IntentValue {
        guard case .entity? = intent?.result, case .object(var members) = value, case .file(let file)? = members["file"]
        else { return value }
        members["file"] = .string(SafeFileName.of(file.name))
        return .object(members)
    }

    private func text(_ file: RunFile, of run: RunID) throws(CommandFailure) -> String {
        do throws(CommandFailure) {
            switch files {
            case .save(let folder?): return try folder.save(file)
            case .save(nil): return try ResultFolder(path: ".").save(file)
            case .name: return SafeFileName.of(file.name)
            }
        } catch {
            guard isKept else { throw error }
            var failure = error
            failure.hint =
                "intentd keeps the file: 'intentctl \(DaemonOptions.ofCommand.text)fetch \(run) --out FOLDER'"
            throw failure
        }
    }
}
