import AppIntents
import AppIntentsTesting
import Foundation
import TestSupport
import Testing

/// Tests intents of an example in workers of a private daemon, as a test of an app does.
@Suite(.ownThread) struct IntentDefinitionsTests {
    private let invoices = IntentDefinitions(executable: Programs.url("Invoices").path)

    private var csv: IntentFile {
        IntentFile(data: Data("7,Ada,100\n8,Bob,50\n".utf8), filename: "new.csv", type: .commaSeparatedText)
    }

    @Test func `intents run in a sandbox, with files, questions and state between them`() async throws {
        var imports = invoices.intents["ImportInvoices"].makeIntent()
        imports.file = csv
        let imported = try await imports.run()
        #expect(imported.value == 2)

        let invoice = invoices.entities["Invoice"].makeReference(identifier: "7")
        let payment = invoices.intents["RecordPayment"].makeIntent(invoice: invoice)
        let remaining: Decimal = try await payment.run(answers: ["amount": "40.50"]).value()
        #expect(remaining == Decimal(string: "59.5"))

        let exported = try await invoices.intents["ExportInvoices"].makeIntent().run()
        #expect(try exported.value(as: IntentFile.self).data == csv.data)
    }

    @Test func `the error of a failed run contains the reason`() async throws {
        let intent = invoices.intents["RecordPayment"].makeIntent(invoice: "no such", amount: Decimal(1))
        let error = await #expect(throws: IntentTestError.self) { try await intent.run() }
        #expect(
            error?.description.hasPrefix("'RecordPayment' did not succeed: failed: ") == true,
            "\(error?.description ?? "")"
        )
        let unknown = await #expect(throws: IntentTestError.self) {
            try await invoices.intents["Nothing"].makeIntent().run()
        }
        #expect(unknown?.description.contains("Nothing") == true)
    }

    @Test func `a cancelled task cancels its run, and waits for the end of its processes`() async throws {
        let rows = (1...2000).map { "\($0),Ada,1\n" }.joined()
        var intent = invoices.intents["ImportInvoices"].makeIntent()
        intent.file = IntentFile(data: Data(rows.utf8), filename: "many.csv", type: .commaSeparatedText)
        let (reports, report) = AsyncStream.makeStream(of: Int64.self)
        let importing = intent
        async let ended = Task {
            try await importing.result(progress: { report.yield($0.completedUnitCount) })
        }
        let task = await ended
        for await count in reports where count >= 2 { break }
        task.cancel()
        let result = try await task.value
        #expect(result.end == .cancelled(.userCancelled))
        #expect(try await exportedRows() == "")
    }

    private func exportedRows() async throws -> String {
        let exported = try await invoices.intents["ExportInvoices"].makeIntent().run()
        return String(decoding: try exported.value(as: IntentFile.self).data, as: UTF8.self)
    }

    @Test func `no process and no file is left once the definitions are released`() async throws {
        var definitions: IntentDefinitions? = IntentDefinitions(executable: Programs.url("Invoices").path)
        var intent = try #require(definitions?.intents["ImportInvoices"].makeIntent())
        intent.file = csv
        try await intent.run()
        let daemon = try #require(definitions?.daemon)
        let family = Array(ProcessFamily.below(daemon.process).keys) + [daemon.process]
        #expect(family.count > 2)
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: daemon.folder).contains {
                $0.hasSuffix("invoices.json")
            }
        )
        // The intent refers to the daemon as well.
        (definitions, intent) = (nil, invoices.intents["ImportInvoices"].makeIntent())
        try eventually("every process has exited, and the folder was removed") {
            !FileManager.default.fileExists(atPath: daemon.folder)
                && !family.contains { FileManager.default.fileExists(atPath: "/proc/\($0)") }
        }
    }

    @Test func `a missing executable is named in the error`() async throws {
        let error = await #expect(throws: IntentTestError.self) {
            try await IntentDefinitions(executable: "/nonexistent/App").intents["A"].makeIntent().run()
        }
        #expect(error?.description.contains("no executable at '/nonexistent/App'") == true)
    }
}
