import Foundation
import Glibc
import TestSupport
import Testing

/// Clients with resolvers and protocols of their own, and the examples of programs that may reach one host.
@Suite(.ownThread, .enabled(if: getuid() == 0, "needs root for an /etc/hosts of its own and for low ports"))
struct EgressClientTests {
    private static let muslClient = """
        #include <netdb.h>
        #include <stdio.h>
        #include <string.h>
        #include <sys/socket.h>
        #include <unistd.h>
        int main(int count, char **words) {
            const char request[] = "GET / HTTP/1.1\\r\\nHost: api.example\\r\\nConnection: close\\r\\n\\r\\n";
            struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list;
            char answer[4096];
            ssize_t size;
            if (getaddrinfo(words[1], "80", &hints, &list)) return 1;
            for (; list; list = list->ai_next) {
                int s = socket(list->ai_family, SOCK_STREAM, 0);
                if (s < 0 || connect(s, list->ai_addr, list->ai_addrlen)) continue;
                if (write(s, request, strlen(request)) < 0) return 2;
                while ((size = read(s, answer, sizeof answer)) > 0) fwrite(answer, 1, size, stdout);
                return 0;
            }
            return 3;
        }
        """
    private static let clientInGo = """
        package main
        import ("io"; "net/http"; "os")
        func main() {
            answer, err := http.Get("http://" + os.Args[1] + "/")
            if err != nil { println(err.Error()); os.Exit(1) }
            io.Copy(os.Stdout, answer.Body)
        }
        """

    private func make(_ program: String, _ words: String, _ source: String, in folder: TemporaryFolder, _ name: String)
        throws
        -> Bool
    {
        guard try Command(URL(filePath: "/bin/sh"), ["-c", "command -v \(program)"]).exitCode() == 0 else {
            print("skipped: \(program) is not installed")
            return false
        }
        try Data(source.utf8).write(to: folder.appending("bin/\(name)"))
        let made = try Command(URL(filePath: "/bin/sh"), ["-c", "cd \(folder.appending("bin").path) && \(words)"])
        try #require(made.exitCode() == 0, "\(made.errors)")
        return true
    }

    @Test func `static programs with resolvers of their own reach a granted name`() throws {
        let servers = try WebServers(on: "127.0.97.1", names: ["api.example"])
        let scene = try EgressScene("api.example:80,private", hosts: ["127.0.97.1 api.example"])
        let folder = scene.daemon.folder
        var count = 0
        if try make("musl-gcc", "musl-gcc -static -o musl musl.c", Self.muslClient, in: folder, "musl.c") {
            #expect(try scene.run("\(scene.file("musl")) api.example").text.contains("host api.example"))
            #expect(try scene.run("\(scene.file("musl")) other.example").code != 0)
            count += 1
        }
        let building = "HOME=$PWD CGO_ENABLED=0 go build -o go-client client.go"
        if try make("go", building, Self.clientInGo, in: folder, "client.go") {
            #expect(try scene.run("\(scene.file("go-client")) api.example").text.contains("host api.example"))
            count += 1
        }
        #expect(servers.connections == count)
    }

    @Test(.enabled(if: access("/usr/sbin/sshd", X_OK) == 0, "openssh-server is not installed"))
    func `ssh reaches a granted server`() throws {
        let scene = try EgressScene("ssh.example:2222,private", hosts: ["127.0.97.2 ssh.example"])
        let key = scene.daemon.folder.appending("host-key").path
        let made = try Command(URL(filePath: "/usr/bin/ssh-keygen"), ["-q", "-t", "ed25519", "-N", "", "-f", key])
        try #require(made.exitCode() == 0, "\(made.errors)")
        try FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
        let server = try Command(
            URL(filePath: "/usr/sbin/sshd"),
            [
                "-D", "-e", "-f", "/dev/null", "-h", key, "-p", "2222", "-o", "ListenAddress=127.0.97.2", "-o",
                "PidFile=none",
            ]
        )
        try eventually("sshd listens: \(server.errors)") { server.errors.contains("Server listening") }
        let options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=known", "BatchMode=yes"].map { "-o \($0)" }
        let ran = try scene.run(
            "ssh \(options.joined(separator: " ")) -p 2222 guest@ssh.example true; cat known; exit 1"
        )
        #expect(ran.text.contains("Permission denied ("), "\(ran)")
        #expect(ran.text.contains("[ssh.example]:2222 ssh-ed25519"), "\(ran)")
    }

    // MARK: Examples

