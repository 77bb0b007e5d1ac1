import IntentLauncherMessages
import IntentLinux
import IntentSystemd

/// The connections of a sandbox that wait for a person's decision (`AllowHosts=ask`). Connections to the same host and port
/// wait for one answer.
struct HostQuestions {
    /// The maximum number of open questions, and of connections that wait for each of them.
    static let limit = 16

    private struct Waiter {
        var client: SharedFileDescriptor
        /// Watches whether the app ends the connection.
        var source: EventSource?
    }

    private let sandbox: Int
    private var last: Int
    private var waiters: [HostQuestion: [Int: Waiter]] = [:]
    private var lastWaiter = 0

    /// - Parameter generation: The questions of each generation have other numbers, so that no answer reaches a question of
    ///   the next process.
    init(of sandbox: Int, generation: Int) {
        self.sandbox = sandbox
        last = generation << 20
    }

    var connectionCount: Int { waiters.values.reduce(0) { $0 + $1.count } }

    /// Adds a connection to the question about its host. Returns the question and the number of the connection; nil if too
    /// many wait.
    mutating func add(_ client: SharedFileDescriptor, _ host: String, _ port: UInt16) -> (HostQuestion, waiter: Int)? {
        let open = waiters.keys.first { $0.host.utf8.elementsEqual(host.utf8) && $0.port == port }
        guard let question = open ?? newQuestion(host, port), waiters[question, default: [:]].count < Self.limit else {
            return nil
        }
        lastWaiter += 1
        waiters[question, default: [:]][lastWaiter] = Waiter(client: client, source: nil)
        return (question, lastWaiter)
    }

    private mutating func newQuestion(_ host: String, _ port: UInt16) -> HostQuestion? {
        guard waiters.count < Self.limit else { return nil }
        last += 1
        return HostQuestion(sandbox: sandbox, number: last, host: host, port: port)
    }

    /// Keeps what watches a connection. Returns true for the first connection of a question.
    mutating func watch(_ waiter: Int, of question: HostQuestion, with source: EventSource?) -> Bool {
        waiters[question]?[waiter]?.source = source
        return waiters[question]?.count == 1
    }

    /// Removes a connection that the app has ended. Returns the question if no other connection waits for its answer.
    mutating func remove(_ waiter: Int, of question: HostQuestion) -> HostQuestion? {
        waiters[question]?[waiter] = nil
        guard waiters[question]?.isEmpty == true else { return nil }
        waiters[question] = nil
        return question
    }

    /// Removes a question, and returns its connections.
    mutating func end(_ question: HostQuestion) -> [SharedFileDescriptor] {
        (waiters.removeValue(forKey: question) ?? [:]).sorted { $0.key < $1.key }.map(\.value.client)
    }

    mutating func removeAll() { waiters = [:] }
}
