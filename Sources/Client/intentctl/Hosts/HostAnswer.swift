/// The output and the exit code of the command on one host.
package struct HostAnswer: Equatable, Sendable {
    package var host: String
    package var code: ExitCode
    package var output: String
    /// The error message with its hint; empty if the command printed no error.
    package var failure: String

    package init(host: String, code: ExitCode, output: String, failure: String = "") {
        self.host = host
        self.code = code
        self.output = output
        self.failure = failure
    }
}

/// Equal answers, with the hosts that returned them.
package struct EqualAnswers: Equatable, Sendable {
    package var hosts: [String]
    package var answer: HostAnswer

    /// Groups equal answers. The groups are in the order of their first hosts on the command line.
    package static func of(_ answers: [HostAnswer]) -> [EqualAnswers] {
        var groups: [EqualAnswers] = []
        for answer in answers {
            var anonymous = answer
            anonymous.host = ""
            if let index = groups.firstIndex(where: { $0.answer == anonymous }) {
                groups[index].hosts.append(answer.host)
            } else {
                groups.append(EqualAnswers(hosts: [answer.host], answer: anonymous))
            }
        }
        return groups
    }

    package var title: String { hosts.joined(separator: ", ") }
}

extension EqualAnswers {
    /// Returns all answers as one JSON document. The output of a command with `--output json` becomes a JSON value. Any
    /// other output becomes a string.
    package static func document(_ groups: [EqualAnswers], skipped: [String], code: ExitCode) -> JSONValue {
        let answers = groups.map { group in
            JSONValue.members([
                "hosts": .array(group.hosts.map(JSONValue.string)),
                "exitCode": .int(Int64(group.answer.code.rawValue)),
                "output": JSONValue(parsing: Array(group.answer.output.utf8)) ?? .string(group.answer.output),
                "error": group.answer.failure.isEmpty ? nil : .string(group.answer.failure),
            ])
        }
        return .members([
            "answers": .array(answers),
            "exitCode": .int(Int64(code.rawValue)),
            "skipped": skipped.isEmpty ? nil : .array(skipped.map(JSONValue.string)),
        ])
    }
}