    @Test(.enabled(if: PostgresServer.obstacle == nil, Comment(rawValue: PostgresServer.obstacle ?? "")))
    func `the example of a database reaches one host, and another one is named`() throws {
        let server = try PostgresServer()
        try server.listen(at: "127.0.97.3")
        try server.execute("create table soup (name text); insert into soup values ('tomato')")
        let scene = try EgressScene("absent.example:1", hosts: ["127.0.97.3 db.example.org other.example.org"])
        try scene.addExample("remote-database", replacing: [("Default=backup", "Default=postgres")])
        let values = #"{"database":"postgres","password":"\#(server.password)"}"#
        let folder = try scene.daemon.makeFolder("results")
        let dump = try scene.daemon.intentctl("run", "--out", folder.path, "--json", values, "remote-database/Dump")
        try #require(dump.code == 0, "\(dump.errors)")
        try server.execute("create database copy")
        try server.restore(folder.appending(path: "database.dump"), into: "copy")
        #expect(try server.execute("select name from soup", in: "copy") == "tomato")
        try scene.addExample(
            "remote-database",
            replacing: [("Default=backup", "Default=postgres"), ("--host=db.", "--host=other.")]
        )
        #expect(try scene.daemon.intentctl("reload").code == 0)
        let refused = try scene.daemon.intentctl("run", "--json", values, "remote-database/Dump")
        #expect(refused.code == 1)
        #expect(
            refused.errors.contains("the run could not connect to other.example.org: AllowHosts= does not grant it"),
            "\(refused.errors)"
        )
    }

    @Test func `the example of a Python script fetches from one site, and another one is named`() throws {
        let servers = try WebServers(on: "127.0.97.4", names: ["www.example.org"])
        let page = servers.folder.appending("files")
        try FileManager.default.createDirectory(at: page, withIntermediateDirectories: false)
        try Data("<h1>Soup</h1><p>x</p><h2>Tomato &amp; pea</h2>".utf8).write(to: page.appending(path: "page.html"))
        let scene = try EgressScene("absent.example:1", hosts: ["127.0.97.4 www.example.org tracker.example"])
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "examples/commands/headings.py")
        try FileManager.default.copyItem(at: script, to: URL(filePath: scene.file("headings.py")))
        try scene.addExample(
            "headings",
            replacing: [
                ("/usr/local/lib/intentd/headings.py", scene.file("headings.py")),
                (
                    "AllowHosts=www.example.org:443",
                    "AllowHosts=www.example.org:443,private\nReadPaths=\(servers.certificate)"
                ), ("[App]", "[App]\nEnvironment=SSL_CERT_FILE=\(servers.certificate)"),
            ]
        )
        let listed = try scene.daemon.intentctl(
            "run",
            "headings/List",
            "--url",
            "https://www.example.org/files/page.html"
        )
        #expect(listed.code == 0 && listed.output.contains("Tomato & pea"), "\(listed)")
        let refused = try scene.daemon.intentctl("run", "headings/List", "--url", "https://tracker.example/")
        #expect(refused.code == 1)
        #expect(
            refused.errors.contains("the run could not connect to tracker.example: AllowHosts= does not grant it"),
            "\(refused.errors)"
        )
    }

    @Test func `the example of GitHub's issues has no token, and another host is named`() throws {
        let servers = try WebServers(on: "127.0.97.5", names: ["api.github.com"])
        let scene = try EgressScene(
            "absent.example:1",
            hosts: ["127.0.97.5 api.github.com tracker.example"],
            trusting: servers.certificate,
            secrets: ["github": "ghp_0123456789"]
        )
        try scene.addExample("issues", replacing: [("host=api.github.com", "host=api.github.com,private")])
        let listed = try scene.daemon.intentctl("run", "issues/List", "--repository", "octocat/hello")
        #expect(listed.code == 0 && listed.output.contains("host api.github.com"), "\(listed)")
        #expect(servers.requests == ["GET /repos/octocat/hello/issues?state=open Bearer ghp_0123456789"])
        try scene.addExample(
            "issues",
            replacing: [
                ("host=api.github.com", "host=api.github.com,private"),
                ("/repos/%{repository}/issues?state=%{state}", "/moved"),
            ]
        )
        #expect(try scene.daemon.intentctl("reload").code == 0)
        let moved = try scene.daemon.intentctl("run", "issues/List", "--repository", "octocat/moved")
        #expect(moved.code == 1)
        #expect(
            moved.errors.contains("the run could not connect to tracker.example: AllowHosts= does not grant it"),
            "\(moved.errors)"
        )
    }
}
