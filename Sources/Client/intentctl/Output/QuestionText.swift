import Glibc
import IntentLinux

/// Formats a run's questions for users.
package enum QuestionText {
    /// Returns the lines of the question and its possible answers.
    package static func lines(_ question: Question) -> [String] {
        var lines = [SafeText.line(question.text)]
        if let problem = question.problem { lines.append("  refused: \(SafeText.line(problem))") }
        let width = "\(question.choices.count)".utf8.count
        for (index, choice) in question.choices.enumerated() {
            let number = "\(index + 1)"
            var line = "  " + String(repeating: " ", count: width - number.utf8.count) + number + ") "
            line += SafeText.line(choice.title)
            if let subtitle = choice.subtitle { line += " - \(SafeText.line(subtitle))" }
            if choice.style == .destructive { line += " (cannot be undone)" }
            if choice.style == .cancel { line += " (ends the run)" }
            lines.append(line)
        }
        let hasNames = question.type == .bool && question.acceptLabel != nil && question.denyLabel != nil
        if question.kind == .confirmation || hasNames {
            let accept = SafeText.line(question.acceptLabel ?? "continue")
            let deny = SafeText.line(question.denyLabel ?? "stop")
            lines.append(
                "  yes: \(accept)\(question.isDestructive == true ? ", which cannot be undone" : "")   no: \(deny)"
            )
        }
        return lines
    }

    /// Formats the time that is left to answer: `  (1 h to answer, until 14:05)`.
    package static func deadline(_ question: OpenQuestion) -> String {
        var now = time(nil)
        now += Int(question.remaining.components.seconds)
        var parts = tm()
        localtime_r(&now, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "  (\(TimeSpan.format(question.remaining)) to answer, until \(two(parts.tm_hour)):\(two(parts.tm_min)))"
    }

    /// Returns the prompt that precedes the cursor.
    package static func prompt(_ question: Question) -> String {
        switch question.kind {
        case .confirmation: return question.isDestructive == true ? "[yes/no]: " : "[y/N]: "
        case .choice: return "number or name: "
        case .value, .unknown, nil:
            let title = question.title ?? "answer"
            let fallback =
                if let value = question.defaultValue {
                    " [\(ValueText.of(value))]"
                } else {
                    question.isOptional == true ? " [none]" : ""
                }
            let hint = question.isSecret == true ? "hidden" : AnswerText.words(for: question)
            return SafeText.line("\(title) (\(hint))\(fallback): ")
        }
    }

    /// Returns the question and the command that answers it, for a client that does not ask on its terminal.
    package static func waiting(_ open: OpenQuestion, of run: RunID, at daemon: DaemonOptions = .none) -> [String] {
        let question = open.question
        let lines = ["asks: " + (lines(question).first ?? "")] + lines(question).dropFirst()
        return lines + expectation(question) + scope(open) + ["  " + instruction(open, of: run, at: daemon)]
    }

    /// Returns a line with the form of the expected answer; no line for a question if ``lines(_:)`` lists its answers.
    package static func expectation(_ question: Question) -> [String] {
        guard question.kind ?? .value == .value else { return [] }
        return ["  expects \(SafeText.line(AnswerText.words(for: question)))"]
    }

    /// Explains how to answer: `answer it within 1 h: intentctl answer 7k2m9qxw4c yes|no`.
    package static func instruction(_ question: OpenQuestion, of run: RunID, at daemon: DaemonOptions = .none) -> String
    {
        let who = question.needsOther == true ? "another user must answer" : "answer"
        return "\(who) it within \(TimeSpan.format(question.remaining)): intentctl \(daemon.text)answer \(run) "
            + SafeText.line(AnswerText.placeholder(for: question.question))
    }

    /// Returns a line about what an approval can also cover; no line if it covers the run alone.
    package static func scope(_ question: OpenQuestion) -> [String] {
        question.scope.map { scope in
            [
                "  with --for TIME, of at most \(TimeSpan.format(scope.longest)), 'yes' also approves \(SafeText.line(scope.text))"
            ]
        } ?? []
    }

    /// Describes the user who answered: `answered by ana (process 812, intentctl 1.0.0)`.
    package static func answered(_ answer: AnswerNotice) -> String {
        if answer.isInAdvance == true { return "answered in advance" }
        let client = answer.software.isEmpty ? "" : ", \(SafeText.line(answer.software))"
        return "answered by \(Users.name(answer.user)) (process \(answer.process)\(client))"
    }
}
