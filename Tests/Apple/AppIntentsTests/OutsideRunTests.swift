import AppIntents
import Testing

private struct Work: LongRunningIntent, CancellableIntent {
    static let title: LocalizedStringResource = "t"
    @Parameter(title: "Count", default: 2) var count: Int
    @Parameter var name: String?

    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        progress.totalUnitCount = 10
        progress.localizedDescription = "working"
        let text = try await performBackgroundTask { "text" }
        return try await performBackgroundTask {
            count += text.count
            return .result(value: count)
        } onCancel: { _ in
        }
    }
}

/// Tests intents as plain values, without `intentd`.
@Suite struct OutsideRunTests {
    @Test func `progress and background tasks work outside a run`() async throws {
        #expect(try await Work().perform().value == 6)
    }

    @Test func `a donation outside a run throws the reason, and does not fail the call that would make it`()
        async throws
    {
        let error = await #expect(throws: (any Error).self) {
            let identifier: IntentDonationIdentifier = try await Work().donate()
            _ = identifier
        }
        #expect(error?.localizedDescription.contains("cannot donate 'Work' outside a run") == true)
        #expect(try await Work()() == 6)
    }

    @Test func `parameters have their defaults, and each intent has its own parameters`() {
        let one = Work()
        let other = Work()
        one.count = 5
        #expect(one.count == 5 && other.count == 2)
        #expect(one.name == nil && one.$count.wrappedValue == 5)
    }

    @Test func `reading a required parameter that is not set crashes the process`() async {
        struct Needy: AppIntent {
            static let title: LocalizedStringResource = "t"
            @Parameter(title: "Number") var number: Int
            func perform() async throws -> some IntentResult & ReturnsValue<Int> { .result(value: number) }
        }
        await #expect(processExitsWith: .failure) {
            _ = try await Needy().perform()
        }
    }

    @Test func `the id that a query receives equals the id of the entity on this host`() throws {
        typealias ID = SyncableEntityIdentifier<Int, String>
        let own = ID(local: 7, stable: "everywhere")
        let received = try #require(ID.entityIdentifier(for: own.entityIdentifierString))
        #expect(received == own && received.hashValue == own.hashValue && received.stable == nil)
        #expect(ID.entityIdentifier(for: "seven") == nil)
    }

    @Test func `reasons are compared by name only`() {
        let reason = IntentCancellationReason.timeout
        switch reason {
        case .timeout: break
        default: Issue.record("\(reason) is not a timeout")
        }
        #expect(Set([reason, .timeout, .serviceStopping]).count == 2)
        #expect(reason.graceRemaining == nil)
    }

    @Test func `file types are found by extension, media type and identifier`() {
        #expect(IntentFile(data: Data(), filename: "a.JPG").type == .jpeg)
        #expect(UTType(mimeType: "text/plain; charset=utf-8") == .plainText)
        #expect(UTType("com.example.own")?.preferredMIMEType == nil)
        #expect(UTType.png.conforms(to: .image) && !UTType.png.conforms(to: .text))
        #expect(UTType(filenameExtension: "MOV") == .quickTimeMovie && UTType.heic.conforms(to: .image))
        #expect(UTType.folder.conforms(to: .directory) && !UTType.folder.conforms(to: .data))
        #expect(UTType(importedAs: "com.adobe.pdf") == .pdf && UTType(exportedAs: "a.b").identifier == "a.b")
    }

    @Test func `a file in memory can be read by descriptor`() throws {
        let file = IntentFile(data: Data("hello".utf8), filename: "a.txt")
        let bytes = try file.withFileDescriptor { descriptor in
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readToEnd()
        }
        #expect(bytes == Data("hello".utf8) && file.fileURL == nil)
    }
}
