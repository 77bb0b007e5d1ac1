import Glibc
import IntentHash
import IntentLauncherMessages
import IntentLinux
import IntentSystemd

/// An object that issues and redeems tickets for questions. A client that serves another program, such as an MCP
/// server, may have to answer the program's request with a question, and receive the answer in a second request. The
/// ticket proves that both requests concern the same question, user and call.
///
/// A ticket contains its run and question. Its authentication code covers the run, the question, the user, and the
/// digest of the call. A ticket can be redeemed once, while the question is open.
///
/// Must be used only on the event loop's thread.
final class QuestionTickets {
    private let key: [UInt8]
    var redeemed = RedeemedTickets()

    private static let keyByteCount = 32

    /// - Parameter folder: The folder that stores the key; nil if tickets do not have to outlive this intentd.
    init(keptIn folder: String?, journal: Journal) {
        do {
            key =
                try folder.map { folder throws(SystemError) in try Self.key(at: "\(folder)/ticket.key") }
                ?? Self.newKey()
        } catch {
            journal.write(
                .warning,
                "cannot store the key for tickets (\(error)); tickets become invalid when intentd exits"
            )
            key = Self.newKey()
        }
    }

    func issue(for question: UInt64, of run: RunID, to user: UInt32, digest: String) -> String {
        let random = String(UInt64.random(in: .min ... .max), radix: 16)
        let name = "\(run).\(question).\(random)"
        return name + "." + code(of: name, user, digest)
    }

    /// Checks a ticket, and marks it as redeemed if the user may see its question.
    ///
    /// - Parameters:
    ///   - isPreview: True to leave the ticket as it is.
    ///   - openQuestion: Returns the number of a run's open question, or nil if none is open.
    ///   - find: Returns the open question of the run if the user may see it.
    func redeem(
        _ text: String,
        by user: UInt32,
        of account: Account,
        digest: String,
        isPreview: Bool,
        openQuestion: (RunID) -> UInt64?,
        find: (RunID, UInt64) throws(ErrorReport) -> AskingRun
    ) throws(ErrorReport) -> AskingRun {
        let parts = text.split(scalar: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 100, parts.count == 4, let run = RunID(parts[0]), let question = UInt64(parts[1]),
            let number = UInt64(parts[2], radix: 16),
            Self.isEqual(code(of: parts[..<3].joined(separator: "."), user, digest), parts[3])
        else {
            throw ErrorReport(
                .badTicket,
                "the ticket was not issued to this user for this call",
                hint: "repeat the call without a ticket"
            )
        }
        let asking = try find(run, question)
        if isPreview { return asking }
        let ticket = RedeemedTickets.Ticket(run: run, question: question, account: account, number: number)
        switch redeemed.redeem(ticket, openQuestion: openQuestion) {
        case .accepted, .closed: return asking
        case .repeated:
            throw ErrorReport(
                .badTicket,
                "the ticket has already been redeemed",
                hint: "request the result of run \(run)"
            )
        case .tooMany:
            throw ErrorReport(
                .busy,
                "the user has redeemed \(RedeemedTickets.countPerAccount) tickets of open questions",
                hint: "answer one of the questions, then redeem the ticket again"
            )
        }
    }

    private func code(of name: String, _ user: UInt32, _ digest: String) -> String {
        let code = SHA256.authenticationCode(of: "\(name)\0\(user)\0\(digest)".utf8, key: key)
        return code.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Compares two codes in a time that does not depend on the position of the first difference.
    private static func isEqual(_ left: String, _ right: Substring) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return zip(left.utf8, right.utf8).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func newKey() -> [UInt8] { (0..<keyByteCount).map { _ in .random(in: .min ... .max) } }

    /// Reads the key from a file. Creates a new key if the file does not exist or is incomplete.
    private static func key(at path: String) throws(SystemError) -> [UInt8] {
        if let known = try? File.bytes(at: path, limit: keyByteCount), known.count == keyByteCount { return known }
        let key = newKey()
        let file = try File.open(path, O_WRONLY | O_CREAT | O_TRUNC, permissions: 0o600)
        try File.write(file.rawValue, key[...])
        try File.sync(file.rawValue)
        return key
    }
}
