package import IntentLauncherMessages

/// A limit on the bytes that intentd holds for its clients. One account may have at most as many bytes as remain free,
/// so that the next account always finds free bytes.
package struct ByteBudget: Sendable {
    /// The maximum number of bytes of all accounts.
    private let limit: Int
    private var held: [ClientID: Int] = [:]
    private var totals: [Account: Int] = [:]
    private var total = 0

    private init(limit: Int) { self.limit = limit }

    /// The budget for frames that have not arrived as a whole, or that are being decoded. A small frame that arrives as
    /// a whole needs none of these bytes.
    package static var frames: ByteBudget { ByteBudget(limit: 64 << 20) }
    /// The budget for messages that clients have not read.
    package static var messages: ByteBudget { ByteBudget(limit: 256 << 20) }

    /// Records that intentd holds this number of bytes for a client.
    ///
    /// - Returns: False if the account has more bytes than its share.
    package mutating func holds(_ byteCount: Int, _ client: ClientID, of account: Account) -> Bool {
        let change = byteCount - (held[client] ?? 0)
        held[client] = byteCount > 0 ? byteCount : nil
        let own = (totals[account] ?? 0) + change
        totals[account] = own > 0 ? own : nil
        total += change
        return change <= 0 || own <= limit - total
    }

    /// Releases the bytes of a client that has disconnected.
    package mutating func left(_ client: ClientID, of account: Account) {
        if held[client] != nil { _ = holds(0, client, of: account) }  // Fewer bytes are always permitted.
    }
}
