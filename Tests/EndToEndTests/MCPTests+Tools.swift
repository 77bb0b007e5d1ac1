import Foundation
import TestSupport
import Testing

// The tools of real apps, as a client receives them.
extension MCPTests {
    @Test func `every host accepts the tools of the examples, which have descriptions and say what they change`() throws
    {
        let daemon = try daemon([])
        for app in ["Library", "Soup", "Invoices", "Payments"] { try daemon.install(app) }
        let server = try MCPProcess(daemon)
        let tools = try server.request("tools/list")["tools"] as? [[String: Any]] ?? []
        for app in ["Archive", "Library", "Soup", "Invoices", "Payments"] {
            #expect(tools.contains { ($0["name"] as? String)?.hasPrefix("\(app)_") == true }, "\(app)")
        }
        for tool in tools {
            let name = tool["name"] as? String ?? ""
            #expect((tool["description"] as? String)?.isEmpty == false, "\(name)")
            for subset in try SchemaSubset.all() {
                #expect(subset.problems(in: tool["inputSchema"] ?? 0) == [], "\(subset.host), \(name)")
            }
        }
        // No app has access to the network here.
        let hints = tools.filter { ($0["name"] as? String)?.hasPrefix("Archive_") == true }
            .compactMap { ($0["annotations"] as? [String: Any])?["openWorldHint"] as? Bool }
        #expect(hints == [false, false, false])
        // An intent that only reads needs no approval, and an entity's find tool is named.
        let menu = try server.call("Soup_ListSoups")
        #expect((menu.structured["value"] as? [String])?.contains("tomato") == true, "\(menu)")
        let unknown = try server.call("Library_IndexBook", ["book": "nonesuch", "pages": 1])
        let error = unknown.structured["error"] as? [String: Any]
        #expect((error?["hint"] as? String)?.contains("Library_find_Book") == true, "\(unknown)")
    }
}
