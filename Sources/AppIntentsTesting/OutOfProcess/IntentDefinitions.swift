internal import IntentClient

/// The intents of an app's executable, which a test runs as `intentd` does: each in a worker process, in the real sandbox, in
/// real time.
///
/// ```swift
/// let invoices = IntentDefinitions(executable: ".build/debug/Invoices")
/// let intent = invoices.intents["RecordPayment"].makeIntent(invoice: "7")
/// let result = try await intent.run(answers: ["amount": "40.50"])
/// #expect(try result.value == Decimal(59.5))
/// ```
/// The first run starts a private daemon, with a state folder of its own. It ends with the definitions, and with this process
/// however that ends; no process and no file of it is left.
///
/// Source: the shape of Apple's AppIntentsTesting, which names an installed app instead of an executable.
public final class IntentDefinitions: Sendable {
    private let host: TestDaemon

    /// Names an app's executable, by a path. Nothing is started yet.
    public init(executable path: String) {
        host = TestDaemon(executable: path)
    }

    /// The app's intents, by their names.
    public var intents: DefinitionCollection<AppIntentDefinition> {
        DefinitionCollection { [host] in AppIntentDefinition(identifier: $0, host: host) }
    }

    /// The app's entities, by the names of their types.
    public var entities: DefinitionCollection<AppEntityDefinition> {
        DefinitionCollection { AppEntityDefinition(identifier: $0) }
    }

    /// The app's enumerations, by the names of their types.
    public var enums: DefinitionCollection<AppEnumDefinition> {
        DefinitionCollection { AppEnumDefinition(identifier: $0) }
    }

    /// The daemon's process and the folder of its state; nil before the first run.
    package var daemon: (process: Int32, folder: String)? { host.daemon }

    /// The names of the app's intents.
    ///
    /// - Throws: ``IntentTestError`` when the daemon or the app cannot be started.
    public var intentNames: [String] {
        get async throws {
            let (connection, app) = try await host.connection()
            let description = try await connection.app(named: app)
            guard let catalog = description.catalog else {
                throw IntentTestError(
                    "cannot read the intents of '\(app)': \(description.problem ?? "it reported none")"
                )
            }
            return catalog.intents.map(\.name)
        }
    }
}

/// Definitions of one kind, by name.
///
/// Source: Apple's IntentDefinitions.DefinitionCollection page.
public struct DefinitionCollection<Definition>: Sendable {
    private let make: @Sendable (String) -> Definition

    init(_ make: @escaping @Sendable (String) -> Definition) {
        self.make = make
    }

    /// Returns the definition with a name. A run finds out whether the app has it.
    public subscript(name: String) -> Definition { make(name) }
}
