/// Shows snippets on standard error.
package enum SnippetDisplay {
    /// Shows a snippet, and the command that presses its controls.
    ///
    /// - Parameter run: The run to pass to `intentctl press`; nil if the controls cannot be pressed.
    static func show(_ snippet: Snippet, of run: RunID?, at daemon: DaemonOptions = .ofCommand) {
        let isTerminal = Console.errorIsTerminal
        let lines = SnippetText.lines(
            snippet,
            columns: isTerminal ? Console.columns() : SnippetText.columnLimit,
            colors(isTerminal: isTerminal)
        )
        // Draw the lines unchanged, because a note would escape the control characters of colours. The lines contain no
        // other control characters.
        if !lines.isEmpty { Console.draw(lines.joined(separator: "\n") + "\n") }
        if let run, let instruction = instruction(snippet, of: run, at: daemon) { Console.note(instruction) }
    }

    /// Returns the command that presses a control: `to press a control: intentctl press 7k2m9qxw4c 1…3`.
    package static func instruction(_ snippet: Snippet, of run: RunID, at daemon: DaemonOptions) -> String? {
        let count = snippet.controls.count
        guard count > 0 else { return nil }
        let numbers = count == 1 ? "1" : "1…\(count)"
        return "to press a control: intentctl \(daemon.text)press \(run) \(numbers)"
    }

    /// Returns colours for a terminal that supports them, unless the user disables them (https://no-color.org).
    private static func colors(isTerminal: Bool) -> SnippetText.Colors {
        guard isTerminal, environmentText("NO_COLOR") == nil else { return .none }
        guard let terminal = environmentText("TERM"), terminal != "dumb" else { return .none }
        return .ansi
    }
}
