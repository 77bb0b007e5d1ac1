import Foundation
import Glibc
import TestSupport
import Testing

/// Tests intentd-web with the access tokens of an issuer, which is the authorization server of the official MCP SDK.
@Suite(.ownThread, .enabled(if: getuid() == 0, "needs root"), .timeLimit(.minutes(5))) struct OAuthTests {
    private static let tests = DocumentScript.url.deletingLastPathComponent()

    /// An issuer, and the service that accepts its tokens.
    private struct Scene {
        let daemon: Daemon
        let front: Command
        private let python: URL
        private let issuer: (program: Command, address: String)
        private let service: String
        private let folder: TemporaryFolder

        /// - Parameter lines: Returns the further lines of `[Web]`, and other sections, for the address of the issuer.
        init(app: [String] = [], _ lines: (String) -> [String]) throws {
            let installing = try Command(OAuthTests.tests.appending(path: "install-python"), ["mcp-2.3"])
            guard installing.exitCode() == 0 else {
                try skipTest(installing.errors.trimmingCharacters(in: .whitespacesAndNewlines))
            }
            let environment = URL(filePath: installing.output.trimmingCharacters(in: .whitespacesAndNewlines))
            python = environment.appending(path: "bin/python")
            folder = try TemporaryFolder()
            chmod(folder.url.path, 0o755)
            let program = try Command(
                python,
                [WebPage.script("issuer.py"), folder.url.path],
                environment: ["PYTHONDONTWRITEBYTECODE": "1"]
            )
            try program.waitFor("/realm\n")
            let address = program.output.trimmingCharacters(in: .whitespacesAndNewlines)
            issuer = (program, address)
            for file in ["ca.pem", "server.pem", "server-key.pem"] { chmod(folder.appending(file).path, 0o644) }
            let port = UInt16.random(in: 20_000...30_000)
            service = "https://127.0.0.1:\(port)"
            daemon = try Daemon(
                app: app,
                configuration: [
                    "[Web]", "User=\(WebServiceTests.service)", "Users=\(WebServiceTests.user)",
                    "Certificate=\(folder.appending("server.pem").path)",
                    "PrivateKey=\(folder.appending("server-key.pem").path)", "Issuers=\(address)",
                    "Resource=\(service)",
                    "Subject=\(WebServiceTests.user) \(address) ada",
                ] + lines(address)
            )
            front = try WebServiceTests.start(
                daemon,
                at: "127.0.0.1:\(port)",
                "--authorities",
                folder.appending("ca.pem").path
            )
        }

        func perform(_ scenario: String) throws {
            let command = try Command(
                python,
                [WebPage.script("oauth.py"), scenario, issuer.address, service, folder.url.path],
                environment: ["PYTHONDONTWRITEBYTECODE": "1"]
            )
            #expect(command.exitCode() == 0, "\(command.output)\(command.errors)\(front.errors)")
        }
    }

    @Test func `a token of an issuer acts for the account of its subject, in the intents of its scopes`() throws {
        let scene = try Scene { address in
            [
                "Audience=api://intents", "Subject=\(WebServiceTests.unlisted) \(address) root", "Scope=probe Probe/*",
                "Scope=archive Archive/*",
            ]
        }
        try scene.perform("accounts")
        // The journal has the reasons, which the clients do not learn.
        for reason in [
            "the token is for 'https://other.example'", "Issuers= does not name 'https://other.example'",
            "has expired", "not valid yet", "not a signed JWT", "algorithm 'HS256'",
            "the signature of the token is wrong",
            "has no key 'hidden'", "no Subject= names 'mallory'", "no Scope= names a scope of 'other'",
        ] {
            #expect(scene.front.errors.contains(reason), "\(reason)")
        }
    }

    @Test func `a subject of a realm is a caller of its own, which sees no other's runs and is never an operator`()
        throws
    {
        let uid = try #require(getpwnam(WebServiceTests.service)).pointee.pw_uid
        let scene = try Scene(
            app: ["[Intent Prints]", "AllowUsers=alice@home \(uid)", "[Intent Throws]", "Retry=1", "Backoff=1s..1s"]
        ) { address in
            [
                "Realm=home \(address)", "Scope=all *", "[Limits]", "MaxRunsPerUser=1", "[Agents]", "Allow=all",
                "Ask=never",
            ]
        }
        try scene.perform("realm")
        // The refused names are in the journal as one line of visible characters.
        for reason in [
            "the subject 'alice@home' of https://127.0.0.1", "the subject 'a\\n'", "the subject '\\u{202E}ecila'",
            "cannot be part of a name: Realm= expects 1 to 64 ASCII letters",
        ] {
            #expect(scene.front.errors.contains(reason), "\(reason)")
        }
        // An operator sees the callers by their names.
        let history = try scene.daemon.intentctl("history", "--by", WebServiceTests.service, "--lines", "500").output
        let all = try scene.daemon.json("history", "--by", "all", "--lines", "500")["runs"] as? [[String: Any]] ?? []
        let names = Set(all.compactMap { $0["userName"] as? String })
        #expect(names == ["alice@home", "bob@home", "games@home", WebServiceTests.user], "\(names)")
        #expect(history.contains("alice@home") && !history.contains(" \(WebServiceTests.user) "), "\(history)")
        let ofAlice =
            try scene.daemon.json("history", "--by", "alice@home", "--lines", "500")["runs"] as? [[String: Any]]
        #expect(Set(ofAlice?.compactMap { $0["userName"] as? String } ?? []) == ["alice@home"])
        #expect(ofAlice?.count == all.count { $0["userName"] as? String == "alice@home" })
        let run = try #require(all.first { $0["userName"] as? String == "alice@home" }?["run"] as? String)
        let shown = try scene.daemon.intentctl("show", run).output
        #expect(shown.contains("alice@home"), "\(shown)")
        let audit = try scene.daemon.intentctl("audit", "--by", "alice@home").output
        #expect(audit.contains(" alice@home ") && audit.contains("approved"), "\(audit)")
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
