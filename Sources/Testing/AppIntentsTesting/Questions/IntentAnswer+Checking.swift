internal import IntentLauncherMessages
internal import IntentLifecycle

extension IntentAnswer {
    /// Checks a value against the question, and returns it in the form that `intentd` would pass to the run.
    static func checked(
        _ value: IntentLauncherMessages.IntentValue,
        for question: Question,
        _ fileCount: Int
    ) throws(IntentTestError) -> IntentLauncherMessages.IntentValue {
        do throws(ErrorReport) {
            return try AnswerCheck.accept(value, for: question, fileCount: fileCount)
        } catch {
            let hint = error.hint.map { "; \($0)" } ?? ""
            throw IntentTestError(
                "cannot answer \(IntentTestQuestion(question)) with \(WireValues.text(of: value)): \(error.message)\(hint)"
            )
        }
    }
}
