import IntentLauncherMessages

/// Imports runs from another history.
extension HistoryWriter {
    /// Adds ended runs with their original identifiers and times, in one transaction. Skips runs that are already
    /// recorded.
    func importRuns(_ stories: [RunStory]) throws(DatabaseError) -> ImportReport {
        var report = ImportReport()
        try transact { () throws(DatabaseError) in
            for story in stories {
                guard let end = story.end else {
                    report.unfinishedCount += 1
                    continue
                }
                if try add(story, end) { report.runCount += 1 } else { report.knownCount += 1 }
            }
        }
        return report
    }

    /// Adds a run. Returns false if the run, its request or its key is already recorded, or the app's name is invalid.
    private func add(_ story: RunStory, _ end: Recorded<RecordedEnd>) throws(DatabaseError) -> Bool {
        guard let accepted = AcceptedRun(story) else { return false }
        var facts: [(RunRecord.Fact, Timestamp, Duration)] = [(.accepted(accepted), story.summary.accepted, .zero)]
        for change in story.changes {
            if let fact = RunRecord.Fact(change.event) { facts.append((fact, change.time, change.after)) }
        }
        facts.append((.ended(end.event), end.time, end.after))
        // Always record an exit, because a run without an exit is considered unfinished.
        let exit = story.exit ?? Recorded(time: end.time, after: end.after, event: WorkerExit())
        facts.append((.exited(exit.event), exit.time, exit.after))
        let boot = try importedBoot()
        let start = Self.nanoseconds(of: story.summary.accepted)
        for (fact, time, after) in facts {
            let instant = Self.instant(start, after)
            let recordTime = RecordTime(wall: Self.nanoseconds(of: time), monotonic: instant, boottime: instant)
            let entry = HistoryEntry(RunRecord(story.summary.run, fact), at: recordTime)
            if try record(entry, ofBoot: boot) != nil { return false }
        }
        return true
    }

    private func importedBoot() throws(DatabaseError) -> Int64 {
        let known = try database.integer("SELECT number FROM boots WHERE id = '\(Schema.importedBoot)'")
        if let known { return known }
        try database.execute("INSERT INTO boots (id) VALUES ('\(Schema.importedBoot)')")
        return database.lastInsertedRow
    }

    private static func nanoseconds(of time: Timestamp) -> Int64 {
        let (product, overflow) = time.millisecondsSince1970.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? 0 : product
    }

    /// Adds a duration to an instant in nanoseconds. Returns the instant itself if the result would overflow.
    private static func instant(_ start: Int64, _ after: Duration) -> Int64 {
        let (nanoseconds, isTooLong) = after.wholeMilliseconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, overflow) = start.addingReportingOverflow(nanoseconds)
        return isTooLong || overflow ? start : sum
    }
}

extension AcceptedRun {
    /// Creates a run from a complete record. Fails if the app's name is invalid. For a retry, the reference to the
    /// retried run is dropped, because this history may have no record of that run.
    fileprivate init?(_ story: RunStory) {
        guard let app = AppName(story.summary.app) else { return nil }
        var caller = CallerProcess(user: story.summary.user, process: story.process, software: story.software)
        caller.account = story.summary.userName
        self.init(
            caller: caller,
            entryPoint: story.summary.entryPoint,
            request: story.request,
            key: story.key,
            traceparent: story.traceparent,
            app: app,
            intent: story.summary.intent,
            traits: story.traits,
            values: RunValues(encoding: story.values),
            secretNames: story.secretNames,
            fileCount: story.fileCount,
            limits: story.limits
        )
    }
}

extension RunRecord.Fact {
    /// Converts a change to a fact. Fails if a later release recorded the change.
    fileprivate init?(_ change: RunChange) {
        switch change {
        case .state(let state, let reason, let slot): self = .state(state, reason: reason, slot: slot)
        case .question(let question): self = .asked(question)
        case .answer(let answer): self = .answered(answer)
        case .cancel(let caller): self = .cancelRequested(caller)
        case .signal(let signal): self = .signalled(signal)
        case .observation(let observation): self = .observed(observation)
        case .usage(let sample): self = .sampled(sample)
        case .unknown: return nil
        }
    }
}
