import IntentCommandLine
import IntentLauncherMessages
import IntentProtocol
import IntentSharedTypes
import IntentWorkerMessages

@testable import IntentCommands

// What an MCP server of another author prints, up to the result of a call.
extension FuzzTarget {
    static let servers = [
        FuzzTarget("tool-server", .server, 1 << 18) { bytes in
            let all = bytes.partitions.map { parts -> [[UInt8]] in
                var buffer = LineBuffer(byteLimit: 1 << 12)
                var lines: [[UInt8]] = []
                for part in parts { lines += buffer.append(part) }
                return buffer.isOverfull ? lines + [[]] : lines
            }
            for one in all { try require(one, equals: all[0], "the lines of a server") }
            var caller = ToolCaller()
            try caller.begin()
            for line in bytes.split(separator: UInt8(ascii: "\n")) { try caller.hear(Array(line)) }
            try caller.end()
        },
        FuzzTarget("tool-schema", .json, 1 << 16) { bytes in
            guard let root = JSONValue(parsing: bytes) else { return }
            let schema = ToolSchema(root)
            _ = (schema.resolved(root), schema.problem(with: root))
            for (name, value) in root.members {
                _ = schema.problem(with: value)
                _ = ToolSchema(value).problem(with: root)
                _ = BoundedPattern(name)?.matches(value.text())
            }
        },
    ]
}

/// A worker that calls the first tool of a server, and answers all its questions.
private struct ToolCaller {
    private var connection = ServerConnection(software: "1", roots: ["/srv/a b"])
    private var hasEnded = false
    private var time: Int64 = 0

    mutating func begin() throws { try carryOut(connection.begin(at: 0)) }

    mutating func hear(_ line: [UInt8]) throws {
        time += 1_000_000
        try carryOut(connection.received(line))
    }

    mutating func end() throws {
        try carryOut(connection.timePassed(at: time + 10_000_000_000))
        try carryOut(connection.cancel("userCancelled"))
        guard connection.isEnded else { throw Finding("a cancelled connection goes on") }
        hasEnded = true
        try carryOut(connection.ended("it exited"))
    }

    private mutating func carryOut(_ actions: [ServerConnection.Action]) throws {
        for action in actions {
            if hasEnded { throw Finding("an action follows the end", "\(action)") }
            switch action {
            case .send(let bytes): try check(bytes)
            case .restart: try carryOut(connection.begin(usesHandshake: true, at: time))
            case .listed(let tools):
                try check(tools)
                if let tool = tools.tools.first { try carryOut(connection.call(call(of: tool))) }
            case .ask(let form): try answer(form)
            case .returned(let outcome):
                hasEnded = true
                try check(outcome)
            case .failed(let fault):
                hasEnded = true
                guard !fault.message.isEmpty else { throw Finding("a failure has no reason", "\(fault)") }
            case .progress(let progress):
                guard (0...1).contains(progress.report.fraction) else { throw Finding("progress", "\(progress)") }
            case .log, .withdraw: break
            }
        }
        guard connection.awaited.count <= 64 else { throw Finding("too many requests are open") }
    }

    /// Each message is one line of JSON.
    private func check(_ bytes: [UInt8]) throws {
        let line = bytes.dropLast()
        guard bytes.last == UInt8(ascii: "\n"), !line.contains(UInt8(ascii: "\n")),
            JSONValue(parsing: Array(line)) != nil
        else { throw Finding("a message is no line of JSON", bytes.text ?? "\(bytes)") }
    }

    /// intentd accepts the tools as intents of an app.
    private func check(_ tools: ServerTools) throws {
        let catalog = IntentCatalog(intents: tools.tools.map(\.declaration), warnings: tools.warnings)
        let names = catalog.intents.map(\.name)
        guard Set(names).count == names.count else { throw Finding("two tools have one name", "\(names)") }
        for intent in catalog.intents {
            let names = intent.parameters.map(\.name)
            guard Set(names).count == names.count, ([intent.name] + names).allSatisfy(CommandParameter.isName) else {
                throw Finding("the names of a tool are not usable", intent.name, "\(names)")
            }
        }
        let written = WireCoding.encode(WorkerReport.catalog(catalog))
        // Larger catalogues are refused by their size.
        guard written.count <= WorkerReport.catalogByteLimit else { return }
        let again: IntentCatalog
        do {
            again = try WorkerReport.catalog(in: written)
        } catch {
            throw Finding("the catalogue of a server is refused", "\(error)", written.text ?? "")
        }
        try require(WireCoding.encode(WorkerReport.catalog(again)), equals: written, "the catalogue of a server")
    }

    private func call(of tool: ServerTool) -> ToolCall {
        let values = tool.declaration.parameters.compactMap { parameter in
            (parameter.defaultValue ?? Self.value(of: parameter.type)).map { (parameter.name, $0) }
        }
        return ToolCall(
            intent: tool.declaration.name,
            version: tool.version,
            values: Dictionary(values) { first, _ in first }
        )
    }

    private static func value(of type: ValueType) -> IntentValue? {
        switch type {
        case .string: .string("{}")
        case .int: .int(1)
        case .double, .duration: .double(1.5)
        case .bool: .bool(true)
        case .date: .string("2026-11-21T09:30:00Z")
        case .url: .string("https://host.example/")
        case .enumeration(let cases): cases.first.map { .string($0.value) }
        case .array(let element): .array(value(of: element).map { [$0] } ?? [])
        case .object: .object(["a": .int(1)])
        case .file, .decimal, .entity, .measurement, .currencyAmount, .dateComponents, .unknown: nil
        }
    }

    /// Answers each question of a form, which has at most as many as fields.
    private mutating func answer(_ form: ServerForm) throws {
        var form = form
        for _ in 0..<33 {
            guard let question = form.question else { throw Finding("a form has no question and no reply") }
            _ = WireCoding.encode(WorkerReport.question(question))
            guard let reply = form.reply(Self.value(of: question.type)) else { continue }
            return try carryOut(connection.answered(reply))
        }
        throw Finding("a form has too many questions")
    }

    /// The value fits into a report, and its files have names in a folder.
    private func check(_ outcome: ToolOutcome) throws {
        let (value, files): (IntentValue, [ToolFile])
        do throws(ToolFault) {
            (value, files) = try outcome.value()
        } catch {
            return
        }
        let result = WorkerResult(
            ending: .returned(value: value, dialog: nil),
            files: files.map { .path("output/\($0.name)") }
        )
        let names = files.map(\.name)
        guard names.allSatisfy(FileName.isPlain), Set(names).count == names.count else {
            throw Finding("files of a result have no names of their own", "\(names)")
        }
        let written = WireCoding.encode(WorkerReport.finished(result))
        do {
            _ = try WireCoding.decode(WorkerReport.self, from: written)
        } catch {
            // A report that is too large is replaced by a failure.
            guard written.count < 64 << 10 else { return }
            throw Finding("the result of a tool is refused", "\(error)", written.text ?? "")
        }
    }
}
