import IntentLauncherMessages

extension ClientMessage {
    /// The message as one frame, or an error instead if the message is too large for a frame.
    var frame: ArraySlice<UInt8> {
        do {
            return try Frame.encode(WireCoding.encode(self), limit: Frame.clientPayloadLimit)[...]
        } catch {
            // In practice, only an answer is this large, such as the catalogues of many apps.
            return refusal(error).frame
        }
    }

    private func refusal(_ error: FrameError) -> ClientMessage {
        let report = ErrorReport(.tooLarge, "the answer cannot be sent: \(error)", hint: "request one app at a time")
        switch self {
        case .answer(let id, _): return .answer(id: id, .refused(report))
        case .event(let event):
            let end = RunEnd(run: event.run, outcome: .failed(message: report.message), account: RunAccount())
            return .event(NumberedEvent(run: event.run, serial: event.serial, .finished(end)))
        }
    }
}

extension ClientAnswer {
    /// True for answers that grow with the number of apps, runs or records. Another thread encodes these answers.
    var isLarge: Bool {
        switch self {
        case .apps, .app, .runs, .history, .story, .logs, .metrics, .shortcuts: true
        case .hello, .accepted, .ended, .watching, .asking, .answerAccepted, .revoked, .ticket, .filesReceived, .files,
            .filesDiscarded, .status, .pruned, .imported, .reloaded, .upgrading, .startFailureNoted,
            .shortcutAdded, .shortcutRemoved, .refused:
            false
        }
    }
}
