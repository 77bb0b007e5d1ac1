import Glibc

/// The compiler plugin that expands AppIntents' macros.
///
/// The compiler starts the plugin and exchanges messages with it over the plugin's standard input and output. A message
/// is JSON, preceded by its length in eight little-endian bytes. The plugin answers each message before it reads the
/// next one.
@main
struct IntentMacrosProgram {
    /// The version of the message format that this plugin supports. The compiler adapts to an older version.
    private static let protocolVersion = 7
    /// The maximum size of a message in bytes. A message contains the source of one declaration.
    private static let byteLimit = 256 << 20

    static func main() {
        // Make a write to a closed pipe fail instead of killing the plugin.
        signal(SIGPIPE, SIG_IGN)
        while let header = read(8) {
            let count = header.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard count <= byteLimit, let bytes = read(Int(count)) else { exit(EX_PROTOCOL) }
            guard let message = try? JSONText.parse(bytes) else { exit(EX_PROTOCOL) }
            send(answer(to: message))
        }
    }

    private static func answer(to message: JSONText) -> String {
        if message["getCapability"] != nil {
            return #"{"getCapabilityResult":{"capability":{"protocolVersion":\#(protocolVersion),"features":[]}}}"#
        }
        // Only Xcode uses `#Preview`. It adds nothing to a program.
        if message["expandFreestandingMacro"]?["macro"]?["typeName"]?.string == "PreviewMacro" {
            return result("", problem: nil, nil)
        }
        // Modifiers that a snippet ignores have a parameter with the default value `#_ignored(…)`.
        if let use = message["expandFreestandingMacro"], use["macro"]?["typeName"]?.string == "IgnoredUseMacro" {
            return ignoredUse(use["syntax"]?["source"]?.string ?? "")
        }
        guard let request = message["expandAttachedMacro"].flatMap(ExpansionRequest.init) else {
            return result(nil, problem: "this version of AppIntents cannot expand the macro: rebuild AppIntents", nil)
        }
        do throws(ExpansionProblem) {
            return result(try MacroExpansion.source(for: request), problem: nil, request)
        } catch {
            return result(nil, problem: error.message, request)
        }
    }

    /// Returns the answer that expands `#_ignored("layout:frame")` to the literal `"intentd-ignored:layout:frame;"`.
    /// `intentctl verify` searches an executable for these literals.
    private static func ignoredUse(_ source: String) -> String {
        let parts = source.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            return result(nil, problem: "expected the name of an ignored modifier as a literal", nil)
        }
        return result("\"intentd-ignored:\(String(parts[1]));\"", problem: nil, nil)
    }

    private static func result(_ source: String?, problem: String?, _ request: ExpansionRequest?) -> String {
        var diagnostics = ""
        if let problem {
            let file = JSONText.literal(request?.fileName ?? "")
            diagnostics = """
                {"message":\(JSONText.literal(problem)),"severity":"error","position":{"fileName":\(file),\
                "offset":\(request?.offset ?? 0)},"highlights":[],"notes":[],"fixIts":[]}
                """
        }
        let expanded = source.map { JSONText.literal($0) } ?? "null"
        return #"{"expandMacroResult":{"expandedSource":\#(expanded),"diagnostics":[\#(diagnostics)]}}"#
    }

    // MARK: Standard input and output

    /// Reads exactly `count` bytes. Returns nil if the stream ends first.
    private static func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var part = [UInt8](repeating: 0, count: min(count - bytes.count, 1 << 20))
            let received = Glibc.read(STDIN_FILENO, &part, part.count)
            if received < 0, errno == EINTR { continue }
            guard received > 0 else { return nil }
            bytes += part[..<received]
        }
        return bytes
    }

    private static func send(_ text: String) {
        let payload = Array(text.utf8)
        let frame = (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (8 * $0)) } + payload
        var sent = 0
        while sent < frame.count {
            let count = frame[sent...].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { exit(EX_IOERR) }
            sent += count
        }
    }
}
