internal import IntentClient
internal import IntentLauncherMessages
internal import IntentLinux

/// A run in a worker process. The test answers its questions.
struct RemoteRun {
    let run: IntentRun
    /// The folder for the files in answers.
    let directory: String
    /// The path of the app's executable.
    let executable: String
    let answer: (@Sendable (IntentTestQuestion) throws -> IntentAnswer?)?

    /// Answers each question until the run has ended, and returns the result.
    func result(_ progress: (IntentTestProgress) -> Void) async throws -> ResolvedIntentResult {
        var output = ""
        var last: ProgressReport?
        var failure: (any Error)?
        for try await event in run.events {
            switch event {
            case .progress(let report):
                last = report
                progress(IntentTestProgress(report))
            case .output(_, let text):
                // Limit the output, because a run may print without end.
                if output.utf8.count < Self.outputLimit { output += text }
            case .question(let open):
                do {
                    try await give(answerTo: open.question)
                } catch {
                    failure = failure ?? error
                    run.requestCancellation()
                }
            case .state, .answered, .finished: break
            }
        }
        let result = try await run.result
        if let failure { throw failure }
        return ResolvedIntentResult(result, progress: last, output: output, executable: executable)
    }

    private static let outputLimit = 1 << 20

    private func give(answerTo question: Question) async throws {
        guard let answer, let given = try answer(IntentTestQuestion(question)) else { return }
        let (value, descriptors) = try given.accepted(for: question, directory: directory)
        try await run.answer(value, files: value.runFiles(descriptors), to: question)
    }
}

extension IntentLauncherMessages.IntentValue {
    /// Returns the files of the value, with their descriptors in the order of the files' indices.
    func runFiles(_ descriptors: [SharedFileDescriptor]) -> [RunFile] {
        zip(files.sorted { $0.index < $1.index }, descriptors).map { reference, descriptor in
            RunFile(name: reference.name, contentType: reference.contentType, shared: descriptor)
        }
    }
}
