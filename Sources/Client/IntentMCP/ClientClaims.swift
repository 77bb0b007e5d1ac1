import IntentCommandLine
import IntentLinux
import IntentProtocol

/// What an MCP client says about itself in its first message: its name and version, its model and its session. They are
/// not checked. intentd quotes them in approvals and records.
package enum ClientClaims {
    /// The maximum length of each claim, in Unicode scalars.
    private static let lengthLimit = 24

    /// Returns the claims as one line; nil without any.
    package static func text(in line: [UInt8]) -> String? {
        guard case .request(let request)? = try? RPCMessage(parsing: line) else { return nil }
        let meta = request.params["_meta"]?.object ?? [:]
        let client = (request.params["clientInfo"] ?? meta["io.modelcontextprotocol/clientInfo"])?.object ?? [:]
        func claim(_ value: JSONValue?) -> String? {
            guard let text = value?.text, !text.utf8.isEmpty else { return nil }
            let line = SafeText.line(text)
            return line.scalarCount > lengthLimit ? "\(line.prefix(scalars: lengthLimit))…" : line
        }
        let program = [claim(client["name"]), claim(client["version"])].compactMap(\.self).joined(separator: " ")
        let claims = [
            program.isEmpty ? nil : program, claim(meta["dev.intentd/model"]).map { "model \($0)" },
            claim(meta["dev.intentd/session"]).map { "session \($0)" },
        ].compactMap(\.self)
        return claims.isEmpty ? nil : claims.joined(separator: ", ")
    }
}
