import Foundation
import TestSupport
import Testing

/// Tests the commands of the guides, exactly as written.
@Suite(.ownThread) struct DocumentTests {
    @Test func `the commands of the guides work with a private daemon`() throws {
        let script = try Command(DocumentScript.url, ["run", DocumentScript.programs])
        #expect(script.exitCode() == 0, "\(script.output)\(script.errors)")
    }

    @Test func `the reference has the declarations of the libraries with their documentation`() throws {
        let folder = try TemporaryFolder()
        let pages = folder.appending("html")
        let script = try Command(
            DocumentScript.url.deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "units/documents"),
            ["--from", DocumentScript.programs, pages.path]
        )
        try #require(script.exitCode() == 0, "\(script.output)\(script.errors)")
        func page(_ name: String) throws -> String {
            try String(contentsOf: pages.appending(path: "\(name).html"), encoding: .utf8)
        }
        let apps = try page("AppIntents")
        for heading in ["AppIntent", "IntentParameter.requestValue(_:)", "AppDependencyManager"] {
            #expect(apps.contains(">\(heading)</h"), "\(heading)")
        }
        #expect(apps.contains("A registry of values that an app's intents share, such as"))
        #expect(try page("AppIntentsTesting").contains(">IntentTestRun.advance(by:)</h"))
        let clients = try page("IntentClient")
        // IntentClient re-exports the second type from IntentProtocol, and the third from IntentSharedTypes.
        for heading in ["IntentConnection.perform(_:files:)", "RunOutcome", "IntentCatalog"] {
            #expect(clients.contains(">\(heading)</h"), "\(heading)")
        }
        #expect(try page("index").contains("href=\"AppIntents.html\""))
    }
}

/// Runs `Tests/documents`, which executes the commands of README and the guides.
enum DocumentScript {
    static let url = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "documents")

    /// The folder of the built programs.
    static var programs: String { Programs.intentctl.deletingLastPathComponent().path }
}
