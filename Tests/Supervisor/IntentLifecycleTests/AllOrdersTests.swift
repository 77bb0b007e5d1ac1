import IntentLauncherMessages
import IntentLifecycle
import TestSupport
import Testing

/// Every order of the events of a run, to a depth of six events.
@Suite(.ownThread) struct AllOrdersTests {
    enum Event: CaseIterable {
        case advance, repetition, limit, ceiling, cancel, clientGone, stop, result, error, exit, crash, exceeded,
            question
        case answer, launcherLost
    }

    @Test(arguments: [IntentTraits([]), .progressReporting, [.progressReporting, .cancellable]])
    func `in every order there is one outcome, no success after the decision to stop, and no armed timer`(
        _ traits: IntentTraits
    ) {
        var run = RunStateMachine(limits: RunLimits(), traits: traits)
        var path = Path()
        path.take(run.accepted(at: at(0)))
        path.take(run.admitted(at: at(0)))
        path.take(run.launched(.full))
        path.take(run.started(at: at(0)))
        var visited = 0
        walk(run, path, depth: 6, &visited)
        #expect(visited > 1000)
    }

    private func walk(_ run: RunStateMachine, _ path: Path, depth: Int, _ visited: inout Int) {
        visited += 1
        if depth == 0 || path.hasVanished { return }
        for event in Event.allCases {
            var next = run
            var nextPath = path
            let actions = nextPath.apply(event, to: &next)
            // An event without effect leads only to orders that are tested without it.
            if actions.isEmpty, next == run { continue }
            nextPath.take(actions)
            walk(next, nextPath, depth: depth - 1, &visited)
        }
    }

    /// The events so far, which are checked at each step.
    struct Path {
        var events: [Event] = []
        var seconds: Int64 = 0
        var outcome: RunOutcome?
        var firstReason: CancellationReason?
        var armed: Now.Instant?
        var hasVanished = false
        var hasExited = false
        var progress: Int64 = 0

        mutating func apply(_ event: Event, to run: inout RunStateMachine) -> [RunStateMachine.Action] {
            events.append(event)
            seconds += 1
            let now = at(seconds)
            switch event {
            case .advance:
                progress += 1
                return run.progressReported(report(progress, of: 100), at: now)
            case .repetition: return run.progressReported(report(progress, of: 100), at: now)
            case .limit: return fire(&run)
            case .ceiling:
                seconds += 700
                return fire(&run)
            case .cancel: return run.cancel(.userCancelled, at: now)
            case .clientGone: return run.cancel(.clientDisconnected, at: now)
            case .stop: return run.cancel(.serviceStopping, at: now)
            case .result:
                return run.resultReceived(WorkerResult(ending: .returned(value: .int(1), dialog: nil)), at: now)
            case .error: return run.resultReceived(WorkerResult(ending: .threw(message: "no")), at: now)
            case .exit: return end(&run, SlotEnd(processEnd: .exited(code: 0)), at: now)
            case .crash: return end(&run, SlotEnd(processEnd: .signaled(signal: 11)), at: now)
            case .exceeded:
                return end(&run, SlotEnd(processEnd: .signaled(signal: 9), exceeded: .memory), at: now)
            case .question:
                return run.questionAsked(Question(number: 1, text: "?", type: .int), at: now)
            case .answer: return run.questionAnswered(1, .int(1), at: now)
            case .launcherLost:
                hasExited = true
                return run.launcherLost(at: now)
            }
        }

        /// The timer fires only when it is armed, and not before its time.
        private mutating func fire(_ run: inout RunStateMachine) -> [RunStateMachine.Action] {
            guard let armed else { return [] }
            let due =
                switch armed {
                case .monotonic(let instant): instant.nanoseconds
                case .boottime(let instant): instant.nanoseconds
                }
            seconds = max(seconds, due / 1_000_000_000 + 1)
            self.armed = nil
            return run.timerFired(at: at(seconds))
        }

        private mutating func end(
            _ run: inout RunStateMachine,
            _ end: SlotEnd,
            at now: Now
        ) -> [RunStateMachine.Action] {
            if hasExited { return [] }
            hasExited = true
            return run.processesEnded(end, at: now)
        }

        mutating func take(_ actions: [RunStateMachine.Action]) {
            for action in actions {
                #expect(!hasVanished, "\(action) after the run vanished: \(events)")
                switch action {
                case .armTimer(let instant): armed = instant
                case .disarmTimer: armed = nil
                case .send(let message):
                    #expect(!hasExited, "a message to a worker that has exited: \(events)")
                    if case .cancel(let reason, _) = message {
                        #expect(firstReason == nil, "told twice to stop: \(events)")
                        firstReason = reason
                    }
                case .signal: #expect(!hasExited, "a signal to a worker that has exited: \(events)")
                case .conclude(let outcome):
                    #expect(self.outcome == nil, "two outcomes: \(events)")
                    self.outcome = outcome
                    if let firstReason {
                        switch outcome {
                        case .cancelled(let reason): #expect(reason == firstReason, "\(events)")
                        case .violated, .unanswered: break
                        case .done, .failed, .crashed, .exceeded, .notStarted, .busy, .lost, .hostLost, .unknown:
                            Issue.record("\(outcome) after the decision to stop: \(events)")
                        }
                    }
                case .vanish:
                    #expect(outcome != nil, "vanished without an outcome: \(events)")
                    #expect(armed == nil, "a timer outlives its run: \(events)")
                    hasVanished = true
                case .launch, .collect, .discardFiles, .publish: break
                }
            }
        }
    }
}
