import IntentClient

/// Shows a run on standard error until it ends.
enum RunDisplay {
    static func follow(_ updates: RunUpdates, of run: String) async throws -> RunResult {
        var display = ProgressDisplay()
        defer { display.finish() }
        for try await update in updates {
            switch update {
            case .phase(.stopping, let reason?): display.note("stopping: \(SafeText.line(reason.name))")
            case .phase: continue
            case .question(let question): display.note("asks: \(SafeText.line(question.text))")
            case .answered: continue
            case .progress(let progress): display.show(progress)
            case .output(let stream, let text): display.print(text, of: stream)
            case .ended(let result): return result
            }
        }
        throw IntentClientError(.connectionLost, "run \(run) has no end", run: run)
    }
}
