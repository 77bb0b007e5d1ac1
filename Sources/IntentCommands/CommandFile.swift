package import IntentConfiguration

/// A file of intentd.command(5): programs as intents.
package struct CommandFile: Hashable, Sendable {
    /// The suffix of the name of such a file.
    package static let suffix = ".intents"

    /// `Description=` of `[App]`.
    package var description: String?
    /// In the order of the file.
    package var intents: [CommandIntent] = []

    /// Reads a file.
    ///
    /// - Throws: ``CommandFileProblems`` with every mistake in the part of the file that describes intents. The sections of
    ///   intentd.app(5) are not checked here.
    package init(_ bytes: [UInt8], file: String) throws(CommandFileProblems) {
        var reader = CommandFileReader(UnitFile(bytes, file: file), file: file)
        self = try reader.read()
    }

    init() {}
}

/// Every mistake in a file, in the order of its lines.
package struct CommandFileProblems: Error, Equatable, Sendable, CustomStringConvertible {
    package var problems: [ConfigurationProblem]

    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
