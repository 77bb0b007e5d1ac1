import Glibc
import IntentConfiguration
import IntentHash
import IntentLinux

/// Implements `intentctl token`, which manages the tokens of the HTTP API of intentd-web.service.
struct TokenCommand {
    private enum Action: String, CaseIterable { case new, list, revoke }

    let invocation: Invocation

    private var folder: String { invocation["tokens"] ?? WebToken.folder }

    func perform() throws -> ExitCode {
        let words = invocation.words
        guard let action = Action(rawValue: words[0]) else {
            let names = Action.allCases.map(\.rawValue)
            throw CommandFailure.usage(
                "expected \(names.joined(separator: ", ")), got '\(words[0])'",
                hint: NearestName.opening(for: words[0], among: names) + HelpText.pointer(.token)
            )
        }
        switch action {
        case .new: try create(try name(in: words))
        case .list:
            guard words.count == 1 else { throw CommandFailure.usage("list: expected no name", hint: nil) }
            try list()
        case .revoke: try revoke(try name(in: words))
        }
        return .done
    }

    private func name(in words: [String]) throws(CommandFailure) -> String {
        guard words.count == 2, WebToken.isName(words[1]) else {
            throw .usage(
                "\(words[0]): expected a name of lower-case letters, digits and hyphens",
                hint: "for example: intentctl token \(words[0]) laptop"
            )
        }
        return words[1]
    }

    private func create(_ name: String) throws {
        guard let user = invocation["as"] else {
            throw CommandFailure.usage(
                "new: missing option --as",
                hint: "it names the account that the token stands for"
            )
        }
        guard let uid = Accounts.user(user), uid != 0, UInt32(user) == nil else {
            throw CommandFailure.usage(
                "--as: expected the name of an account other than root, got '\(user)'",
                hint: nil
            )
        }
        let allow = invocation.lists["allow"] ?? []
        for pattern in allow where !WebToken.isPattern(pattern) {
            throw CommandFailure.usage(
                "--allow: expected APP/INTENT, APP/* or *, got '\(pattern)'",
                hint: "for example: --allow 'Archive/*'"
            )
        }
        guard !allow.isEmpty else {
            throw CommandFailure.usage("new: missing option --allow", hint: "for example: --allow 'Archive/*'")
        }
        let now = ClockReading.realtimeNanoseconds() / 1_000_000
        let span = try invocation.span("expires", examples: ["90d"])
        // 256 random bits, as 64 hexadecimal digits.
        let secret = RequestID().text + RequestID().text
        let token = WebToken(
            user: user,
            hash: SHA256.hexadecimal(of: secret.utf8),
            allow: allow,
            created: Timestamp(millisecondsSince1970: now),
            expires: span.map { Timestamp(millisecondsSince1970: now + $0.wholeMilliseconds) }
        )
        try changing {
            () throws(SystemError) in
            if mkdir(folder, 0o750) == 0, let group = Accounts.group("intentd-web") { _ = chown(folder, 0, group) }
            let path = path(of: name)
            let file = try File.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, permissions: 0o640)
            // Only the service reads the hashes. Without its group, only root can.
            if let group = Accounts.group("intentd-web") { _ = fchown(file.rawValue, 0, group) }
            try File.write(file.rawValue, (WireCoding.encode(token) + [UInt8(ascii: "\n")])[...])
            try File.sync(file.rawValue)
        }
        try Console.output(WebToken.text(name: name, secret: secret))
        Console.note("this text is shown once: clients send it as 'Authorization: Bearer TOKEN'")
    }

    private func list() throws {
        let names = try changing { () throws(SystemError) in
            access(folder, F_OK) == 0 ? try File.names(in: folder) : []
        }
        let tokens = try names.filter { $0.hasSuffix(utf8: WebToken.suffix) }.sorted().map { file in
            let bytes = try changing { () throws(SystemError) in
                try File.bytes(at: "\(folder)/\(file)", limit: 64 << 10)
            }
            let name = String(file.dropLast(scalars: WebToken.suffix.scalarCount))
            return (name, try WireCoding.decodeFile(WebToken.self, from: bytes))
        }
        let now = Timestamp(millisecondsSince1970: ClockReading.realtimeNanoseconds() / 1_000_000)
        let rows = tokens.map { name, token in
            [
                name, token.user, token.allow.joined(separator: " "), Moment.local(token.created),
                token.expires.map { $0 <= now ? "expired" : Moment.local($0) } ?? "never",
            ]
        }
        try invocation.output(
            json: .array(
                tokens.map { name, token in
                    JSONValue(token).adding(["name": .string(name), "hash": .null])
                }
            ),
            text: TextTable.render(["NAME", "USER", "ALLOW", "CREATED", "EXPIRES"], rows)
        )
    }

    private func revoke(_ name: String) throws {
        try changing { () throws(SystemError) -> Void in
            try syscall("unlink", on: path(of: name)) { unlink(path(of: name)) }
        }
        Console.note("revoked: the service refuses '\(name)' from now on")
    }

    private func path(of name: String) -> String { "\(folder)/\(name)\(WebToken.suffix)" }

    private func changing<Value>(_ body: () throws(SystemError) -> Value) throws(CommandFailure) -> Value {
        do throws(SystemError) {
            return try body()
        } catch {
            let hint: String? =
                switch error.code.rawValue {
                case EACCES, EPERM: "run the command as root"
                case EEXIST: "revoke the token with this name first, or choose another name"
                case ENOENT: "'intentctl token list' lists the tokens"
                default: nil
                }
            throw CommandFailure(.unavailable, code: "token", "\(error)", hint: hint)
        }
    }
}
