import IntentProtocol

/// The calls for which intentd has had no room, in the order in which the client made them. One of them is tried at a
/// time, so that no call overtakes another.
struct CallQueue {
    private var ids: [RPCID] = []
    /// The call that is being tried again.
    private var attempt: RPCID?
    private var retry: Duration = .zero
    /// The last refusal.
    private(set) var report: ErrorReport?

    /// The shortest time between two attempts without the end of a run.
    private static let pause = Duration.milliseconds(250)

    var isEmpty: Bool { ids.isEmpty && attempt == nil }

    /// The time of the next attempt; nil if no call waits, or during an attempt.
    var retryTime: Duration? { ids.isEmpty || attempt != nil ? nil : retry }

    func contains(_ id: RPCID) -> Bool { attempt == id || ids.contains(id) }

    /// The number of calls before a call.
    func position(of id: RPCID) -> Int { ids.firstIndex(of: id) ?? 0 }

    mutating func add(_ id: RPCID) { ids.append(id) }

    /// Adds a call that was refused. A call that was tried again keeps its place.
    mutating func add(_ id: RPCID, _ report: ErrorReport, at now: Duration) {
        if attempt == id { ids.insert(id, at: 0) } else if !ids.contains(id) { ids.append(id) }
        if attempt == id { attempt = nil }
        self.report = report
        retry = now + max(Self.pause, report.retryAfter ?? .zero)
    }

    /// Removes a call. Returns false for a call that does not wait.
    mutating func remove(_ id: RPCID) -> Bool {
        guard let index = ids.firstIndex(of: id) else { return false }
        ids.remove(at: index)
        return true
    }

    mutating func runEnded(at now: Duration) { retry = min(retry, now) }

    /// Returns the call to try again.
    mutating func next() -> RPCID? {
        guard attempt == nil, !ids.isEmpty else { return nil }
        attempt = ids.removeFirst()
        return attempt
    }

    /// Ends an attempt that succeeded, or that failed for another reason: there may be room for the next call.
    mutating func attempted(_ id: RPCID, at now: Duration) {
        guard attempt == id else { return }
        attempt = nil
        retry = now
    }
}

// Queues calls that intentd refuses because agents have too many runs.
extension MCPServer {
    /// Starts the run of a call, after the calls that wait.
    mutating func start(_ id: RPCID, _ action: Action) {
        open[id]?.start = action
        if queue.isEmpty { return act(action) }
        queue.add(id)
        wait(id)
    }

    /// Queues a call if waiting can help. Returns false otherwise.
    mutating func enqueue(_ id: RPCID, after report: ErrorReport) -> Bool {
        guard report.code == .busy, report.retryAfter != nil, open[id]?.start != nil, open[id]?.isOverdue == false
        else {
            return false
        }
        queue.add(id, report, at: now)
        wait(id)
        return true
    }

    private mutating func wait(_ id: RPCID) {
        guard let request = open[id], request.due == nil else { return }
        let limit = answerAfter ?? (request.pace == nil ? Self.callTimeout : Self.queueTimeout)
        open[id]?.due = request.began + limit
        let title = "waiting for \(queue.position(of: id)) calls of this agent, and for room"
        open[id]?.pace?.add(ProgressReport(completedUnitCount: 0, totalUnitCount: 0, fraction: 0, title: title))
    }

    mutating func queueAttempted(_ id: RPCID) {
        guard queue.contains(id) else { return }
        open[id]?.due = nil
        queue.attempted(id, at: now)
    }

    mutating func retryQueuedCall() {
        guard let id = queue.next() else { return }
        guard let action = open[id]?.start else { return queue.attempted(id, at: now) }
        act(action)
    }
}
