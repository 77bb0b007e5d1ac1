package import IntentProtocol

/// What a request gives to a run of the fleet, as the JSON object in the database.
package struct FleetArguments: Codable, Sendable, Equatable {
    package var values: [String: IntentValue]
    package var limitMilliseconds: Int64?
    package var ceilingMilliseconds: Int64?
    package var answers: AnswersInAdvance?
    /// Requests with the same key can differ in it.
    package var locale: String?
    /// Requests with the same key can differ in it.
    package var traceparent: String?
    /// The run at the host's intentd that this one undoes. The database sets it, and only for that host.
    package var undoOf: RunID?

    /// The most that the database accepts of a run's arguments, in bytes.
    package static let byteLimit = 65_536

    package init(_ request: PerformRequest) {
        values = request.values
        limitMilliseconds = request.limit?.milliseconds
        ceilingMilliseconds = request.ceiling?.milliseconds
        answers = request.answers
        locale = request.locale
        traceparent = request.traceparent
    }

    /// Arguments from the database; nil if they are not arguments.
    package init?(json: String) {
        guard let arguments = try? WireCoding.decode(Self.self, from: Array(json.utf8)) else { return nil }
        self = arguments
    }

    package var json: String { String(decoding: WireCoding.encode(self), as: UTF8.self) }

    /// The request at intentd for an attempt of a run. An attempt is one run there, however often it is requested.
    package func request(for run: FleetRun) -> PerformRequest? {
        let parts = run.intent.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        return PerformRequest(
            app: String(parts[0]),
            intent: String(parts[1]),
            values: values,
            limit: limitMilliseconds.map { .milliseconds($0) },
            ceiling: ceilingMilliseconds.map { .milliseconds($0) },
            onDisconnect: .continue,
            locale: locale,
            key: "fleet \(run.token) \(run.attempt)",
            undoOf: undoOf,
            traceparent: traceparent,
            answers: answers
        )
    }
}
