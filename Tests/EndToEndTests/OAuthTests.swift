import Foundation
import Glibc
import TestSupport
import Testing

/// Tests intentd-web with the access tokens of an issuer, which is the authorization server of the official MCP SDK.
@Suite(.ownThread, .enabled(if: getuid() == 0, "needs root"), .timeLimit(.minutes(5))) struct OAuthTests {
    private static let tests = DocumentScript.url.deletingLastPathComponent()

    @Test func `a token of an issuer acts for the account of its subject, in the intents of its scopes`() throws {
        let installing = try Command(Self.tests.appending(path: "install-python"), ["mcp-2.3"])
        guard installing.exitCode() == 0 else {
            try skipTest(installing.errors.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        let environment = URL(filePath: installing.output.trimmingCharacters(in: .whitespacesAndNewlines))
        let python = environment.appending(path: "bin/python")
        let folder = try TemporaryFolder()
        chmod(folder.url.path, 0o755)
        let issuer = try Command(
            python,
            [WebPage.script("issuer.py"), folder.url.path],
            environment: ["PYTHONDONTWRITEBYTECODE": "1"]
        )
        try issuer.waitFor("/realm\n")
        let address = issuer.output.trimmingCharacters(in: .whitespacesAndNewlines)
        for file in ["ca.pem", "server.pem", "server-key.pem"] { chmod(folder.appending(file).path, 0o644) }
        let port = UInt16.random(in: 20_000...30_000)
        let service = "https://127.0.0.1:\(port)"
        let daemon = try Daemon(configuration: [
            "[Web]", "User=\(WebServiceTests.service)", "Users=\(WebServiceTests.user)",
            "Certificate=\(folder.appending("server.pem").path)",
            "PrivateKey=\(folder.appending("server-key.pem").path)", "Issuers=\(address)", "Resource=\(service)",
            "Audience=api://intents", "Subject=\(WebServiceTests.user) \(address) ada",
            "Subject=\(WebServiceTests.unlisted) \(address) root", "Scope=probe Probe/*", "Scope=archive Archive/*",
        ])
        let front = try WebServiceTests.start(
            daemon,
            at: "127.0.0.1:\(port)",
            "--authorities",
            folder.appending("ca.pem").path
        )
        let scenario = try Command(
            python,
            [WebPage.script("oauth.py"), address, service, folder.url.path],
            environment: ["PYTHONDONTWRITEBYTECODE": "1"]
        )
        #expect(scenario.exitCode() == 0, "\(scenario.output)\(scenario.errors)\(front.errors)")
        // The journal has the reasons, which the clients do not learn.
        for reason in [
            "the token is for 'https://other.example'", "Issuers= does not name 'https://other.example'",
            "has expired", "not valid yet", "not a signed JWT", "algorithm 'HS256'",
            "the signature of the token is wrong",
            "has no key 'hidden'", "no Subject= names 'mallory'", "no Scope= names a scope of 'other'",
        ] {
            #expect(front.errors.contains(reason), "\(reason)")
        }
    }

    @Test func `issuers without an address of the service are a mistake`() throws {
        let daemon = try Daemon(configuration: [
            "[Web]", "User=\(WebServiceTests.service)", "Users=\(WebServiceTests.user)",
            "Issuers=https://id.example.org",
        ])
        let front = try WebServiceTests.start(daemon)
        #expect(front.exitCode() == 78)
        #expect(front.errors.contains("Issuers=, which needs Resource= or Hosts="), "\(front.errors)")
    }
}
