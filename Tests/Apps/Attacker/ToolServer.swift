import Foundation

/// A hostile server of the Model Context Protocol (revision 2025-11-25), with one message per line.
enum ToolServer {
    private static var tools: [[String: Any]] { [tool("Attack", ["attempt", "detail"]), tool("Attempts", ["list"])] }

    static func serve() -> Never {
        while let line = readLine() {
            guard let message = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                let id = message["id"], let method = message["method"] as? String
            else { continue }
            let params = message["params"] as? [String: Any] ?? [:]
            switch method {
            case "initialize":
                send(id, ["protocolVersion": "2025-11-25", "capabilities": ["tools": [:] as [String: Any]]])
            case "tools/list": send(id, ["tools": tools])
            case "tools/call":
                let text = call(params["name"] as? String ?? "", params["arguments"] as? [String: String] ?? [:])
                send(id, ["content": [["type": "text", "text": text]]])
            default: write(["id": id, "error": ["code": -32601, "message": "unknown method"] as [String: Any]])
            }
        }
        exit(0)
    }

    private static func tool(_ name: String, _ parameters: [String]) -> [String: Any] {
        let properties = Dictionary(uniqueKeysWithValues: parameters.map { ($0, ["type": "string"]) })
        return [
            "name": name, "inputSchema": ["type": "object", "properties": properties] as [String: Any],
        ]
    }

    private static func call(_ tool: String, _ values: [String: String]) -> String {
        guard tool == "Attack" else { return outcomes(ofList: values["list"] ?? "") }
        return outcome(of: values["attempt"] ?? "", values["detail"] ?? "")
    }

    private static func send(_ id: Any, _ result: [String: Any]) { write(["id": id, "result": result]) }

    private static func write(_ members: [String: Any]) {
        let all = members.merging(["jsonrpc": "2.0"]) { first, _ in first }
        guard let data = try? JSONSerialization.data(withJSONObject: all) else { exit(1) }
        FileHandle.standardOutput.write(data + Data("\n".utf8))
    }
}
