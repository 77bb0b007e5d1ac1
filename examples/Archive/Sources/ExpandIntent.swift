import AppIntents

struct ExpandIntent: LongRunningIntent, CancellableIntent {
    static let title: LocalizedStringResource = "Expand a gzip file"
    static let description = IntentDescription("Restores the original file from a gzip file.")
    static let effect: IntentEffect = .reads

    @Parameter(title: "File") var file: IntentFile

    func perform() async throws -> some IntentResult & ReturnsValue<IntentFile> & ProvidesDialog {
        let name = file.filename.hasSuffix(".gz") ? String(file.filename.dropLast(3)) : "\(file.filename).out"
        let output = OutputFile(name: name)
        progress.localizedDescription = "Expanding \(file.filename)"

        let sizes = try await performBackgroundTask {
            try file.withFileDescriptor { input in
                try FilePump(progress: progress).run(from: input, to: output, through: Expander())
            }
        } onCancel: { reason in
            output.discard(because: reason)
        }
        return .result(value: output.file, dialog: "\(sizes.read.asFileSize) → \(sizes.written.asFileSize)")
    }
}
