import AppIntents
import AppIntentsTesting
import Foundation
import SiriEvaluations
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

    @Test func `an agent has called the right intent with the right values`() async throws {
        let pays = invoices.intents["RecordPayment"]
        let scenario = SiriScenario {
            UserTurn("Ana has paid 40.50 of invoice 7") {
                Calls { pays.expect(invoice: .equals("7"), amount: .notNil) }
                Calls(.disallowed) { invoices.intents["DeleteInvoices"] }
            }
        }
        let line = #"{"name":"Invoices_RecordPayment","arguments":{"invoice":"7","amount":"40.50"}}"#
        let turn = try await invoices.recordedTurn(in: line)
        #expect(scenario.mismatches(with: SiriTranscript(turns: [turn])) == [])
    }

    @Test func `each call that a scenario does not expect is named with its reason`() async throws {
        let pays = invoices.intents["RecordPayment"]
        let removes = invoices.intents["DeleteInvoices"]
        let lines = """
            {"jsonrpc":"2.0","id":1,"method":"tools/list"}
            {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"intent_runs","arguments":{}}}
            {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"Invoices_DeleteInvoices","arguments":{}}}
            {"run":"abc","app":"Invoices","intent":"RecordPayment","parameters":{"invoice":"8"}}
            """
        let turn = try await invoices.recordedTurn(in: lines)
        #expect(turn.calls.map(\.identifier) == ["DeleteInvoices", "RecordPayment"])
        #expect(try await invoices.recordedCalls(in: lines).count == 2)
        let transcript = SiriTranscript(turns: [turn])
        func reasons(@SiriTurnExpectationBuilder _ calls: () -> SiriTurnExpectationBuilder.Component) -> [String] {
            SiriScenario { UserTurn("Pay", calls) }.mismatches(with: transcript)
        }
        #expect(
            reasons {
                Calls(.unordered) {
                    pays; removes
                }
            } == []
        )
        #expect(
            reasons {
                Calls {
                    removes; pays
                }
            } == []
        )
        #expect(
            reasons {
                Calls {
                    pays; removes
                }
            }.count == 1
        )
        #expect(reasons { Calls(.disallowed) { removes } }.first?.contains("'DeleteInvoices'") == true)
        let wrong = reasons { Calls { pays.expect(invoice: .equals("7"), amount: .isNil) } }
        #expect(wrong.first?.contains("'invoice' of 'RecordPayment'") == true && wrong.first?.contains("8") == true)
        #expect(
            reasons {
                Calls(.unordered) {
                    pays; pays
                }
            }.count == 1
        )
        let whole = SiriScenario {
            UserTurn("Pay")
        } expectation: {
            Calls(.disallowed) { removes }
        }
        #expect(whole.mismatches(with: transcript).count == 1)
        #expect(whole.mismatches(with: SiriTranscript(turns: [])).first?.contains("nothing was recorded") == true)
        let broken = await #expect(throws: IntentTestError.self) { try await invoices.recordedCalls(in: "{") }
        #expect(broken?.description.contains("expected JSON") == true)
    }

    @Test func `the entities, skills and reply of a recorded turn are compared with a scenario`() async throws {
        let ported = IntentDefinitions(executable: Programs.url("Ported").path)
        let skill = try #require(try await ported.skillNames.first)
        let intent = try #require(try await ported.intentNames.first)
        let lines = """
            {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"Ported_skill_\(skill)"}}
            {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"intent_call","arguments":{"tool":"Ported_\(intent)","arguments":{"word":"Momo"}}}}
            {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"Other_Find","arguments":{}}}
            {"jsonrpc":"2.0","id":3,"result":{"structuredContent":{"value":{"id":"9","title":"Of another app"}}}}
            {"jsonrpc":"2.0","id":2,"result":{"structuredContent":{"state":"done","value":[{"id":"7","title":"Momo","properties":{"author":"Ende"}}]}}}
            {"role":"assistant","content":[{"type":"text","text":"I found Momo by Ende."}]}
            """
        let transcript = SiriTranscript(turns: [try await ported.recordedTurn(in: lines)])
        let book = ported.entities["BookEntity"]
        let scenario = SiriScenario {
            UserTurn("Find Momo") {
                Loads(.required) { ported.skills[skill] }
                Calls { ported.intents[intent].expect(word: .equals("Momo")) }
                Finds {
                    book.expectIdentifier("7").expect(author: .equals("Ende"))
                }
                SiriResponse(.contains("momo", caseSensitive: false), .contains("Ende"))
            }
        }
        #expect(scenario.mismatches(with: transcript) == [])
        let wrong = SiriScenario {
            for name in ["Find Momo"] {
                UserTurn(name) {
                    Loads(.required) { ported.skills["none"] }
                    Loads(.preferred) { ported.skills["none"] }
                    Finds {
                        book.expectIdentifier("9")
                        book.expect(author: .equals("Kästner"))
                    }
                    SiriResponse(.contains("momo"))
                }
            }
        } expectation: {
            Finds { book.expectIdentifier("8") }
        }
        let reasons = wrong.mismatches(with: transcript)
        #expect(reasons.count == 5, "\(reasons)")
        #expect(reasons.first == "turn 1 (Find Momo): the skill 'none' was not read")
        #expect(reasons.contains { $0.contains("expectation 1 of Finds, recorded: 7") }, "\(reasons)")
        #expect(reasons.contains { $0.hasSuffix("does not contain 'momo': I found Momo by Ende.") }, "\(reasons)")
    }

    @Test func `a result meets an expectation about its value`() async throws {
        var imports = invoices.intents["ImportInvoices"].makeIntent()
        imports.file = csv
        let result = try await imports.run()
        let definition = invoices.intents["ImportInvoices"]
        #expect(definition.result(.equals(2)).isSatisfied(by: imports, result: result))
        #expect(!definition.result(.equals(3)).isSatisfied(by: imports, result: result))
        #expect(!definition.result(.equals(2)).isSatisfied(by: imports))
        #expect(definition.isSatisfied(by: imports) && !invoices.intents["ExportInvoices"].isSatisfied(by: imports))
        #expect(try await invoices.skillNames == [])
        #expect(invoices.skills["plan"].skillName == "plan")
    }

    @Test func `a run at its limit and a crash are reported with the app's functions, files and lines`() async throws {
        let folder = try TemporaryFolder()
        try Programs.install(Programs.url("Probe"), as: folder.appending("Probe"))
        try Data("[Limits]\nRuntime=1s\nGrace=100ms\nKillDelay=100ms\n".utf8).write(to: folder.appending("Probe.conf"))
        let probe = IntentDefinitions(executable: folder.appending("Probe").path)
        let stuck = try await probe.intents["Spin"].makeIntent(isBlocking: true).result().description
        #expect(stuck.hasPrefix("cancelled (timeout)"), "\(stuck)")
        #expect(stuck.contains("\n  at ") && stuck.contains("Probe.Spin.perform()"), "\(stuck)")
        #expect(stuck.contains("CancellationIntents.swift:"), "\(stuck)")
        let crash = await #expect(throws: IntentTestError.self) {
            try await probe.intents["CrashInFunction"].makeIntent(kind: "message").run()
        }
        let text = crash?.description ?? ""
        #expect(text.contains("Fatal error: the order has no address"), "\(text)")
        #expect(text.contains("crashNow") && text.contains("CrashIntents.swift:"), "\(text)")
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
