/// An intent that tells how far it is, and so gets more time: each advance of ``progress`` moves its deadline.
///
/// Source: Apple's ProgressReportingIntent page.
@_alwaysEmitConformanceMetadata
public protocol ProgressReportingIntent: AppIntent {}

extension ProgressReportingIntent {
    /// How far the run is.
    ///
    /// Outside a run, where Apple's own crashes, it is an object that nobody looks at.
    public var progress: IntentProgress { RunSession.now?.progress ?? .outsideRuns }
}

extension AppIntent {
    /// Says how far the run is, from 0 to 1, and what it does now.
    ///
    /// Source: the sample on Apple's CancellableIntent page, which calls it; it is documented nowhere.
    public func updateProgress(fractionCompleted: Double, message: String? = nil) {
        let progress = RunSession.now?.progress ?? .outsideRuns
        progress.setFraction(fractionCompleted)
        if let message { progress.localizedAdditionalDescription = message }
    }
}
