import TestSupport

@testable import IntentLauncherMessages
@testable import IntentProtocol
@testable import IntentSharedTypes
@testable import IntentWorkerMessages

/// Creates random messages of every kind.
struct RandomMessages {
    private var numbers: SeededNumbers

    init(seed: UInt64) {
        numbers = SeededNumbers(seed: seed)
    }

    private mutating func oneOf<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &numbers)]
    }

    private mutating func isLucky() -> Bool { Bool.random(using: &numbers) }

    private mutating func text() -> String {
        let pieces = [
            "", "a", "soup", "Zwölf Boxkämpfer", "\"", "\\", "/", "\n", "\t", "\r", "\u{8}", "\u{c}", "\u{0}",
            "\u{1b}[31m",
            "\u{7f}", "\u{e9}", "e\u{301}", "\u{2028}", "🍲", "\u{feff}", "null",
            "o" + String(repeating: "\u{323}\u{301}", count: 16), "{\"type\":\"started\"}", ",", "]",
            "}",
        ]
        return (0..<Int.random(in: 0...3, using: &numbers)).map { _ in oneOf(pieces) }.joined()
    }

    private mutating func number() -> Int64 {
        oneOf([0, 1, -1, 42, 1_000_000, .max, .min, 999_999_999_999_999_999, -999_999_999_999_999_999])
    }

    private mutating func fraction() -> Double {
        oneOf([
            0, -0.0, 1, 0.5, 0.1, 1.0 / 3, 1e-7, 1e18, 1e300, 123_456.789, -2.5, .greatestFiniteMagnitude, .infinity,
        ])
    }

    private mutating func value(_ depth: Int = 0) -> IntentValue {
        switch Int.random(in: 0...7, using: &numbers) {
        case 0: .null
        case 1: .bool(isLucky())
        case 2: .int(number())
        case 3: .double(fraction())
        case 4 where depth < 6: .array((0..<Int.random(in: 0...3, using: &numbers)).map { _ in value(depth + 1) })
        case 5: .file(FileReference(index: 0, name: "a"))
        default: .string(text())
        }
    }

    mutating func values() -> [String: IntentValue] {
        var values: [String: IntentValue] = [:]
        for _ in 0..<Int.random(in: 0...4, using: &numbers) { values[text()] = value() }
        return values
    }

    private mutating func progress() -> ProgressReport {
        ProgressReport(
            completedUnitCount: number(),
            totalUnitCount: number(),
            fraction: fraction(),
            title: isLucky() ? text() : nil,
            detail: isLucky() ? text() : nil
        )
    }

    private mutating func run() -> RunID { RunID(randomBits: numbers.next()) }
    private mutating func slot() -> SlotID { SlotID(number: oneOf([0, 7, .max])) }
    private mutating func reason() -> CancellationReason { CancellationReason(name: oneOf(["timeout", text()])) }
    private mutating func end() -> ProcessEnd { isLucky() ? .exited(code: oneOf([0, 255])) : .signaled(signal: 9) }

    private mutating func isolation() -> Isolation {
        Isolation(
            grade: oneOf(IsolationGrade.allCases),
            parts: (0..<Int.random(in: 0...3, using: &numbers)).map { _ in text() },
            missing: isLucky() ? [text()] : []
        )
    }

    mutating func workerCommand() -> WorkerCommand {
        switch Int.random(in: 0...3, using: &numbers) {
        case 0: .acknowledge
        case 1: .cancel(reason: reason(), graceMilliseconds: number())
        case 2: .answer(question: 3, value: value())
        default:
            .perform(
                PerformCommand(
                    run: run(),
                    intent: text(),
                    values: RunValues(values()),
                    fileCount: oneOf([0, 1, 16]),
                    locale: isLucky() ? text() : nil,
                    query: isLucky() ? OptionsQuery(parameter: text(), text: text()) : nil,
                    version: isLucky() ? text() : nil
                )
            )
        }
    }

    mutating func workerReport() -> WorkerReport {
        switch Int.random(in: 0...6, using: &numbers) {
        case 0: .hello(Hello(software: text(), fleetUser: isLucky() ? text() : nil))
        case 1: .started
        case 2: .progress(progress())
        case 3: .background(.entered)
        case 4:
            .finished(
                WorkerResult(ending: .threw(message: text()), details: isLucky() ? RunDetails(code: text()) : nil)
            )
        case 5: .finished(WorkerResult(ending: .threwCancellation, files: isLucky() ? [.path(text())] : []))
        default:
            .finished(
                WorkerResult(
                    ending: .returned(value: isLucky() ? value() : nil, dialog: isLucky() ? text() : nil),
                    files: isLucky() ? [.memory] : []
                )
            )
        }
    }

    mutating func launchCommand() -> LaunchCommand {
        switch Int.random(in: 0...3, using: &numbers) {
        case 0:
            .launch(
                LaunchRequest(
                    slot: slot(),
                    app: Sample.app,
                    mode: oneOf([.describe, .once]),
                    for: isLucky() ? .local(user: 1000, account: isLucky() ? text() : "") : nil,
                    run: isLucky() ? run() : nil,
                    intent: isLucky() ? text() : nil
                )
            )
        case 1: .signal(slot: slot(), isLucky() ? .terminate : .kill)
        case 2: .measure(reportsUsage: isLucky())
        default: .release(slot: slot())
        }
    }

    mutating func launchReport() -> LaunchReport {
        switch Int.random(in: 0...2, using: &numbers) {
        case 0: .launched(slot: slot(), process: oneOf([1, .max]), isolation())
        case 1: .openFailed(slot: slot(), message: text())
        default:
            .ended(
                slot: slot(),
                SlotEnd(
                    processEnd: end(),
                    leftoverProcessCount: oneOf([0, 3]),
                    exceeded: isLucky() ? .memory : nil,
                    usage: isLucky() ? usage() : nil
                )
            )
        }
    }

    mutating func usage() -> ResourceUsage {
        ResourceUsage(
            userTime: .microseconds(number()),
            systemTime: .microseconds(number()),
            peakMemoryByteCount: isLucky() ? number() : nil
        )
    }

    mutating func clientMessage() -> ClientMessage {
        let run = run()
        let serial = numbers.next()
        switch Int.random(in: 0...5, using: &numbers) {
        case 0: return .answer(id: isLucky() ? numbers.next() : nil, .accepted(run: run))
        case 1:
            let state = oneOf([RunState.queued, .starting, .running, .asking, .stopping])
            return .event(NumberedEvent(run: run, serial: serial, .state(state, reason: isLucky() ? reason() : nil)))
        case 2: return .event(NumberedEvent(run: run, serial: serial, .progress(progress())))
        case 3:
            return .event(NumberedEvent(run: run, serial: serial, .output(oneOf([.stdout, .stderr]), text: text())))
        default:
            let outcomes = Sample.outcomes.map(\.outcome) + [.done(value: value(), dialog: text())]
            let account = RunAccount(
                runtime: .milliseconds(number()),
                signals: isLucky() ? ["SIGTERM"] : [],
                leftoverProcessCount: oneOf([0, 2]),
                processEnd: isLucky() ? end() : nil,
                hadLateResult: isLucky(),
                isolation: isLucky() ? oneOf(IsolationGrade.allCases) : nil,
                details: isLucky() ? RunDetails(code: text()) : nil
            )
            let end = RunEnd(run: run, outcome: oneOf(outcomes), account: account, fileCount: oneOf([0, 2]))
            return .event(NumberedEvent(run: run, serial: serial, .finished(end)))
        }
    }

    /// Returns a record that a client waits for, with values that decode unchanged.
    mutating func record() -> RunRecord {
        var fact: RunRecord.Fact
        switch Int.random(in: 0...6, using: &numbers) {
        case 6: fact = .stored(name: text(), value: isLucky() ? text() : nil)
        case 0: fact = .accepted(accepted())
        case 1: fact = .state(oneOf([.queued, .stopping]), reason: isLucky() ? reason() : nil, slot: slot())
        case 2: fact = .state(.asking, reason: nil, slot: nil)
        case 3: fact = .cancelRequested(caller())
        case 4:
            var answer = RecordedAnswer(question: 3)
            answer.value = isLucky() ? .string(text()) : nil
            fact = .answered(answer)
        default:
            var end = RecordedEnd(
                outcome: oneOf(Sample.outcomes.map(\.outcome)),
                account: RunAccount(
                    runtime: .milliseconds(number()),
                    details: isLucky() ? RunDetails(code: text()) : nil
                )
            )
            end.advanceAge = isLucky() ? .milliseconds(number()) : nil
            end.progressAge = isLucky() ? .milliseconds(number()) : nil
            end.clock = isLucky() ? .ceiling : nil
            end.lastSerial = numbers.next()
            if isLucky() {
                end.progress = ProgressReport(
                    completedUnitCount: number(),
                    totalUnitCount: number(),
                    fraction: 0.25,
                    title: text()
                )
            }
            fact = .ended(end)
        }
        return RunRecord(run(), fact)
    }

    private mutating func caller() -> CallerProcess {
        var caller = CallerProcess(user: oneOf([0, .max]), process: oneOf([0, 7]), software: text())
        caller.account = isLucky() ? text() : nil
        caller.agent = isLucky() ? oneOf([0, .max]) : nil
        return caller
    }

    private mutating func accepted() -> AcceptedRun {
        var limits = RunLimits()
        limits.grace = .milliseconds(Int64.random(in: 0...100_000, using: &numbers))
        limits.isCeilingRequested = [nil, false, true].randomElement(using: &numbers) ?? nil
        var accepted = AcceptedRun(
            caller: caller(),
            entryPoint: oneOf(EntryPoint.allCases),
            request: RequestID(randomBits: numbers.next(), numbers.next()),
            key: isLucky() ? text() : nil,
            retryOf: isLucky() ? run() : nil,
            traceparent: isLucky() ? text() : nil,
            app: Sample.app,
            intent: text(),
            traits: oneOf([[], [.longRunning], [.progressReporting, .cancellable]]),
            values: isLucky()
                ? ["a" + text(): .string(text()), "b" + text(): .array([.int(number()), .bool(true)])] : [:],
            secretNames: isLucky() ? [text()] : [],
            fileCount: oneOf([0, 256]),
            query: isLucky() ? text() : nil,
            locale: isLucky() ? text() : nil,
            onDisconnect: oneOf([.cancel, .continue]),
            limits: limits
        )
        accepted.needsApproval = isLucky() ? true : nil
        return accepted
    }

    mutating func request() -> NumberedRequest {
        NumberedRequest(
            id: oneOf([1, .max]),
            .perform(
                PerformRequest(
                    request: RequestID(randomBits: numbers.next(), numbers.next()),
                    app: text(),
                    intent: text(),
                    values: values(),
                    fileCount: oneOf([0, 1, 16, 17]),
                    limit: isLucky() ? .milliseconds(number()) : nil,
                    ceiling: isLucky() ? .milliseconds(number()) : nil,
                    onDisconnect: oneOf([.cancel, .continue]),
                    locale: isLucky() ? oneOf(["de_AT.UTF-8", ""]) : nil,
                    key: isLucky() ? text() : nil,
                    retryOf: isLucky() ? run() : nil,
                    entryPoint: isLucky() ? oneOf([.commandLine, .mcp]) : nil,
                    traceparent: isLucky() ? "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" : nil
                )
            )
        )
    }

    /// Returns the payload and damaged copies: cut off, with a changed byte, and with a repeated piece.
    mutating func damaged(_ payload: [UInt8]) -> [[UInt8]] {
        var payloads = [payload, payload + [UInt8(ascii: " ")], payload + payload]
        for _ in 0..<6 {
            var other = payload
            let place = Int.random(in: 0..<other.count, using: &numbers)
            let count = Int.random(in: 0...min(8, other.count - place), using: &numbers)
            switch Int.random(in: 0...3, using: &numbers) {
            case 0: other.removeSubrange(place..<place + count)
            case 1: other.insert(contentsOf: other[place..<place + count], at: place)
            case 2: other[place] = UInt8.random(in: 0...255, using: &numbers)
            default: other[place] = oneOf(Array(#"0123456789.eE-+"\,:[]{}tfn u"#.utf8))
            }
            payloads.append(other)
        }
        return payloads
    }
}
