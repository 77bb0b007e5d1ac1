import IntentCommands
import Testing
import intentctl

/// Tests the files that `intentctl new --mcp-server` writes.
@Suite struct ServerTemplateTests {
    /// A host with these files, and links to other paths.
    private func host(_ files: [String: String], links: [String: String] = [:]) -> ServerTemplateFile.Host {
        ServerTemplateFile.Host(
            exists: { files[$0] != nil || links[$0] != nil },
            text: { files[links[$0] ?? $0] },
            target: { links[$0] }
        )
    }

    private func lines(_ template: ServerTemplateFile) -> [String] {
        template.text(description: "x").split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }

    @Test func `a program of a virtual environment is granted with its packages and its interpreter`() throws {
        let files = [
            "/opt/e/bin/serve": "#!/opt/e/bin/python\nimport x", "/opt/e/pyvenv.cfg": "home = /opt/py/bin\nversion = 3",
            "/opt/py/bin/python3": "\u{7F}ELF", "/srv/git": "",
        ]
        let host = host(files, links: ["/opt/e/bin/python": "python3", "/opt/e/bin/python3": "/opt/py/bin/python3"])
        let template = ServerTemplateFile(
            program: "/opt/e/bin/serve",
            arguments: ["--repository", "/srv/git", "a b"],
            on: host
        )
        #expect(
            lines(template) == [
                "[App]", "Description=x", "MCPServer=/opt/e/bin/serve --repository /srv/git \"a b\"", "[Sandbox]",
                "Programs=system /opt/e /opt/py", "ReadPaths=/srv/git",
            ]
        )
        let file = try CommandFile(Array(template.text(description: "x").utf8), file: "x.intents")
        #expect(file.server == ["/opt/e/bin/serve", "--repository", "/srv/git", "a b"])
        #expect(file.roots == ["/srv/git"])
    }

    @Test func `a program of the system needs no grant, and the trial adds each path once`() {
        var template = ServerTemplateFile(program: "/usr/bin/serve", arguments: ["/usr/share/x"], on: host([:]))
        #expect(lines(template).last == "[Sandbox]")
        let added = ["/etc/x", "/etc/x", "/etc/x/y", "/usr/lib/z", "relative", "/a b", "/"].map {
            template.grantRead($0)
        }
        #expect(added == [true, false, false, false, false, false, false])
        template.generatesCode = true
        #expect(lines(template).suffix(2) == ["ReadPaths=/etc/x", "GeneratedCode=yes"])
    }

    @Test func `variables before the program are the server's environment`() throws {
        let words = ["A=b c", "_B1=", "1C=x", "D-E=x", "=x", "f"]
        #expect(words.map(ServerTemplateFile.isVariable) == [true, true, false, false, false, false])
        let variables = ["A=b c", "B=\"q\"\\"]
        let template = ServerTemplateFile(program: "/usr/bin/serve", arguments: [], variables: variables, on: host([:]))
        #expect(lines(template).contains(#"Environment="A=b c" "B=\"q\"\\""#), "\(lines(template))")
        _ = try CommandFile(Array(template.text(description: "x").utf8), file: "x.intents")
    }
}
