import AppIntents

struct SendPaymentIntent: CancellableIntent, ProgressReportingIntent {
    static let title: LocalizedStringResource = "Send a payment"
    static let description = IntentDescription("Sends an amount to a recipient, in steps that can be undone.")

    @Parameter(title: "Amount") var amount: Decimal
    @Parameter(title: "Recipient", requestValueDialog: "Who gets the money?") var recipient: String
    @Parameter(title: "Steps", description: "Each step takes about 100 ms.", default: 3, inclusiveRange: (1, 1000))
    var stepCount: Int
    @Parameter(title: "Confirmation", description: "The time that the bank takes to confirm.", default: .zero)
    var confirmation: Duration

    static var parameterSummary: some ParameterSummary {
        Summary("Send \(\.$amount) to \(\.$recipient)")
    }

    func perform() async throws -> some IntentResult & ReturnsValue<Decimal> & ProvidesDialog {
        guard amount > 0 else { throw PaymentError.notPositive(amount) }
        let ledger = Ledger()
        progress.totalUnitCount = Int64(stepCount)
        progress.localizedDescription = "Sending \(amount) to \(recipient)"

        return try await withIntentCancellationHandler {
            for step in 1...stepCount {
                try await Task.sleep(for: .milliseconds(100))
                try await ledger.book("step \(step) of \(stepCount)")
                progress.completedUnitCount = Int64(step)
            }
            // Report no progress meanwhile, so that the run times out if the bank takes too long.
            try await Task.sleep(for: confirmation)
            try await ledger.close(as: .sent)
            return .result(value: amount, dialog: "Sent \(amount) to \(recipient).")
        } onCancel: { reason in
            // The worker waits for this task, even if perform() has thrown before the task runs.
            Task {
                switch reason {
                case .userCancelled: try await ledger.undo(as: .cancelled)
                default: try await ledger.undo(as: .rolledBack)
                }
            }
        }
    }
}
