import Foundation
import Glibc
import TestSupport
import Testing

/// Tests that intentd-egress inserts secrets (`Credential=`) which the app never has, with real TLS servers.
@Suite(.ownThread, .enabled(if: getuid() == 0, "needs root for an /etc/hosts of its own and for low ports"))
struct EgressCredentialTests {
    private static let secret = "s3cret-0123456789"

    private func scene(
        _ servers: WebServers,
        on address: String,
        _ credentials: [String] = ["github host=api.example,private"],
        secrets: [String: String] = ["github": secret]
    ) throws -> EgressScene {
        try EgressScene(
            "",
            hosts: ["\(address) api.example other.example"],
            trusting: servers.certificate,
            credentials: credentials,
            secrets: secrets
        )
    }

    @Test func `plain HTTP of the app becomes TLS with the secret, which the app never has`() throws {
        let servers = try WebServers(on: "127.0.93.1", names: ["api.example"])
        let scene = try scene(servers, on: "127.0.93.1")
        let ran = try scene.run(
            """
            curl -sS -H 'Authorization: Bearer own' 'http://api.example/user?token=query'; echo
            env; tr '\\0' '\\n' </proc/self/environ; grep -rsl 's3cret.0123456789' /etc /run /tmp "$HOME"; echo
            curl -sS --data-binary 12345 http://api.example/post; echo
            head -c 300000 /dev/urandom | curl -sS -T - -X POST http://api.example/chunks; echo
            curl -sS http://api.example/big/3000000 | wc -c
            """
        )
        for text in ["host api.example", "\n5\n", "300000", "3000000"] { #expect(ran.text.contains(text), "\(ran)") }
        #expect(!ran.text.contains(Self.secret), "\(ran)")
        #expect(
            servers.requests == [
                "GET /user?token=query Bearer \(Self.secret)", "POST /post Bearer \(Self.secret)",
                "POST /chunks Bearer \(Self.secret)", "GET /big/3000000 Bearer \(Self.secret)",
            ]
        )
        let run = try scene.daemon.newestRun()
        let shown = try scene.daemon.intentctl("--output", "json", "show", run).output
        let host = try #require((try scene.daemon.json("show", run)["hosts"] as? [[String: Any]])?.first, "\(shown)")
        #expect(host["host"] as? String == "api.example:443")
        #expect(host["credential"] as? String == "github")
        #expect(host["connectionCount"] as? Int == 4)
        #expect(host["requests"] as? [String] == ["GET /user", "POST /post", "POST /chunks", "GET /big/3000000"])
        let why = try scene.daemon.intentctl("why", run).output
        #expect(why.contains("credential github for GET /user, POST /post, POST /chunks, GET /big/3000000"), "\(why)")
        for text in [shown, why] {
            #expect(!text.contains(Self.secret))
            #expect(!host.description.contains("token=query"))
        }
    }

    @Test func `a second request on the connection does not reach the host`() throws {
        let servers = try WebServers(on: "127.0.93.2", names: ["api.example"])
        let scene = try scene(servers, on: "127.0.93.2")
        let ran = try scene.run(
            #"""
            /usr/bin/python3 -c '
            import socket
            one, two = (b"GET /%s HTTP/1.1\r\nHost: api.example\r\nContent-Length: 0\r\n\r\n" % n for n in (b"one", b"two"))
            s = socket.create_connection(("api.example", 80))
            s.sendall(one + two)
            got = b""
            while part := s.recv(65536): got += part
            print("responses", got.count(b"HTTP/1.1 200"))
            '
            """#
        )
        #expect(ran.text.contains("responses 1"), "\(ran)")
        #expect(servers.requests == ["GET /one Bearer \(Self.secret)"])
    }

    @Test func `a request that can be read in two ways, or that asks for itself, is answered and not sent`() throws {
        let servers = try WebServers(on: "127.0.93.3", names: ["api.example"])
        let scene = try scene(servers, on: "127.0.93.3")
        for (arguments, reason) in [
            ("-X TRACE http://api.example/", "the request has the method TRACE"),
            ("-H 'Host: other.example' http://api.example/", "the request does not name the host api.example"),
            ("-H 'Connection: Authorization' http://api.example/", "the request has the field 'Connection'"),
            (
                "-H 'Transfer-Encoding: chunked' -H 'Content-Length: 3' -d abc http://api.example/",
                "the request does not say clearly where its body ends"
            ),
        ] {
            let ran = try scene.run("curl -sS -w '\\n%{http_code}\\n' \(arguments); exit 1")
            #expect(ran.text.contains("intentd-egress: \(reason)"), "\(arguments): \(ran)")
            #expect(ran.text.contains("\n400\n"), "\(arguments): \(ran)")
            let why = try scene.daemon.intentctl("why", try scene.daemon.newestRun()).output
            #expect(why.contains("could not connect to api.example:443: \(reason)"), "\(why)")
        }
        #expect(servers.requests.isEmpty)
    }

    @Test func `a missing credential and a certificate that is not trusted are named`() throws {
        let servers = try WebServers(on: "127.0.93.4", names: ["api.example"])
        let scene = try scene(
            servers,
            on: "127.0.93.4",
            ["github host=api.example,private", "github host=other.example,private"],
            secrets: [:]
        )
        let missing = try scene.run("curl -sSf http://api.example/")
        let folder = scene.daemon.folder.appending("etc/egress").path
        #expect(
            missing.text.contains(
                "api.example:443: the credential 'github' is not found: write the secret to \(folder)/github"
            ),
            "\(missing)"
        )
        try scene.daemon.writeSecret("two\nlines", as: "github")
        #expect(try scene.run("curl -sSf http://api.example/").text.contains("not one line of printable ASCII"))
        try scene.daemon.writeSecret(Self.secret, as: "github")
        #expect(try scene.run("curl -sSf http://api.example/").text.contains("host api.example"))
        // The certificate is valid for api.example only.
        let other = try scene.run("curl -sS http://other.example/; exit 1")
        #expect(other.text.contains("its certificate is not trusted: hostname mismatch"), "\(other)")
        #expect(!other.text.contains("host other.example"))
        #expect(servers.requests == ["GET / Bearer \(Self.secret)"])
    }

    @Test func `a rotated secret ends no run`() throws {
        let servers = try WebServers(on: "127.0.93.5", names: ["api.example"])
        let scene = try scene(servers, on: "127.0.93.5")
        let ran = try scene.start(
            "curl -sS http://api.example/old; echo; echo waiting; while [ ! -e \(scene.file("go")) ]; do sleep 0.1; done; "
                + "curl -sS http://api.example/new"
        )
        try eventually("the run waits; \(ran.errors)") { ran.errors.contains("waiting") }
        try scene.daemon.writeSecret("rotated", as: "github")
        let egress = try #require(scene.egress)
        kill(egress, SIGTERM)
        try eventually("another process serves") { scene.egress.map { $0 != egress } == true }
        try Data().write(to: URL(filePath: scene.file("go")))
        #expect(ran.exitCode() == 0, "\(ran.errors)")
        #expect(servers.requests == ["GET /old Bearer \(Self.secret)", "GET /new Bearer rotated"])
    }

    @Test func `the app cannot reach the host in another way`() throws {
        let servers = try WebServers(on: "127.0.93.6", names: ["api.example"])
        let scene = try scene(servers, on: "127.0.93.6")
        let ran = try scene.run("curl -sS https://api.example/; exit 1")
        #expect(!ran.text.contains("host api.example"), "\(ran)")
        #expect(servers.requests.isEmpty)
    }
}
