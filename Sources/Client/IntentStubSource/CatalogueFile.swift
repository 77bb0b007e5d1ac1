package import IntentSharedTypes

/// The catalogues in a file that `intentctl describe APP --output json` or `intentctl list --output json` has printed.
package struct CatalogueFile: Decodable, Sendable {
    package struct App: Decodable, Sendable {
        package var name: String
        package var intents: [IntentDeclaration]

        package init(name: String, intents: [IntentDeclaration]) {
            self.name = name
            self.intents = intents
        }
    }

    package var apps: [App]

    /// - Throws: ``WireError`` if the file is not such a catalogue, or a string in it is not stream-safe.
    package init(parsing bytes: [UInt8]) throws(WireError) {
        self = try WireCoding.decodeFile(Self.self, from: bytes)
    }

    private enum Key: String, CodingKey { case apps, name, intents }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if container.contains(.apps) {
            apps = try container.decode([App].self, forKey: .apps)
        } else if container.contains(.name), container.contains(.intents) {
            apps = [try App(from: decoder)]
        } else {
            let message = "expected the members 'name' and 'intents', or 'apps'"
            throw DecodingError.problem(message, at: [])
        }
    }
}
