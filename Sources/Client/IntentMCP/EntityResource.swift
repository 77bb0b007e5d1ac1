import IntentCommandLine
import IntentProtocol

/// The resource that represents an entity: `intent-entity://APP/TYPE/ID`.
///
/// Each entity type with a find tool has a resource template. Reading the resource queries the app for the entity and
/// its properties.
struct EntityResource: Hashable {
    var app: String
    var type: String
    var id: String

    static let scheme = "intent-entity://"

    init?(uri: String) {
        guard uri.hasPrefix(utf8: Self.scheme) else { return nil }
        let path = uri.dropFirst(scalars: Self.scheme.scalarCount)
        let parts = path.split(scalar: "/", omittingEmptySubsequences: false)
        let names = parts.compactMap { PercentEncoding.decoded($0) }
        guard names.count == 3, parts.count == 3, !names[2].isEmpty else { return nil }
        (app, type, id) = (names[0], names[1], names[2])
    }

    /// Returns the entry in `resources/templates/list` for entities of one type.
    static func template(of app: String, _ type: EntityType) -> JSONValue {
        let (appText, typeText) = (PercentEncoding.encoded(app), PercentEncoding.encoded(type.name))
        return [
            "uriTemplate": "\(scheme)\(appText)/\(typeText)/{id}", "name": "\(app)/\(type.name)",
            "title": .string(ToolTable.line(type.title)),
            "description": "An entity of the app \(app), with its properties.", "mimeType": "application/json",
        ]
    }

    /// Returns the content of the resource, from the value that the query for the entity returned.
    static func contents(_ uri: String, _ value: IntentValue) -> JSONValue {
        let entity = if case .array(let values) = value { values.first ?? .null } else { value }
        return ToolResult.resource(uri, Array(JSONValue(plain: entity).text().utf8), "application/json")
    }
}

extension ToolTable {
    /// The find tools for entities, each with its entity type.
    private var entityTools: [(app: AppDescription, IntentDeclaration, ParameterDeclaration, type: EntityType)] {
        tools.compactMap { tool in
            guard case .find(let app, let intent, let parameter) = tool.action,
                case .entity(let type) = parameter.type.element
            else { return nil }
            return (app, intent, parameter, type)
        }
    }

    var entityTemplates: [JSONValue] { entityTools.map { EntityResource.template(of: $0.app.name, $0.type) } }

    /// Returns the request that queries the app for an entity; nil if no app has a find tool for the entity's type.
    func request(for resource: EntityResource) -> PerformRequest? {
        let tool = entityTools.first { $0.app.name == resource.app && $0.type.name == resource.type }
        guard let (app, intent, parameter, _) = tool else { return nil }
        var request = PerformRequest(app: app.name, intent: intent.name)
        request.query = OptionsQuery(parameter: parameter.name, identifier: resource.id)
        request.answers = AnswersInAdvance(others: .refuse)
        request.entryPoint = .mcp
        return request
    }
}

/// Percent-encodes and decodes components of a URI (RFC 3986, section 2.1).
enum PercentEncoding {
    static func encoded(_ name: String) -> String {
        let digits = Array("0123456789ABCDEF".unicodeScalars)
        return name.utf8.reduce(into: "") { text, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }

    /// Decodes a component; nil if an escape is incomplete, or the bytes are not UTF-8 and stream-safe.
    static func decoded(_ text: some StringProtocol) -> String? {
        bytes(text.utf8).flatMap { String(validForeign: $0) }
    }

    /// Decodes a component to any bytes; nil if an escape is incomplete.
    static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? { UInt8(String(Unicode.Scalar(byte)), radix: 16) }
}
