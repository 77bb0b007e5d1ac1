internal import IntentWire

/// What isolates a worker, as found by trying.
public struct WorkerIsolation: Hashable, Sendable {
    /// How much of all isolation holds.
    public enum Grade: String, CaseIterable, Hashable, Sendable {
        /// The app's code runs as any other program of its user.
        case none
        /// Some protections hold, and others the host does not give.
        case reduced
        /// Every protection holds.
        case full
    }

    public var grade: Grade
    /// The protections that hold, each in a few words.
    public var parts: [String]
    /// The protections that the host does not give, each with the reason.
    public var missing: [String]

    /// Makes a description.
    public init(grade: Grade, parts: [String], missing: [String] = []) {
        self.grade = grade
        self.parts = parts
        self.missing = missing
    }
}

extension WorkerIsolation {
    init(_ isolation: Isolation) {
        self.init(grade: Grade(isolation.grade), parts: isolation.parts, missing: isolation.missing)
    }
}

extension WorkerIsolation.Grade {
    init(_ grade: IsolationGrade) {
        self =
            switch grade {
            case .none: .none
            case .reduced: .reduced
            case .full: .full
            }
    }
}
