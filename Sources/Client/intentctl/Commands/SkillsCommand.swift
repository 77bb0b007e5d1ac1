import Glibc
import IntentLinux

/// Implements `intentctl skills [export] [APP]`.
struct SkillsCommand {
    let invocation: Invocation

    private struct Entry {
        var app: String
        var skill: SkillDeclaration
    }

    func perform() async throws -> ExitCode {
        var words = invocation.words[...]
        let isExport = words.first == "export"
        if isExport { words = words.dropFirst() }
        guard words.count <= 1 else {
            throw CommandFailure.usage("expected [export] [APP]", hint: "'intentctl help skills' explains the command")
        }
        let connection = try await invocation.connect()
        let apps =
            if let name = words.first { [try await connection.app(named: name)] } else { try await connection.apps() }
        let entries = apps.sorted { $0.name < $1.name }.flatMap { app in
            (app.catalog?.skills ?? []).map { Entry(app: app.name, skill: $0) }
        }
        if isExport { return try export(entries) }
        if entries.isEmpty { Console.note("no app has a skill") }
        try invocation.output(
            json: ["skills": .array(entries.map(Self.json))],
            text: TextTable.render(
                ["APP", "SKILL", "DESCRIPTION"],
                entries.map { [$0.app, $0.skill.name, SafeText.line($0.skill.summary)] }
            )
        )
        return .done
    }

    private static func json(_ entry: Entry) -> JSONValue {
        [
            "app": .string(entry.app), "name": .string(entry.skill.name), "summary": .string(entry.skill.summary),
            "text": .string(entry.skill.text),
        ]
    }

    private func export(_ entries: [Entry]) throws -> ExitCode {
        let folder = invocation["out"] ?? "."
        let names = Dictionary(grouping: entries) { $0.skill.name }
        if let (name, owners) = names.filter({ $0.value.count > 1 }).min(by: { $0.key < $1.key }) {
            let apps = owners.map(\.app).joined(separator: ", ")
            throw CommandFailure.usage(
                "the apps \(apps) have a skill with the same name, '\(name)'",
                hint: "export the skills of one app: intentctl skills export \(owners[0].app)"
            )
        }
        // Names come from apps, and become names of folders.
        for entry in entries where SkillDeclaration.isName(entry.skill.name) {
            let path = "\(folder)/\(entry.skill.name)/SKILL.md"
            do throws(SystemError) {
                try write(entry.skill, to: path, in: "\(folder)/\(entry.skill.name)")
            } catch {
                throw CommandFailure.output(
                    "cannot write '\(path)': \(error)",
                    hint: error.code.rawValue == EEXIST ? "--replace replaces it" : nil
                )
            }
            try Console.output(path)
        }
        if entries.isEmpty { Console.note("no app has a skill") }
        return .done
    }

    private func write(_ skill: SkillDeclaration, to path: String, in folder: String) throws(SystemError) {
        try File.makeFolders(folder, permissions: 0o777)
        let flags = O_WRONLY | O_CREAT | (invocation.has("replace") ? O_TRUNC : O_EXCL)
        let file = try File.open(path, flags, permissions: 0o666)
        try File.write(file.rawValue, Array(SafeText.data(skill.file).utf8)[...])
    }
}

extension CommandSpec {
    static let skills = CommandSpec(
        name: "skills",
        words: ("[export] [APP]", 0...2),
        summary: "list the skills of apps, or write them as SKILL.md files",
        reach: .oneHost,
        perform: { try await SkillsCommand(invocation: $0).perform() },
        options: [
            OptionSpec("out", .value("DIR"), default: ".", "the folder in which each skill has a folder of its own"),
            OptionSpec("replace", .flag, "replace files of an earlier export"),
        ],
        notes: [
            "A skill tells agents how to use an app's tools. 'intentctl mcp' offers skills as prompts and resources;",
            "'intentctl skills export --out DIR' writes DIR/NAME/SKILL.md for agents that read such files.",
            "A skill is text of the app's author: read it before you give it to an agent.",
            "",
            "With --output json: {\"skills\": [...]}. Each skill has app, name, summary and text.",
        ]
    )
}
