import IntentCommandLine
import IntentConfiguration
import IntentLinux
import IntentProtocol

/// Performs intents for signed requests to `/hooks/NAME`. Every request that has no effect has the same answer.
///
/// Use an instance only on the loop's thread.
final class Hooks {
    private let folder: String
    private var replays = HookReplays()
    private let perform: (APICaller, PerformRequest, @escaping (Result<RunID, ErrorReport>) -> Void) -> Void

    init(
        folder: String,
        perform: @escaping (APICaller, PerformRequest, @escaping (Result<RunID, ErrorReport>) -> Void) -> Void
    ) {
        self.folder = folder
        self.perform = perform
    }

    func receive(_ exchange: APIExchange) {
        let name = exchange.request.path["hook"] ?? ""
        // A request with an unknown name is checked as one of another hook, so that it takes as long: it reads the same files,
        // and computes the same code over the body.
        let files = (try? File.names(in: folder)) ?? []
        let isKnown = WebToken.isName(name) && files.contains(name + HookFile.suffix)
        let hook = (isKnown ? name + HookFile.suffix : Self.decoy(in: files)).flatMap(hook)
        let secret = hook.flatMap(secret) ?? Array(SecretText().text.utf8)
        let now = ClockReading.realtimeNanoseconds() / 1_000_000_000
        let identity = HookSignature.identity(
            hook?.scheme ?? .github,
            exchange.request.headers,
            exchange.body,
            secret: secret,
            at: now
        )
        guard isKnown, let hook, let identity else {
            return refuse(exchange, "hook '\(name)': unknown, or a wrong signature")
        }
        guard let body = JSONValue(parsing: exchange.body) else { return refuse(exchange, "hook '\(name)': no JSON") }
        for (pointer, expected) in hook.conditions {
            let value = JSONPointer(pointer)?.value(in: body)
            let text = if case .string(let text)? = value { text } else { value?.text() ?? "" }
            if text != expected { return exchange.respond(.empty()) }
        }
        guard replays.accept(identity, of: name, at: .seconds(now)) else {
            return refuse(exchange, "hook '\(name)': a replay, or too many requests in three days")
        }
        var request = PerformRequest(app: hook.app, intent: hook.intent)
        request.onDisconnect = .continue
        request.entryPoint = .http
        request.key = "hook:\(name):\(identity)"
        for (parameter, pointer) in hook.values {
            guard let value = JSONPointer(pointer)?.value(in: body), let value = Self.value(value) else { continue }
            request.values[parameter] = value
        }
        let caller = APICaller(
            name: "hook \(name)",
            software: "\(APICaller.program), hook \(name)",
            user: hook.user,
            allowed: ["\(hook.app)/\(hook.intent)"]
        )
        perform(caller, request) { [weak self, weak exchange] result in
            switch result {
            case .success(let run): exchange?.respond(.json(ClientAnswer.accepted(run: run), status: 202))
            case .failure(let error):
                self?.replays.forget(identity, of: name)
                guard let exchange else { return }
                self?.refuse(exchange, "hook '\(name)': \(error.code.rawValue): \(error.message)")
            }
        }
    }

    private func refuse(_ exchange: APIExchange, _ reason: String) {
        WebConsole.note("refused a request: \(reason)")
        exchange.respond(ErrorReport(.unknownPath, "not found"))
    }

    /// The file of the hook as which unknown names are checked.
    private static func decoy(in files: [String]) -> String? {
        files.filter { $0.hasSuffix(utf8: HookFile.suffix) }.min()
    }

    /// Reads the file of a hook. A file that is missing or has a mistake is as an unknown hook to the sender.
    private func hook(_ file: String) -> HookFile? {
        guard let bytes = try? File.bytes(at: "\(folder)/\(file)", limit: 64 << 10) else { return nil }
        do throws(HookProblem) {
            return try HookFile(bytes, file: "\(folder)/\(file)")
        } catch {
            WebConsole.note("\(error)")
            return nil
        }
    }

    private func secret(_ hook: HookFile) -> [UInt8]? {
        do throws(SystemError) {
            var bytes = try File.bytes(at: hook.secretFile, limit: 64 << 10)
            while bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            return bytes.isEmpty ? nil : bytes
        } catch {
            WebConsole.note("SecretFile=: \(error)")
            return nil
        }
    }

    /// Returns a value of the body for a parameter; nil for an object, which no parameter accepts, and for null.
    private static func value(_ value: JSONValue) -> IntentValue? {
        switch value {
        case .null, .object: nil
        case .bool(let flag): .bool(flag)
        case .int(let number): .int(number)
        case .double(let number): .double(number)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.compactMap(Self.value))
        }
    }
}
