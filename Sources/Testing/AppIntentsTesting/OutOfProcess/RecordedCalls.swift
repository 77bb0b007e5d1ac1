internal import IntentClient
internal import IntentLauncherMessages

extension IntentDefinitions {
    /// Reads the calls that an agent made, from lines of JSON. The intents are not performed. Specific to Linux.
    ///
    /// A line is the request `tools/call` of the Model Context Protocol, its `params`, or a run as
    /// `intentctl history --export jsonl` prints it. Lines about something else are skipped: other requests, tools of
    /// `intentd` itself, and intents of other apps.
    ///
    /// - Parameter lines: The lines, in the order of the calls.
    /// - Throws: ``IntentTestError`` when a line is not JSON, or the app's intents cannot be read.
    public func recordedCalls(in lines: String) async throws -> [AnyAppIntent] {
        let catalog = try await catalog
        var calls: [AnyAppIntent] = []
        for line in lines.utf8.split(separator: UInt8(ascii: "\n")) where line.contains(where: { $0 != 0x20 }) {
            let call: RecordedCall
            do {
                call = try WireCoding.decodeFile(RecordedCall.self, from: Array(line))
            } catch {
                throw IntentTestError("cannot read a recorded call: expected JSON, got '\(String(Substring(line)))'")
            }
            guard let (name, values) = call.call, let intent = Self.intent(named: name, in: catalog) else { continue }
            calls.append(
                AnyAppIntent(
                    identifier: intent.name,
                    values: values.mapValues { ResolvedValue(value: $0, files: [], what: "a value") },
                    host: host
                )
            )
        }
        return calls
    }

    /// Returns the intent of a tool or of a run. The name of a tool is that of the app, `_`, and that of the intent
    /// without the suffix `Intent`.
    private static func intent(named name: String, in catalog: IntentCatalog) -> IntentDeclaration? {
        if case .intent(let exact) = catalog.intent(named: name) { return exact }
        let intents = catalog.intents.filter { intent in
            ([intent.name] + intent.aliases).contains { name.hasSuffix(utf8: "_\($0)") }
        }
        // The longest name is the most exact one: the tool App_Find_Book is Find_Book, and not Book.
        return intents.max { $0.name.utf8.count < $1.name.utf8.count }
    }
}

/// A line with a call: a request, its parameters, or a run.
private struct RecordedCall: Decodable {
    typealias Values = [String: IntentLauncherMessages.IntentValue]

    struct Parameters: Decodable {
        var name: String?
        var arguments: Values?
    }

    var method: String?
    var params: Parameters?
    var name: String?
    var arguments: Values?
    var intent: String?
    var parameters: Values?

    var call: (name: String, values: Values)? {
        if let method {
            guard method == "tools/call", let name = params?.name else { return nil }
            return (name, params?.arguments ?? [:])
        }
        if let intent { return (intent, parameters ?? [:]) }
        return name.map { ($0, arguments ?? [:]) }
    }
}
