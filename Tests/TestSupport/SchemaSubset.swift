import Foundation

/// The subset of JSON Schema that a host of models accepts, from Tests/MCP/schema-subsets.json.
package struct SchemaSubset: Decodable {
    package var host: String
    /// Where the host documents or implements the subset.
    package var source: String
    package var keywords: Set<String>
    package var formats: Set<String>

    package static func all() throws -> [SchemaSubset] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try JSONDecoder().decode(
            [Self].self,
            from: Data(contentsOf: tests.appending(path: "MCP/schema-subsets.json"))
        )
    }

    /// Returns what the host would refuse in a schema, each with its place.
    package func problems(in schema: Any, at place: String = "") -> [String] {
        guard let schema = schema as? [String: Any] else { return ["\(place): not an object"] }
        var problems = Set(schema.keys).subtracting(keywords).sorted().map { "\(place): \($0)" }
        guard let type = schema["type"] as? String else { return problems + ["\(place): no single type"] }
        if let format = schema["format"] as? String, !formats.contains(format) {
            problems.append("\(place): format \(format)")
        }
        if (schema["required"] as? [Any])?.isEmpty == true { problems.append("\(place): required is empty") }
        if (schema["enum"] as? [Any])?.isEmpty == true { problems.append("\(place): enum is empty") }
        if type == "array" {
            problems += self.problems(in: schema["items"] ?? 0, at: "\(place)[]")
        }
        for (name, property) in schema["properties"] as? [String: Any] ?? [:] {
            problems += self.problems(in: property, at: "\(place).\(name)")
        }
        return problems
    }
}
