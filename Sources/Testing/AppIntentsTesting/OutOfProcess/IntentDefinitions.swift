internal import IntentClient

/// The intents of an app's executable. A test runs them as `intentd` does: each in its own sandboxed worker process, in
/// real time.
///
/// ```swift
/// let invoices = IntentDefinitions(executable: ".build/debug/Invoices")
/// let intent = invoices.intents["RecordPayment"].makeIntent(invoice: "7")
/// let result = try await intent.run(answers: ["amount": "40.50"])
/// #expect(result.value == Decimal(59.5))
/// ```
/// The first run starts a private daemon with its own state folder. The daemon exits when this object is released or
/// when this process ends for any reason, and leaves no processes behind. The state folder is removed when this object
/// is released, except for files that belong to a user of the sandbox.
///
/// Source: Apple's AppIntentsTesting pages. Apple's types refer to an installed app instead of an executable.
public final class IntentDefinitions: Sendable {
    let host: TestDaemon
    /// The path of the executable.
    let executable: String

    /// Creates the definitions for the executable at a path, without starting it.
    public init(executable path: String) {
        executable = path
        host = TestDaemon(executable: path)
    }

    /// The app's intents by name.
    public var intents: DefinitionCollection<AppIntentDefinition> {
        DefinitionCollection { [host] in AppIntentDefinition(identifier: $0, host: host) }
    }

    /// The app's entity types by name.
    public var entities: DefinitionCollection<AppEntityDefinition> {
        DefinitionCollection { AppEntityDefinition(identifier: $0) }
    }

    /// The app's enumeration types by name.
    public var enums: DefinitionCollection<AppEnumDefinition> {
        DefinitionCollection { AppEnumDefinition(identifier: $0) }
    }

    /// The process id and state folder of the daemon; nil before the first run.
    package var daemon: (process: Int32, folder: String)? { host.daemon }

    /// The names of the app's intents.
    ///
    /// - Throws: ``IntentTestError`` when the daemon or the app cannot be started.
    public var intentNames: [String] {
        get async throws { try await catalog.intents.map(\.name) }
    }

    var catalog: IntentCatalog {
        get async throws {
            let (connection, app) = try await host.connection()
            let description = try await connection.app(named: app)
            guard let catalog = description.catalog else {
                throw IntentTestError(
                    "cannot read the intents of '\(app)': \(description.problem ?? "the app reported no intents")"
                )
            }
            return catalog
        }
    }
}

/// The definitions of one kind, by name.
///
/// Source: Apple's IntentDefinitions.DefinitionCollection page.
public struct DefinitionCollection<Definition>: Sendable {
    private let make: @Sendable (String) -> Definition

    init(_ make: @escaping @Sendable (String) -> Definition) {
        self.make = make
    }

    /// Returns the definition with this name. Only a run checks that the app has such a definition.
    public subscript(name: String) -> Definition { make(name) }
}
