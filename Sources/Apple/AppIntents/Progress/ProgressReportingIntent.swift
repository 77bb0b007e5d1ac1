/// An intent that reports progress. Each advance of ``progress`` extends the run's deadline.
///
/// Source: Apple's ProgressReportingIntent page.
@_alwaysEmitConformanceMetadata
public protocol ProgressReportingIntent: AppIntent {}

extension ProgressReportingIntent {
    /// The progress of the run.
    ///
    /// Outside a run, each access returns a new object that is never reported. Apple's implementation crashes there.
    public var progress: IntentProgress { RunSession.now?.progress ?? .outsideRuns }
}

extension AppIntent {
    /// Sets the completed fraction, from 0 to 1, and the description of the current step.
    ///
    /// Source: the sample on Apple's CancellableIntent page. Apple does not document this method.
    public func updateProgress(fractionCompleted: Double, message: String? = nil) {
        let progress = RunSession.now?.progress ?? .outsideRuns
        progress.setFraction(fractionCompleted)
        if let message { progress.localizedAdditionalDescription = message }
    }
}
