import IntentCommands
import IntentConfiguration

/// Implements `intentctl new --shortcut NAME APP/INTENT...`: creates an intentd.shortcut(5) file with a step for each intent.
struct NewShortcutFile {
    let invocation: Invocation
    let name: String

    func perform() async throws -> ExitCode {
        let apps = try await invocation.connect().apps()
        var steps: [(app: String, intent: IntentDeclaration)] = []
        for word in invocation.words {
            let parts = word.split(scalar: "/", maxSplits: 1).map { String($0) }
            guard parts.count == 2, let app = apps.first(where: { $0.name == parts[0] }),
                let intent = app.intent(named: parts[1])
            else {
                throw CommandFailure.usage(
                    "expected APP/INTENT, got '\(word)'",
                    hint: "'intentctl list' lists the apps and intents"
                )
            }
            steps.append((app.name, intent))
        }
        let text = ShortcutTemplateFile(name: name, steps: steps).text
        let path = name + ShortcutFile.suffix
        do throws(CommandFileProblems) {
            _ = try ShortcutFile(Array(text.utf8), file: path)
        } catch {
            throw CommandFailure.usage(
                error.problems.map(\.message).joined(separator: "; "),
                hint: "use a name of letters, digits, '-' and '_': see intentd.shortcut(5)"
            )
        }
        try NewCommandFile.write(text, to: path)
        let next = ["intentctl verify \(path)", "install -D -m 644 \(path) /etc/intentd/shortcuts.d/\(path)"]
        try invocation.output(
            json: .object(["files": .array([.string(path)]), "next": .array(next.map { .string($0) })]),
            text: "wrote \(path). Next steps:\n" + next.map { "  \($0)" }.joined(separator: "\n")
        )
        return .done
    }
}
