import Glibc
import IntentLinux

/// The validated command line of `schedule add`.
package struct ScheduleRequest: Sendable {
    package var schedule: Schedule
    /// The options and parameters of the intent, as an invocation of `run`.
    let invocation: Invocation
    let options: RunOptions

    /// - Parameter socket: The socket in the environment; nil if the environment does not specify one.
    package init(_ invocation: Invocation, isRoot: Bool, socket: String?, program: String) throws(CommandFailure) {
        let words = invocation.words
        guard words.count == 4 else {
            throw .usage(
                "'schedule add' needs NAME CALENDAR APP/INTENT",
                hint:
                    "for example: intentctl schedule add nightly 'Mon..Fri 02:30' Archive/Compress --file /srv/letters.txt"
            )
        }
        guard Schedule.isName(words[1]) else { throw ScheduleFolder.badName(words[1]) }
        var run = invocation
        run.command = .run
        run.words = [words[3]]
        options = try RunOptions(run)
        guard case .installed(let app, let intent) = options.target else {
            preconditionFailure("a schedule cannot use --local")
        }
        self.invocation = run
        schedule = Schedule(
            name: words[1],
            calendar: words[2] + (invocation["time-zone"].map { " \($0)" } ?? ""),
            app: app,
            intent: intent,
            options: Self.runOptions(in: invocation),
            parameters: invocation.rest,
            program: program
        )
        for text in invocation.lists["credential"] ?? [] {
            let parts = text.split(scalar: "=", maxSplits: 1).map(String.init)
            let isPlain = parts.last.map { path in
                path.hasPrefix(utf8: "/")
                    && path.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "\u{7F}" && $0 != "\"" }
            }
            guard parts.count == 2, isPlain == true, parts[0].utf8.allSatisfy({ $0.isASCIILetterOrDigit || $0 == 0x2D })
            else {
                throw .usage(
                    "--credential: expected PARAMETER=PATH with an absolute path without spaces, got '\(text)'",
                    hint: "for example: --credential password=/etc/intentd/credentials/backup"
                )
            }
            guard access(parts[1], R_OK) == 0 else {
                throw .usage(
                    "--credential: cannot read '\(parts[1])'",
                    hint: "store the secret in this file, with mode 600"
                )
            }
            schedule.credentials[parts[0]] = parts[1]
        }
        schedule.overlap = invocation["overlap"].flatMap(ScheduleOverlap.init) ?? .skip
        schedule.missed = invocation["missed"].flatMap(MissedStart.init) ?? .run
        schedule.jitterSeconds = try Self.jitter(invocation)
        schedule.socket = invocation["socket"] ?? (invocation.has("user") ? nil : socket)
        schedule.isUsers = invocation.has("user")
        schedule.user = try Self.user(invocation, isRoot: isRoot)
        for word in schedule.options + schedule.parameters where !UnitWord.canHold(word) {
            throw .usage(
                "the value '\(word)' contains a Unicode noncharacter, which systemd cannot display",
                hint: "pass the values with --json, and write the character as an escape, such as \\uffff"
            )
        }
        if let folder = options.outFolder { try Self.checkAbsolute(folder, "--out") }
        if let socket = schedule.socket { try Self.checkAbsolute(socket, "--socket") }
    }

    /// Returns the options that the schedule passes on to `run`.
    private static func runOptions(in invocation: Invocation) -> [String] {
        var words: [String] = []
        for name in ["limit", "ceiling", "json", "out"] {
            if let value = invocation[name] { words += ["--\(name)=\(value)"] }
        }
        for name in ["writable", "answer"] {
            for value in invocation.lists[name] ?? [] { words += ["--\(name)=\(value)"] }
        }
        if let value = invocation["yes"] { words.append(value.isEmpty ? "--yes" : "--yes=\(value)") }
        return words
    }

    private static func jitter(_ invocation: Invocation) throws(CommandFailure) -> Int64? {
        guard let text = invocation["jitter"] else { return nil }
        guard let span = TimeSpan.parseFinite(text), span.components.seconds >= 1 else {
            throw .usage(
                "--jitter: expected a time span of at least 1 s, got '\(text)'",
                hint: "for example: --jitter 15min"
            )
        }
        return span.components.seconds
    }

    /// Returns the owner of a system timer's runs, or nil for a user's own timer.
    private static func user(_ invocation: Invocation, isRoot: Bool) throws(CommandFailure) -> String? {
        guard isRoot else {
            guard invocation["as"] == nil else {
                throw CommandFailure(
                    .notPermitted,
                    "--as: only root can schedule runs of other users",
                    hint: "omit --as for a schedule of your own, or use sudo"
                )
            }
            return nil
        }
        guard !invocation.has("user") else {
            throw .usage(
                "--user: root's schedules are system-wide and cannot use a user's own intentd",
                hint: "run the command as that user, or omit --user"
            )
        }
        let name = invocation["as"] ?? "intentd-runs"
        // Require a name. A uid may have no account, and intentd also identifies an account by its name.
        guard UInt32(name) == nil, Accounts.user(name) != nil else {
            throw .usage("--as: unknown user '\(name)'", hint: "specify an account, such as --as www-data")
        }
        return name
    }

    /// Checks that a path is absolute, because a service's working directory differs from the caller's.
    static func checkAbsolute(_ path: String, _ option: String) throws(CommandFailure) {
        guard path.hasPrefix(utf8: "/") else {
            throw .usage(
                "\(option): expected an absolute path, because a schedule has its own working directory, got '\(path)'",
                hint: "write \(ShellWord.quote((File.currentFolder ?? "") + "/" + path))"
            )
        }
    }

    /// Checks the intent and its values as `run` does. Also checks the restrictions that apply only to schedules.
    ///
    /// - Returns: The app, the intent, and notes for the user.
    func check(over connection: IntentConnection) async throws -> (app: String, intent: String, notes: [String]) {
        let app = try await connection.app(named: schedule.app)
        let intent = try Selection.find(schedule.intent, in: app)
        var inputs: [String: ParameterInput]
        if let text = options.json {
            guard text != "-", let json = JSONValue(parsing: Array(text.utf8)) else {
                throw CommandFailure.badJSON("--json: expected JSON; a schedule has no standard input")
            }
            inputs = try ParameterArguments.parse(json: json, for: intent)
        } else {
            inputs = try ParameterArguments.parse(invocation, for: intent)
        }
        // The values are read at each start, and only by systemd.
        let secrets = try ParameterArguments.credentials(options.credentials, for: intent) { _ in "0" }
        let answers = try ParameterArguments.answers(options, for: intent)
        try Self.checkSecrets(Set(inputs.keys).union(answers.keys), except: Set(secrets.keys), of: intent)
        inputs.merge(secrets) { $1 }
        let readyLine = CatalogText.readyLine(intent, target: ["\(app.name)/\(intent.name)"])
        try CommandFailure.mapping(try ParameterOptions.check(inputs, for: intent, readyLine: readyLine))
        let writable = try ParameterArguments.writable(options.writable, in: inputs, for: intent)
        for (name, input) in inputs { try checkFiles(input, of: name, isWritable: writable.contains(name)) }
        try checkFolder(for: intent)
        return (app.name, intent.name, options.reductions(by: app.limits))
    }

    /// Refuses values and answers for secret parameters, because every user can read unit files and process arguments.
    private static func checkSecrets(
        _ names: Set<String>,
        except credentials: Set<String>,
        of intent: IntentDeclaration
    ) throws(CommandFailure) {
        for parameter in intent.parameters where parameter.isSecret == true {
            guard names.contains(parameter.name) || parameter.isRequired && !credentials.contains(parameter.name) else {
                continue
            }
            throw CommandFailure(
                .usage,
                code: "secret",
                "\(intent.name) has the secret parameter '\(parameter.name)', but every user can read a schedule's values",
                hint:
                    "let systemd read the secret at each start: --credential \(ParameterName.kebab(parameter.name))=PATH"
            )
        }
    }

    private func checkFiles(_ input: ParameterInput, of name: String, isWritable: Bool) throws {
        let option = "--\(ParameterName.kebab(name))"
        for leaf in input.leaves {
            switch leaf {
            case .value, .list: break
            case .standardInput:
                throw CommandFailure.usage(
                    "\(option): a schedule has no standard input",
                    hint: "specify the absolute path of a file"
                )
            case .path(let path):
                try Self.checkAbsolute(path, option)
                // Open the file as the schedule's user, to check the permissions. Each run opens the file again.
                _ = try RunFile(path: path, access: isWritable ? .readingAndWriting : .reading)
            }
        }
    }

    private func checkFolder(for intent: IntentDeclaration) throws(CommandFailure) {
        if let folder = options.outFolder {
            _ = try ResultFolder(path: folder)
        } else if intent.result?.element == .file {
            throw .usage(
                "\(intent.name) returns a file, but a schedule does not run in your working directory",
                hint: "specify the folder for the file: --out /srv/results"
            )
        }
    }
}
