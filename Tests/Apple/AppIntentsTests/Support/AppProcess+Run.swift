import IntentLauncherMessages
import IntentLinux
import Testing

/// A worker's reports, up to its result.
struct RunRecord {
    var progress: [ProgressReport] = []
    var phases: [BackgroundPhase] = []
    var result: WorkerResult
    var files: [SharedFileDescriptor]

    var value: IntentValue? {
        if case .returned(let value, _) = result.ending { value } else { nil }
    }

    var text: String? {
        if case .string(let text) = value { text } else { nil }
    }

    var message: String? {
        if case .threw(let message) = result.ending { message } else { nil }
    }
}

extension AppProcess {
    /// A worker that has received `perform` and has reported the start.
    static func performing(
        _ intent: String,
        of app: String = "Probe",
        _ values: [String: IntentValue] = [:],
        files: [SharedFileDescriptor] = [],
        variables: [String: String] = [:],
        locale: String? = nil,
        query: OptionsQuery? = nil,
        authentication: String? = nil,
        isUncertain: Bool? = nil
    ) throws -> AppProcess {
        let worker = try AppProcess(app, mode: "once", variables: variables)
        guard case .hello(let hello)? = try worker.next()?.report else { throw Failure(description: "no hello") }
        #expect(hello.protocolVersion == Hello.currentVersion)
        let command = PerformCommand(
            run: RunID(randomBits: 1),
            intent: intent,
            values: RunValues(values),
            fileCount: files.count,
            locale: locale,
            query: query,
            authentication: authentication,
            isUncertain: isUncertain
        )
        try worker.send(.perform(command), files: files)
        let first = try worker.next()?.report
        guard first == .started else { throw Failure(description: "not started: \(worker.output)") }
        return worker
    }

    /// Reads the reports up to the result. The worker then still waits for the acknowledgement.
    func result() throws -> RunRecord {
        var progress: [ProgressReport] = []
        var phases: [BackgroundPhase] = []
        while let (report, files) = try next() {
            switch report {
            case .progress(let report): progress.append(report)
            case .background(let phase): phases.append(phase)
            case .finished(let result):
                return RunRecord(progress: progress, phases: phases, result: result, files: files)
            // Leave the question unanswered.
            case .question(let question): try send(.refuse(question: question.number))
            // Sent before the app reacts to a limit of time.
            case .stuck: break
            case .hello, .catalog, .started, .withdrawn, .resumed, .crashed:
                throw Failure(description: "unexpected report: \(report)")
            }
        }
        throw Failure(description: "the socket ended without a result; printed: \(output)")
    }

    /// Waits for progress, which shows that the run has begun its work.
    func waitForProgress() throws {
        while let (report, _) = try next() {
            if case .progress(let progress) = report, progress.completedUnitCount > 0 { return }
        }
        throw Failure(description: "no progress; printed: \(output)")
    }

    /// Waits until the run is inside a background task.
    func waitForBackground() throws {
        while let (report, _) = try next() { if case .background(.entered) = report { return } }
        throw Failure(description: "no background task; printed: \(output)")
    }

    /// Returns the next question, and skips other reports before it.
    func question() throws -> Question {
        while let (report, _) = try next() {
            if case .question(let question) = report { return question }
            if case .finished(let result) = report { throw Failure(description: "no question, but \(result)") }
        }
        throw Failure(description: "no question; printed: \(output)")
    }

    func acknowledge() throws -> Int32 {
        try send(.acknowledge)
        return exitCode()
    }

    /// Performs a complete run and returns its record.
    static func run(
        _ intent: String,
        of app: String = "Probe",
        _ values: [String: IntentValue] = [:],
        files: [SharedFileDescriptor] = [],
        variables: [String: String] = [:],
        locale: String? = nil,
        query: OptionsQuery? = nil,
        authentication: String? = nil,
        isUncertain: Bool? = nil
    ) throws -> RunRecord {
        let worker = try performing(
            intent,
            of: app,
            values,
            files: files,
            variables: variables,
            locale: locale,
            query: query,
            authentication: authentication,
            isUncertain: isUncertain
        )
        let record = try worker.result()
        #expect(try worker.acknowledge() == 0)
        return record
    }
}

extension IntentValue {
    static func file(at index: Int, named name: String) -> IntentValue {
        .file(FileReference(index: index, name: name))
    }
}
