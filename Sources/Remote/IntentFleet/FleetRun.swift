/// A run that the database has assigned to this host.
package struct FleetRun: Sendable, Equatable {
    package var id: Int64
    /// The number of the attempt. Only the host that holds the current attempt can commit a result.
    package var attempt: Int
    /// `APP/INTENT`.
    package var intent: String
    /// The owner: `USER@HOST`, or a database login role.
    package var owner: String
    /// The arguments, as a JSON object.
    package var arguments: String
    package var policy: RunPolicy
    /// A run identifier that is unique even across databases.
    package var token: String

    package init(
        id: Int64,
        attempt: Int,
        intent: String,
        owner: String,
        arguments: String,
        policy: RunPolicy,
        token: String
    ) {
        self.id = id
        self.attempt = attempt
        self.intent = intent
        self.owner = owner
        self.arguments = arguments
        self.policy = policy
        self.token = token
    }

    /// Creates a run from a row of `fleet.take`, `fleet.beat` or `fleet.submit_here`; nil if the row assigns no run or
    /// is malformed.
    package init?(_ row: [String?]) {
        guard row.count >= 7, let id = row[0].flatMap({ Int64($0) }), let attempt = row[1].flatMap({ Int($0) }), id > 0,
            attempt > 0, let intent = row[2], let owner = row[3], let arguments = row[4],
            let policy = row[5].flatMap(RunPolicy.init), let token = row[6]
        else { return nil }
        self.init(
            id: id,
            attempt: attempt,
            intent: intent,
            owner: owner,
            arguments: arguments,
            policy: policy,
            token: token
        )
    }
}

/// A run that this host holds, according to the database.
package struct HeldRun: Sendable, Equatable {
    package var run: FleetRun
    /// The reason for a cancellation that the owner or an operator has requested.
    package var cancellation: String?
    /// The answer to the run's open question, as JSON.
    package var answer: String?

    package init(_ run: FleetRun, cancellation: String? = nil, answer: String? = nil) {
        self.run = run
        self.cancellation = cancellation
        self.answer = answer
    }
}
