import AppIntents
import CArchiveZlib

struct ChecksumIntent: ProgressReportingIntent {
    static let title: LocalizedStringResource = "Compute a checksum"
    static let description = IntentDescription("Computes the CRC-32 of a file, in hexadecimal digits.")
    static let effect: IntentEffect = .reads

    @Parameter(title: "File") var file: IntentFile

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        var checksum = crc32(0, nil, 0)
        try file.withFileDescriptor { input in
            try FilePump(progress: progress).read(input) { bytes in
                checksum = crc32(checksum, bytes.baseAddress, UInt32(bytes.count))
            }
        }
        return .result(value: String(format: "%08lx", checksum))
    }
}
