package import IntentSharedTypes

/// A report from a worker to `intentd`. A worker executes an app's code, so `intentd` checks every report.
package enum WorkerReport: Hashable, Sendable {
    /// The first report, with the version of the app's library.
    indirect case hello(Hello)
    /// The app's catalogue, reported in mode `describe`. A catalogue that is larger than a record arrives in parts: further
    /// reports have further intents. Then the worker exits.
    indirect case catalog(IntentCatalog)
    /// The worker is about to call `perform()`.
    case started
    case progress(ProgressReport)
    /// `performBackgroundTask` begins or ends. The long ceiling applies between the two reports.
    case background(BackgroundPhase)
    /// The run needs an answer to continue.
    indirect case question(Question)
    /// The question with this number no longer needs an answer, because the app cancelled the code that asked it.
    case withdrawn(question: UInt64)
    /// The last report: `perform()` has ended, and all its cancellation handlers have returned.
    indirect case finished(WorkerResult)
    /// The state of the run, in response to `resume`. The worker then repeats the newest progress, the open question
    /// and the result.
    indirect case resumed(WorkerState)
    /// The worker received a fatal signal. Its signal handler sends this report.
    indirect case crashed(CrashReport)
    /// Where the worker's threads are, in response to a cancellation because of a limit of time.
    indirect case stuck(StackReport)
}

/// The state of a run, as reported by its worker.
package struct WorkerState: Hashable, Sendable, Codable {
    /// The number of the `resume` command that this report answers.
    package var number: UInt64
    /// True if the worker has received `perform`.
    package var hasBegun: Bool
    /// True while `performBackgroundTask` executes.
    package var isInBackground: Bool

    package init(number: UInt64, hasBegun: Bool, isInBackground: Bool = false) {
        self.number = number
        self.hasBegun = hasBegun
        self.isInBackground = isInBackground
    }
}

/// The beginning or end of `performBackgroundTask`.
package enum BackgroundPhase: String, Hashable, Sendable, Codable {
    case entered
    case left
}

/// The result of `perform()`, with the locations of the files in the value.
package struct WorkerResult: Hashable, Sendable {
    package var ending: WorkerEnding
    /// The locations of the files, in the order of their indices in the value. Files in `memory` are attached to this
    /// frame, in the same order.
    package var files: [ResultFile]
    private var storedDetails: StoredDetails

    /// Details are large and rare. They are stored apart, because every run copies its result several times.
    private indirect enum StoredDetails: Hashable, Sendable {
        case none
        case details(RunDetails)
    }

    package init(ending: WorkerEnding, files: [ResultFile] = [], details: RunDetails? = nil) {
        self.ending = ending
        self.files = files
        storedDetails = details.map { .details($0) } ?? .none
    }

    /// Further details of the run; nil when the worker reports no details.
    package var details: RunDetails? {
        get { if case .details(let details) = storedDetails { details } else { nil } }
        set { storedDetails = newValue.map { .details($0) } ?? .none }
    }

    /// True if the worker reports details. Does not copy them.
    package var hasDetails: Bool { if case .details = storedDetails { true } else { false } }
}

extension WorkerResult: Codable {
    private enum Key: String, CodingKey { case ending, files, details }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            ending: try container.decode(WorkerEnding.self, forKey: .ending),
            files: try container.decode([ResultFile].self, forKey: .files),
            details: try container.decodeIfPresent(RunDetails.self, forKey: .details)
        )
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(ending, forKey: .ending)
        try container.encode(files, forKey: .files)
        if case .details(let details) = storedDetails { try container.encode(details, forKey: .details) }
    }
}

/// How `perform()` ended: it returned, or threw an error.
package enum WorkerEnding: Hashable, Sendable {
    case returned(value: IntentValue?, dialog: String?)
    case threw(message: String)
    /// `perform()` threw `needsValueError` with the parameter that has no value, and the question that requests the
    /// value.
    case needsValue(parameter: String?, question: String)
    /// `perform()` threw `CancellationError`.
    case threwCancellation
}

/// The location of a result file.
package enum ResultFile: Hashable, Sendable {
    /// A sealed memfd that is attached to this frame.
    case memory
    /// A regular file with this path, relative to the run folder. The launcher opens the file.
    case path(String)
}

extension ResultFile: Codable {
    private enum Key: CodingKey { case path }

    package init(from decoder: any Decoder) throws {
        let path = try decoder.container(keyedBy: Key.self).decodeIfPresent(String.self, forKey: .path)
        self = path.map { .path($0) } ?? .memory
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        if case .path(let path) = self { try container.encode(path, forKey: .path) }
    }
}

extension WorkerEnding: Codable {
    private enum CodingKeys: CaseName {
        case returned, threw, needsValue, threwCancellation

        static var member: String { "kind" }
    }

    private enum NeedsValueCodingKeys: String, CodingKey { case parameter, question = "message" }
}

extension WorkerReport {
    /// The maximum number of parts of a catalogue, each at most a record, so that the description of an app fits a
    /// client's frame.
    package static let catalogPartLimit = 5
    /// The maximum size of a catalogue, in bytes.
    package static let catalogByteLimit = catalogPartLimit * Frame.recordLimit

    /// Splits a catalogue into parts that fit a record.
    ///
    /// - Throws: ``FrameError/tooLarge(byteCount:limit:)`` for an intent or a catalogue that is too large.
    package static func parts(of catalog: IntentCatalog) throws(FrameError) -> [WorkerReport] {
        // The members around the intents, and a comma for each of them.
        let limit = Frame.recordLimit - Frame.headerByteCount - 64
        var rest = catalog
        rest.intents = []
        var parts = [rest]
        var byteCount = WireCoding.encode(rest).count
        for intent in catalog.intents {
            let count = WireCoding.encode(intent).count + 1
            if byteCount + count > limit {
                parts.append(IntentCatalog(intents: []))
                byteCount = 0
            }
            byteCount += count
            parts[parts.count - 1].intents.append(intent)
            if byteCount > limit || parts.count > catalogPartLimit {
                throw .tooLarge(byteCount: WireCoding.encode(catalog).count, limit: limit * catalogPartLimit)
            }
        }
        return parts.map { .catalog($0) }
    }

    /// Reads the report with a catalogue that a record on the disk contains.
    ///
    /// - Throws: ``WireError`` for another report, or for more than the limits of catalogues.
    package static func catalog(in bytes: [UInt8]) throws(WireError) -> IntentCatalog {
        guard bytes.count <= catalogByteLimit else {
            throw .malformed("a catalogue of \(bytes.count) bytes exceeds the limit of \(catalogByteLimit)")
        }
        let report = try WireCoding.decode(
            Self.self,
            from: bytes,
            as: .message,
            valueLimit: catalogPartLimit * Self.valueLimit
        )
        guard case .catalog(let catalog) = report else { throw .malformed("expected a catalogue") }
        return catalog
    }
}

extension WorkerReport: Codable {
    package static let valueLimit = PayloadShape.untrustedValueLimit

    private enum CodingKeys: CaseName {
        case hello, catalog, started, progress, background, question, withdrawn, finished, resumed, crashed, stuck
    }

    private enum CatalogCodingKeys: String, CodingKey { case _0 = "catalog" }
    private enum ProgressCodingKeys: String, CodingKey { case _0 = "progress" }
    private enum BackgroundCodingKeys: String, CodingKey { case _0 = "phase" }
    private enum QuestionCodingKeys: String, CodingKey { case _0 = "question" }
    private enum CrashedCodingKeys: String, CodingKey { case _0 = "crash" }
    private enum StuckCodingKeys: String, CodingKey { case _0 = "stacks" }
}
