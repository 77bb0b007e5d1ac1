import Testing

/// An MCP server of another author, and what its app needs. In texts, FOLDER is a folder with a repository, and OUTSIDE one
/// that is not granted.
struct ForeignServer: Sendable, CustomTestStringConvertible {
    struct Call: Equatable, Sendable {
        var tool: String
        var values: String
        /// A part of the result, or of the failure.
        var expected: String
        /// True if the server returns the failure as text of a result.
        var isText = false
        /// True if the tool can only fail here.
        var fails = false
    }

    /// The name in Tests/MCP/servers.txt.
    var name: String
    var package: String
    var program: String
    var arguments: [String] = []
    var environment: [String] = []
    /// Lines for `[Sandbox]` beside those of `intentctl new`.
    var grants: [String] = []
    var call: Call
    /// A call that needs what the sandbox refuses.
    var refused: Call?

    var testDescription: String { package }
}
