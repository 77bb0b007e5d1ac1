import AppIntents

struct CompressIntent: LongRunningIntent, CancellableIntent {
    static let title: LocalizedStringResource = "Compress a file"
    static let description = IntentDescription("Compresses a file with gzip.")
    static let effect: IntentEffect = .reads

    @Parameter(title: "File") var file: IntentFile
    @Parameter(title: "Level", description: "1 is fastest, 9 is smallest.", default: 6, inclusiveRange: (1, 9))
    var level: Int

    func perform() async throws -> some IntentResult & ReturnsValue<IntentFile> & ProvidesDialog {
        let output = OutputFile(name: "\(file.filename).gz")
        progress.localizedDescription = "Compressing \(file.filename)"

        let sizes = try await performBackgroundTask {
            try file.withFileDescriptor { input in
                try FilePump(progress: progress).run(from: input, to: output, through: Compressor(level: level))
            }
        } onCancel: { reason in
            output.discard(because: reason)
        }
        return .result(value: output.file, dialog: "\(sizes.read.asFileSize) → \(sizes.written.asFileSize)")
    }
}
