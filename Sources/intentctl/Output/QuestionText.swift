import Glibc
package import IntentClient

/// A question of a run, for people.
package enum QuestionText {
    /// What is asked, with what can be answered, line by line.
    package static func lines(_ question: RunQuestion) -> [String] {
        var lines = [SafeText.line(question.text)]
        if let problem = question.problem { lines.append("  not taken: \(SafeText.line(problem))") }
        let width = "\(question.choices.count)".count
        for (index, choice) in question.choices.enumerated() {
            let number = "\(index + 1)"
            var line = "  " + String(repeating: " ", count: width - number.count) + number + ") "
            line += SafeText.line(choice.title)
            if let subtitle = choice.subtitle { line += " - \(SafeText.line(subtitle))" }
            if choice.isDestructive { line += " (cannot be undone)" }
            if choice.isCancelling { line += " (ends the run)" }
            lines.append(line)
        }
        if question.kind == .confirmation {
            let accept = SafeText.line(question.acceptLabel ?? "go on")
            let deny = SafeText.line(question.denyLabel ?? "stop")
            lines.append("  yes: \(accept)\(question.isDestructive ? ", which cannot be undone" : "")   no: \(deny)")
        }
        return lines
    }

    /// Until when it can be answered: `  (1 h to answer, until 14:05)`.
    package static func deadline(_ question: RunQuestion) -> String {
        var now = time(nil)
        now += Int(question.timeLeft.components.seconds)
        var parts = tm()
        localtime_r(&now, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "  (\(TimeSpan.format(question.timeLeft)) to answer, until \(two(parts.tm_hour)):\(two(parts.tm_min)))"
    }

    /// What stands before the cursor.
    package static func prompt(_ question: RunQuestion) -> String {
        switch question.kind {
        case .confirmation: return question.isDestructive ? "[yes/no]: " : "[y/N]: "
        case .choice: return "number or name: "
        case .value:
            let title = SafeText.line(question.title ?? "answer")
            let fallback =
                if let value = question.defaultValue {
                    " [\(SafeText.line(ValueText.of(value)))]"
                } else {
                    question.isOptional ? " [none]" : ""
                }
            let hint = question.isSecret ? "not shown" : AnswerText.words(for: question)
            return "\(title) (\(hint))\(fallback): "
        }
    }

    /// For somebody who is asked nothing here: how the question is answered.
    package static func waiting(_ question: RunQuestion, at socket: String? = nil) -> [String] {
        var lines = ["asks: " + (lines(question).first ?? "")] + lines(question).dropFirst()
        if question.kind == .value { lines.append("  takes \(AnswerText.words(for: question))") }
        return lines + ["  " + how(question, at: socket)]
    }

    /// `answer it within 1 h: intentctl answer 7k2m9qxw4c yes|no`
    package static func how(_ question: RunQuestion, at socket: String? = nil) -> String {
        let who = question.needsOther ? "another user has to answer" : "answer"
        let place = socket.map { "--socket \(ShellWord.quote($0)) " } ?? ""
        return "\(who) it within \(TimeSpan.format(question.timeLeft)): intentctl \(place)answer \(question.run) "
            + SafeText.line(AnswerText.placeholder(for: question))
    }

    /// `answered by ana (process 812, intentctl 1.0.0)`
    package static func answered(_ answer: QuestionAnswer) -> String {
        if answer.isInAdvance { return "answered beforehand" }
        let client = answer.software.isEmpty ? "" : ", \(SafeText.line(answer.software))"
        return "answered by \(Users.name(answer.user)) (process \(answer.process)\(client))"
    }

    package static func document(_ waiting: WaitingRun) -> JSONValue {
        .members([
            "run": .string(waiting.run),
            "app": .string(waiting.app),
            "intent": .string(waiting.intent),
            "user": .int(Int64(waiting.user)),
            "title": waiting.title.map(JSONValue.string),
            "question": document(waiting.question),
        ])
    }

    private static func document(_ question: RunQuestion) -> JSONValue {
        .members([
            "number": .int(Int64(clamping: question.number)),
            "kind": .string(question.kind.rawValue),
            "text": .string(question.text),
            "takes": .string(AnswerText.words(for: question)),
            "parameter": question.parameter.map(JSONValue.string),
            "title": question.title.map(JSONValue.string),
            "choices": question.choices.isEmpty ? nil : .array(question.choices.map(document)),
            "isOptional": question.isOptional ? .bool(true) : nil,
            "acceptLabel": question.acceptLabel.map(JSONValue.string),
            "denyLabel": question.denyLabel.map(JSONValue.string),
            "isDestructive": question.isDestructive ? .bool(true) : nil,
            "isSecret": question.isSecret ? .bool(true) : nil,
            "needsOther": question.needsOther ? .bool(true) : nil,
            "problem": question.problem.map(JSONValue.string),
            "remainingMilliseconds": .milliseconds(question.timeLeft),
        ])
    }

    private static func document(_ choice: RunQuestion.Choice) -> JSONValue {
        .members([
            "value": .string(choice.value),
            "title": .string(choice.title),
            "subtitle": choice.subtitle.map(JSONValue.string),
            "isCancelling": choice.isCancelling ? .bool(true) : nil,
            "isDestructive": choice.isDestructive ? .bool(true) : nil,
        ])
    }
}
