package import IntentProtocol

/// What a request gives to a run of the fleet, as the JSON object in the database.
package struct FleetArguments: Codable, Sendable, Equatable {
    package var values: [String: IntentValue]
    @OptionalMilliseconds package var limit: Duration?
    @OptionalMilliseconds package var ceiling: Duration?
    package var answers: AnswersInAdvance?
    /// Requests with the same key can differ in it.
    package var locale: String?
    /// Requests with the same key can differ in it.
    package var traceparent: String?

    /// The most that the database accepts of a run's arguments, in bytes.
    package static let byteLimit = 65_536

    package init(_ request: PerformRequest) {
        values = request.values
        limit = request.limit
        ceiling = request.ceiling
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

    /// The request at intentd for an attempt of a run. The same attempt is one run there, however often it is requested.
    package func request(for run: FleetRun) -> PerformRequest? {
        let parts = run.intent.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        return PerformRequest(
            app: String(parts[0]),
            intent: String(parts[1]),
            values: values,
            limit: limit,
            ceiling: ceiling,
            onDisconnect: .continue,
            locale: locale,
            key: "fleet \(run.token) \(run.attempt)",
            traceparent: traceparent,
            answers: answers
        )
    }

    private enum CodingKeys: String, CodingKey {
        case values
        case limit = "limitMilliseconds"
        case ceiling = "ceilingMilliseconds"
        case answers, locale, traceparent
    }
}
