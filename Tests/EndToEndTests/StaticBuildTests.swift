import Foundation
import TestSupport
import Testing

/// An app with URLSession, as an author ships it: optimised, with the Swift libraries in the executable.
@Suite(.ownThread) struct StaticBuildTests {
    private static let canLink =
        FileManager.default.enumerator(atPath: "/usr/lib")?
        .contains { ($0 as? String)?.hasSuffix("/libcurl.so") == true } == true

    private static let source = """
        import AppIntents
        import FoundationNetworking

        struct Wait: AppIntent {
            static let title: LocalizedStringResource = "Wait for an answer"

            func perform() async throws -> some IntentResult & ReturnsValue<Double> {
                .result(value: URLSession.shared.configuration.timeoutIntervalForRequest)
            }
        }

        @main struct Waiter: AppIntentsExtension {}
        """

    @Test(.enabled(if: canLink, "needs the development files of libcurl"))
    func `an app with URLSession links libcurl, which verify lists and a sandbox contains`() throws {
        let folder = try TemporaryFolder()
        let program = try OptimisedProgram.make("Waiter", Self.source, flags: ["-static-stdlib"], in: folder)
        let verified = try Command(Programs.intentctl, ["--output=json", "verify", program.path])
        #expect(verified.exitCode() == 0, "\(verified.output)\(verified.errors)")
        let verdict = try #require(
            try JSONSerialization.jsonObject(with: Data(verified.output.utf8)) as? [String: Any]
        )
        #expect(verdict["swiftLibrary"] as? String == "static")
        let libraries = try #require(verdict["libraries"] as? [[String: Any]])
        let curl = libraries.first { ($0["name"] as? String)?.hasPrefix("libcurl") == true }
        #expect(curl?["isMissing"] as? Bool == false, "\(libraries)")
        let run = try Command(Programs.intentctl, ["run", "--local", program.path, "Wait"])
        #expect(run.exitCode() == 0, "\(run.errors)")
        #expect(run.output == "60\n" || run.output == "60.0\n")
    }
}
