package import IntentProtocol

/// The arguments of a request for a fleet run, stored as a JSON object in the database.
package struct FleetArguments: Codable, Sendable, Equatable {
    package var values: [String: IntentValue]
    package var limitMilliseconds: Int64?
    package var ceilingMilliseconds: Int64?
    package var answers: AnswersInAdvance?
    /// The locale of the caller. Requests with the same key may have different locales.
    package var locale: String?
    /// The trace context of the caller. Requests with the same key may have different contexts.
    package var traceparent: String?
    /// `mcp` if an agent made the request; nil for a person. The performing host's intentd applies `[Agents]`.
    package var entryPoint: EntryPoint?
    /// The identifier that the host's intentd gave to the run that this run undoes. Set by the database, and only for
    /// that host.
    package var undoOf: RunID?
    /// The files that the run receives; nil if it receives none.
    package var files: [FleetInput]?

    /// The maximum size of a run's arguments that the database accepts, in bytes.
    package static let byteLimit = 65_536

    package init(_ request: PerformRequest, files: [FleetInput] = []) {
        values = request.values
        limitMilliseconds = request.limit?.milliseconds
        ceilingMilliseconds = request.ceiling?.milliseconds
        answers = request.answers
        locale = request.locale
        traceparent = request.traceparent
        entryPoint = request.entryPoint == .mcp ? .mcp : nil
        self.files = files.isEmpty ? nil : files
    }

    /// Decodes arguments from the database; nil if the JSON is malformed.
    package init?(json: String) {
        guard let arguments = WireCoding.value(Self.self, in: json), FleetInput.areValid(arguments.files ?? []) else {
            return nil
        }
        self = arguments
    }

    package var json: String { WireCoding.text(self) }

    /// Returns the request to intentd for one of a run's attempts. intentd performs the attempt once, even if the
    /// request is repeated.
    package func request(for run: FleetRun) -> PerformRequest? {
        let parts = run.intent.split(scalar: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        return PerformRequest(
            app: String(parts[0]),
            intent: String(parts[1]),
            values: values,
            fileCount: files?.count ?? 0,
            limit: limitMilliseconds.map { .milliseconds($0) },
            ceiling: ceilingMilliseconds.map { .milliseconds($0) },
            onDisconnect: .continue,
            locale: locale,
            key: "fleet \(run.token) \(run.attempt)",
            undoOf: undoOf,
            entryPoint: entryPoint,
            traceparent: traceparent,
            answers: answers
        )
    }
}
