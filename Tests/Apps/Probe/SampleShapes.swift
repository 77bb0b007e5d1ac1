import AppIntents

// Intents in the shape of Apple's published samples: results inside closures, `updateProgress`, roll-back in a task.

struct SampleUpload: CancellableIntent {
    static var title: LocalizedStringResource = "Upload"
    static var openAppWhenRun: Bool = false

    @Parameter(title: "Name", requestValueDialog: "Which file?") var name: String

    func perform() async throws -> some IntentResult & ReturnsValue<String> & ProvidesDialog {
        try await withIntentCancellationHandler {
            for part in 1...3 {
                try Task.checkCancellation()
                updateProgress(fractionCompleted: Double(part) / 3, message: "Uploading part \(part)")
            }
            return .result(value: name, dialog: "Uploaded \(name)")
        } onCancel: { reason in
            Task { await rollBack(reason) }
        }
    }

    private func rollBack(_ reason: IntentCancellationReason) async {
        if reason == .timeout { print("took too long") }
    }
}

struct SampleRender: AppIntent {
    static var title = LocalizedStringResource("Render", table: "Rendering", comment: "A verb")
    static var description = IntentDescription("Renders a file.", resultValueName: "Picture")

    @Parameter(title: "Name", inputOptions: String.IntentInputOptions(multiline: true)) var name: String

    func perform() async throws -> some IntentResult & ProvidesDialog {
        progress.totalUnitCount = 2
        progress.localizedDescription = "Rendering"
        return try await performBackgroundTask(options: .requiresGPU) {
            progress.completedUnitCount = 1
            let half = try await performBackgroundTask { progress.fractionCompleted }
            progress.completedUnitCount = half == 0.5 ? 2 : 0
            return .result(dialog: "Rendered \(name)")
        } onCancel: { reason in
            switch reason {
            case .timeout, .userCancelled: print("stopped")
            default: print("stopped for another reason")
            }
        }
    }
}

extension SampleRender: LongRunningIntent, CancellableIntent {}
