import AppIntents

/// A test app with intents that attempt to escape their sandbox in every known way. With the argument `tool-server`, it is an
/// MCP server with the same attempts as tools.
@main
struct Attacker: AppIntentsExtension {
    static func main() {
        if CommandLine.arguments.dropFirst().first == "tool-server" { ToolServer.serve() }
        begin(Self.self)
    }

    private static func begin<App: AppIntentsExtension>(_: App.Type) { App.main() }
}
