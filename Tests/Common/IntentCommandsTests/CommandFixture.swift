import IntentCommands
import IntentConfiguration
import IntentProtocol
import Testing

/// Files and values for tests.
enum CommandFixture {
    static let path = "/etc/intentd/commands.d/test.intents"

    static func file(_ text: String) throws(CommandFileProblems) -> CommandFile {
        try CommandFile(Array(text.utf8), file: path)
    }

    /// Parses a file, and returns its first intent.
    static func intent(_ text: String) throws -> CommandIntent {
        try #require(try file(text).intents.first)
    }

    /// Returns the mistakes in a file, without the file's path.
    static func problems(_ text: String) -> [String] {
        do throws(CommandFileProblems) {
            _ = try file(text)
            return []
        } catch {
            return error.problems.map { "\($0.line.map { "\($0): " } ?? "")\($0.message)" }
        }
    }

    /// Returns the arguments of the intent's program for these values.
    static func arguments(_ intent: CommandIntent, _ values: [String: IntentValue] = [:]) throws -> [String] {
        var rendered = try CommandValues(values, of: intent) { "/runs/1/\($0.name)" }
        for name in intent.outputs { rendered.outputPaths[name] = "/runs/1/output/\(name)" }
        return try rendered.arguments(intent.exec)
    }
}
