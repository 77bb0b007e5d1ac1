import IntentDaemon
import IntentFleet
import IntentLauncherMessages
import IntentLinux
import IntentProtocol

/// The request for a new run, and the files that a client passes for it.
extension FrontRequests {
    func perform(_ request: PerformRequest) {
        let files = front.session(number)?.stream.takeFiles(request.fileCount) ?? []
        if request.entryPoint == .mcp, request.fileCount > 0 || request.undoOf != nil {
            return refuse(
                .notPermitted,
                "agents may neither pass files to runs of a fleet nor undo them: no other host can show a person which files "
                    + "or which run a request means",
                hint: "send the request to intentd, without --fleet: a person can approve it there"
            )
        }
        guard request.plan == nil else {
            return refuse(.badRequest, "a fleet performs no plans", hint: "run it without --fleet")
        }
        guard request.fileCount <= FleetInput.countLimit else { return refuse(Self.tooManyFiles) }
        guard files.count == request.fileCount else {
            return refuse(.badRequest, "'files': expected \(request.fileCount) descriptors, received \(files.count)")
        }
        guard request.writable?.isEmpty != false else {
            return refuse(
                .badParameter,
                "a run of a fleet cannot write to files of its owner, because it may be performed on another host",
                hint: "run the intent without --fleet"
            )
        }
        guard front.session(number)?.watchCount ?? 0 < FrontSession.watchLimit else {
            return refuse(
                .busy,
                "this connection subscribes to \(FrontSession.watchLimit) runs that have not ended",
                hint: "try again when some of them have ended, or open another connection"
            )
        }
        if let undone = request.undoOf { return undo(undone, request.onDisconnect) }
        guard request.query == nil else {
            return refuse(.badRequest, "a fleet does not list options: run the command without --fleet")
        }
        front.apps(named: request.app, with: request.intent) { result in
            guard let apps = accept(result) else { return }
            guard let catalog = apps.first?.catalog else { return refuse(Self.unknownApp(request.app)) }
            guard case .intent(let intent) = catalog.intent(named: request.intent) else {
                return refuse(
                    .unknownIntent,
                    "no host of the fleet offers '\(WireCoding.excerpt("\(request.app)/\(request.intent)"))'",
                    hint: NearestName.hint(for: request.intent, among: catalog.intents.map(\.name))
                )
            }
            let secrets = intent.parameters.filter { $0.isSecret == true }.map(\.name)
            if let secret = secrets.first(where: { request.values[$0] != nil }) {
                return refuse(
                    .badParameter,
                    "'\(secret)' is secret, and the values of a run are stored in the fleet's database",
                    hint: "run the intent without --fleet, or give the app the secret with LoadCredential="
                )
            }
            store(files) { submit(request, intent.name, $0, spool: $1) }
        }
    }

    /// Copies the files that a client passes for a run, and calls `body` with their descriptions and name.
    private func store(_ files: [SharedFileDescriptor], _ body: @escaping ([FleetInput], String?) -> Void) {
        guard !files.isEmpty, let inputs = front.inputs else { return body([], nil) }
        guard !front.isNameTaken() else {
            // The requests for the files would reach the other process.
            return refuse(
                .busy,
                "another host of the fleet has this host's name, so no other host can request the run's files",
                hint: "ask the operator to set another Name= in fleet.conf"
            )
        }
        inputs.store(files, for: account.payer.uid) { result in
            guard let stored = accept(result) else { return }
            guard front.session(number) != nil else { return inputs.discard(stored.name) }
            body(stored.inputs, stored.name)
        }
    }

    private func submit(_ request: PerformRequest, _ intent: String, _ inputs: [FleetInput], spool: String?) {
        let arguments = FleetArguments(request, files: inputs)
        guard arguments.json.utf8.count <= FleetArguments.byteLimit else {
            if let spool { front.inputs?.discard(spool) }
            return refuse(
                .tooLarge,
                "the values of the run exceed \(FleetArguments.byteLimit) bytes, the limit of a fleet"
            )
        }
        let key = request.key ?? "request \(request.request.text)"
        let statement = ClientStatement.submit(
            owner: owner,
            key: key,
            intent: "\(request.app)/\(intent)",
            arguments,
            spool: spool
        )
        front.database.submit(statement) { result in
            if let spool { settle(spool, result) }
            guard let rows = accept(result) else { return }
            guard let row = rows.first, row.count == 2, let run = row[0].flatMap({ Int64($0) }) else {
                return refuse(.historyUnavailable, "the fleet's database gave no answer")
            }
            guard let session = attach(run, request.onDisconnect) else { return }
            answer(.accepted(run: RunID(fleet: run)))
            if row[1] == "t" { front.watchNew(run, by: session) } else { front.watch(run, by: session) }
        }
    }

    /// Returns the client's session, and attaches a run to it if the run ends with its client. If the client has
    /// disconnected in the meantime, cancels such a run and returns nil.
    func attach(_ run: Int64, _ rule: DisconnectRule) -> FrontSession? {
        guard let session = front.session(number) else {
            if rule == .cancel { front.cancel(run, .clientDisconnected) }
            return nil
        }
        if rule == .cancel { session.attached.insert(run) }
        return session
    }

    /// Keeps a run's files as long as the database lists them, once its submission has been answered.
    ///
    /// The answer does not tell which files the run receives: the submission is repeated after a lost connection, and
    /// then has found the run that its first attempt created, or that an earlier request of the client created with
    /// other files.
    private func settle(_ spool: String, _ result: Result<[[String?]], ErrorReport>) {
        let isCertain =
            switch result {
            case .success: true
            // No attempt of this submission creates a run: the key belongs to a run with other arguments.
            case .failure(let error): error.code == .keyConflict
            }
        front.inputs?.submitted(spool, isCertain: isCertain)
    }
}
