import IntentCommandLine

/// The forms of a server that wait for their turn. Only the first one is asked.
struct FormQueue: Sendable {
    /// What waits for the reply to a form.
    enum Asker: Equatable, Sendable {
        /// A request of the server, by its identifier.
        case request(JSONValue)
        /// A call of revision 2026-07-28, which names each form by a key.
        case key(String)
    }

    /// The input that a call of revision 2026-07-28 needs before it is repeated.
    struct Round: Sendable {
        var state: JSONValue?
        var responses: [String: JSONValue]
    }

    private var waiting: [(asker: Asker, form: ServerForm)] = []
    var round: Round?

    var isEmpty: Bool { waiting.isEmpty }
    var first: ServerForm? { waiting.first?.form }

    mutating func add(_ form: ServerForm, for asker: Asker, limit: Int) throws(ArgumentError) {
        guard waiting.count < limit else { throw ArgumentError("\(limit) forms are already waiting") }
        waiting.append((asker, form))
    }

    mutating func removeFirst() -> Asker? { waiting.isEmpty ? nil : waiting.removeFirst().asker }

    /// Removes the form of a request that the server cancels. Returns true if it was the first one.
    mutating func remove(_ id: JSONValue) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.asker == .request(id) }) else { return false }
        waiting.remove(at: index)
        return index == 0
    }
}
