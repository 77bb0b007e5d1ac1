package import IntentConfiguration

/// An intentd.command(5) file, which describes the intents of an app that runs programs.
package struct CommandFile: Hashable, Sendable {
    /// The suffix of the file's name.
    package static let suffix = ".intents"

    /// The app's description (`Description=` in `[App]`).
    package var description: String?
    /// `MCPServer=`: the server that has the intents as its tools, with its arguments; nil for a file that declares intents.
    package var server: [String]?
    /// The folders in `ReadPaths=` and `WritePaths=`, which are the roots of the server.
    package var roots: [String] = []
    /// The intents, in the order of the file.
    package var intents: [CommandIntent] = []
    /// The values that probably contain a comment.
    var comments: [String] = []

    /// Parses a file.
    ///
    /// - Throws: ``CommandFileProblems`` with every mistake in the sections that describe intents. Does not check the
    ///   intentd.app(5) sections.
    package init(_ bytes: [UInt8], file: String) throws(CommandFileProblems) {
        var reader = CommandFileReader(UnitFile(bytes, file: file), file: file)
        self = try reader.read()
    }

    package init() {}
}

/// All mistakes in a file, ordered by line.
package struct CommandFileProblems: Error, Equatable, Sendable, CustomStringConvertible {
    package var problems: [ConfigurationProblem]
    /// What could be read of the file.
    package var file: CommandFile

    package init(problems: [ConfigurationProblem], file: CommandFile = CommandFile()) {
        self.problems = problems
        self.file = file
    }

    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
