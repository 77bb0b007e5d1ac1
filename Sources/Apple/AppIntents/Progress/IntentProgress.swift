public import Foundation
import IntentSharedTypes
import Synchronization

/// The progress of a run: a Foundation `Progress` with descriptions that can be set. Any thread may change it.
///
/// Child progress has the same effect as on Apple's systems. If the total amount of work is unknown, set
/// ``totalUnitCount`` to 0 or less.
///
/// Source: Apple's Progress page. This class exists because `Progress.localizedDescription` and
/// `Progress.localizedAdditionalDescription` cannot be set on Linux.
// SAFETY: the `fields` lock protects this class's fields, and the `counts` lock protects the inherited counts — ensured
// by this class. Only child progress changes the counts without the lock, one word at a time. The next report corrects
// an inconsistent reading.
public final class IntentProgress: Progress, @unchecked Sendable {
    private struct Fields {
        var title: String?
        var detail: String?
        var children: [Progress] = []
        var changed: (@Sendable () -> Void)?
    }

    private let fields = Mutex(Fields())
    private let counts = NSRecursiveLock()

    /// A new progress object for code that is executed outside a run. Its changes are never reported.
    static var outsideRuns: IntentProgress { IntentProgress() }

    init() {
        super.init(parent: nil, userInfo: nil)
    }

    /// The total amount of work, in units that the app chooses; 0 or less if it is unknown.
    public override var totalUnitCount: Int64 {
        get { counts.withLock { super.totalUnitCount } }
        set {
            counts.withLock { super.totalUnitCount = newValue }
            announce()
        }
    }

    /// The amount of work completed, in the same units as ``totalUnitCount``.
    public override var completedUnitCount: Int64 {
        get { counts.withLock { super.completedUnitCount } }
        set {
            counts.withLock { super.completedUnitCount = newValue }
            announce()
        }
    }

    /// The title of the progress.
    public override var localizedDescription: String! {
        get { fields.withLock { $0.title ?? "" } }
        set {
            fields.withLock { $0.title = newValue }
            announce()
        }
    }

    /// The description of the current step, which is the second line of the progress.
    public override var localizedAdditionalDescription: String! {
        get { fields.withLock { $0.detail ?? "" } }
        set {
            fields.withLock { $0.detail = newValue }
            announce()
        }
    }

    public override func addChild(_ child: Progress, withPendingUnitCount inUnitCount: Int64) {
        counts.withLock { super.addChild(child, withPendingUnitCount: inUnitCount) }
        fields.withLock { $0.children.append(child) }
        announce()
    }

    /// Sets a closure that is called after every change, on the thread that made the change. Changes to child progress
    /// do not call the closure.
    func observe(_ changed: @escaping @Sendable () -> Void) {
        fields.withLock { $0.changed = changed }
    }

    /// True if child progress may still change. Such changes do not call the closure passed to ``observe(_:)``.
    var hasUnfinishedChildren: Bool {
        fields.withLock { fields in
            fields.children.removeAll { $0.isFinished }
            return !fields.children.isEmpty
        }
    }

    func setFraction(_ fraction: Double) {
        let total: Int64 = 10_000
        let completed = fraction.isFinite ? Int64(min(1, max(0, fraction)) * Double(total)) : 0
        counts.withLock {
            super.totalUnitCount = total
            super.completedUnitCount = completed
        }
        announce()
    }

    /// The current progress, as a report.
    var report: ProgressReport {
        let (completed, total, fraction) = counts.withLock {
            (super.completedUnitCount, super.totalUnitCount, super.totalUnitCount > 0 ? super.fractionCompleted : 0)
        }
        let (title, detail) = fields.withLock { ($0.title, $0.detail) }
        return ProgressReport(
            completedUnitCount: completed,
            totalUnitCount: total,
            fraction: fraction.isFinite ? min(1, max(0, fraction)) : 0,
            title: title?.bounded(to: 1 << 10),
            detail: detail?.bounded(to: 1 << 10)
        )
    }

    private func announce() {
        // Call the closure without holding the lock: it may read the report, which takes the lock as well.
        fields.withLock { $0.changed }?()
    }
}
