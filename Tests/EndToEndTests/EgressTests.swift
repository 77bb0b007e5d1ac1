import Foundation
import Glibc
import TestSupport
import Testing

/// Tests how apps with `AllowHosts=` connect, with real servers and the names of an /etc/hosts of their own.
@Suite(.ownThread, .enabled(if: getuid() == 0, "needs root for an /etc/hosts of its own and for low ports"))
struct EgressTests {
    private static let hosts = ["127.0.91.1 api.example other.example a.w.example", "127.0.91.2 near.example"]

    /// Commands of clients with the text that each prints, and the program that each needs.
    private static let clients = [
        ("curl -sS http://api.example/", "host api.example", "curl"),
        ("curl -sS https://api.example/", "host api.example", "curl"),
        ("curl -6 -sS https://api.example/", "host api.example", "curl"),
        ("curl -sS https://a.w.example/", "host a.w.example", "curl"),
        ("wget -qO- https://api.example/ --ca-certificate=$SSL_CERT_FILE", "host api.example", "wget"),
        (
            "/usr/bin/python3 -c 'import urllib.request as u; print(u.urlopen(\"https://api.example/\").read().decode())'",
            "host api.example", "python3"
        ),
        ("curl -sS http://api.example/big/3000000 | wc -c", "3000000", "curl"),
        ("head -c 3000000 /dev/urandom | curl -sS --data-binary @- http://api.example/", "3000000", "curl"),
        ("git clone -q https://api.example/files/repository.git here && cat here/file", "cloned", "git"),
        (
            "/usr/bin/python3 -m pip download -q --no-deps --index-url https://api.example/files/simple/ -d . parcel; ls",
            "parcel-1-py3-none-any.whl", "pip"
        ),
        (
            "node --jitless -e 'require(\"https\").get(\"https://api.example/\", r => r.on(\"data\", d => console.log(\"\" + d)))'",
            "host api.example", "node"
        ),
        (
            "echo | openssl s_client -connect api.example:443 -CAfile $SSL_CERT_FILE -verify_hostname api.example",
            "Verify return code: 0 (ok)", "openssl"
        ),
        ("getent ahostsv4 api.example", "198.18.0.16", "getent"),
        ("/usr/bin/python3 $SLOW tls", "22", "python3"), ("/usr/bin/python3 $SLOW http", "host api.example", "python3"),
        (
            "/usr/bin/python3 -c 'import socket; s = socket.create_connection((\"api.example\", 7777)); "
                + "s.sendall(b\"x\" * 3000000); s.shutdown(socket.SHUT_WR); print(s.recv(99).decode())'",
            "3000000 bytes", "python3"
        ),
    ]

    /// Sends the first bytes of a connection one by one, or in two parts.
    private static let slow = """
        import socket, ssl, sys, time
        if sys.argv[1] == "tls":
            sent, received = ssl.MemoryBIO(), ssl.MemoryBIO()
            hello = ssl.create_default_context().wrap_bio(received, sent, server_hostname="api.example")
            try: hello.do_handshake()
            except ssl.SSLWantReadError: pass
            parts, port = [bytes([byte]) for byte in sent.read()], 443
        else:
            parts, port = [b"GET / HTTP/1.0\\r\\nHost: api.exa", b"mple\\r\\n\\r\\n"], 80
        with socket.create_connection(("api.example", port)) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for part in parts:
                connection.send(part)
                time.sleep(0.001)
            # The type of a record with a handshake, or the answer of a server.
            if port == 443: print(connection.recv(1)[0])
            else: print(b"".join(iter(lambda: connection.recv(999), b"")).decode())
        """

    private static let scheduleOfFiles = """
        set -e
        cd $1
        git init -q work && cd work && echo cloned >file && git add file
        git -c user.name=a -c user.email=a@b commit -q -m a && cd ..
        git clone -q --bare work repository.git && git -C repository.git update-server-info
        mkdir -p simple/parcel parcel-1.dist-info
        printf 'Metadata-Version: 2.1\\nName: parcel\\nVersion: 1\\n' >parcel-1.dist-info/METADATA
        printf 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n' >parcel-1.dist-info/WHEEL
        touch parcel-1.dist-info/RECORD
        /usr/bin/python3 -m zipfile -c simple/parcel/parcel-1-py3-none-any.whl parcel-1.dist-info
        echo '<a href="parcel-1-py3-none-any.whl">parcel-1-py3-none-any.whl</a>' >simple/parcel/index.html
        """

    @Test func `clients reach granted names without a proxy or a variable`() throws {
        let servers = try WebServers(on: "127.0.91.1", names: ["api.example", "other.example", "a.w.example"])
        let files = servers.folder.appending("files")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: false)
        let made = try Command(URL(filePath: "/bin/sh"), ["-c", Self.scheduleOfFiles, "sh", files.path])
        let hasFiles = made.exitCode() == 0
        let scene = try EgressScene(
            "api.example:80,private api.example:443,private api.example:7777,private *.w.example:443,private",
            hosts: Self.hosts,
            trusting: servers.certificate,
            files: ["slow.py": Self.slow]
        )
        for (line, answer, program) in Self.clients {
            let script = line.replacing("$SLOW", with: scene.file("slow.py"))
            let isFile = ["git", "pip"].contains(program)
            let exists = program == "pip" ? "/usr/bin/python3 -m pip --version" : "test -e /usr/bin/\(program)"
            let found = try Command(URL(filePath: "/bin/sh"), ["-c", exists])
            guard found.exitCode() == 0, !isFile || hasFiles else {
                print("skipped: \(program) is not installed \(made.errors)")
                continue
            }
            let ran = try scene.run(script)
            #expect(ran.text.contains(answer), "\(script): \(ran)")
        }
    }

    @Test func `a host without IPv6 reaches granted names, also beside a granted address of IPv6`() throws {
        let servers = try WebServers(on: "127.0.91.8", names: ["api.example"])
        let scene = try EgressScene(
            "api.example:80,private api.example:443,private [2001:db8::1]:22",
            hosts: ["127.0.91.8 api.example"],
            trusting: servers.certificate,
            hasIPv6: false
        )
        let probe = "import socket; socket.socket(socket.AF_INET6)"
        #expect(try scene.run("/usr/bin/python3 -c '\(probe)'").text.contains("Address family not supported"))
        for url in ["http://api.example/", "https://api.example/"] {
            #expect(try scene.run("curl -sS \(url)").text.contains("host api.example"))
        }
        let refused = try scene.run("curl -sS http://tracker.example/; exit 1")
        #expect(refused.text.contains("could not connect to tracker.example: AllowHosts= does not"), "\(refused)")
        #expect(servers.connections == 2)
    }

    @Test func `the owner of a failed run learns of the refused connection and of the grant`() throws {
        let servers = try WebServers(on: "127.0.91.3", names: ["api.example", "other.example"])
        let scene = try EgressScene(
            "api.example:80,private api.example:443,private near.example:80 absent.example:80 api.example:81,private",
            hosts: ["127.0.91.3 api.example other.example", "127.0.91.2 near.example"],
            trusting: servers.certificate
        )
        let refused = [
            (
                "curl -sS https://tracker.example/", "tracker.example: AllowHosts= does not",
                "AllowHosts=tracker.example:PORT"
            ),
            ("curl -sS http://near.example/", "near.example:80: its address", "AllowHosts=near.example:80,private"),
            (
                "curl -sS http://api.example/ -H 'Host: other.example'", "api.example:80: the connection began",
                "AllowHosts=api.example:80,unchecked"
            ),
            (
                "curl -sS --connect-to other.example:443:api.example:443 https://other.example/",
                "api.example:443: the connection began", "AllowHosts=api.example:443,unchecked"
            ),
            (
                "/usr/bin/python3 -c 'import socket; socket.create_connection((\"near.example\", 443)).recv(1)'",
                "near.example:443: AllowHosts= does not", "AllowHosts=near.example:443"
            ),
            ("curl -sS http://absent.example/", "absent.example:80: this host finds no address", ""),
            ("curl -sS http://api.example:81/", "api.example:81: it does not accept", ""),
        ]
        for (script, cause, key) in refused {
            let ran = try scene.run(script)
            #expect(ran.code != 0, "\(script): \(ran)")
            #expect(ran.text.contains("could not connect to \(cause)"), "\(script): \(ran)")
            let run = try scene.daemon.newestRun()
            let shown = try scene.daemon.json("show", run)
            let sandbox = try #require(shown["sandbox"] as? [String: Any], "\(shown)")
            #expect(sandbox["key"] as? String == key, "\(sandbox)")
            let why = try scene.daemon.intentctl("why", run).output
            #expect(why.contains("could not connect to \(cause)"), "\(why)")
            guard !key.isEmpty else { continue }
            #expect(ran.text.contains("set \(key) in [Sandbox] of \(scene.daemon.folder.url.path)"), "\(ran)")
            #expect(why.contains("set \(key) in"), "\(why)")
        }
        #expect(servers.connections == 0)
    }

    @Test func `the record of a run has its connections and their bytes, and the metrics have their sums`() throws {
        let servers = try WebServers(on: "127.0.91.5", names: ["api.example"])
        let scene = try EgressScene("api.example:80,private", hosts: ["127.0.91.5 api.example"])
        let ran = try scene.run("curl -sS http://api.example/big/3000000 | wc -c; getent hosts tracker.example; true")
        #expect(ran.text.contains("3000000"), "\(ran)")
        let run = try scene.daemon.newestRun()
        let hosts = try #require(try scene.daemon.json("show", run)["hosts"] as? [[String: Any]])
        #expect(hosts.map { $0["host"] as? String } == ["api.example:80", "tracker.example"], "\(hosts)")
        #expect(hosts.first?["connectionCount"] as? Int == 1, "\(hosts)")
        #expect(
            (hosts.first?["receivedByteCount"] as? Int).map { (3_000_000..<3_010_000).contains($0) } == true,
            "\(hosts)"
        )
        #expect((hosts.last?["refusedCount"] as? Int).map { $0 > 0 } == true, "\(hosts)")
        #expect(try scene.daemon.intentctl("why", run).output.contains("api.example:80: 1 connection, "))
        let metrics = try scene.daemon.intentctl("metrics").output
        #expect(metrics.contains("intentd_connections_total{app=\"tools\"} 1\n"), "\(metrics)")
        #expect(metrics.contains("intentd_received_bytes_total{app=\"tools\"} 300"), "\(metrics)")
        #expect(servers.connections == 1)
    }

    @Test func `a run that succeeds despite a refused look-up reports no denial`() throws {
        let scene = try EgressScene("api.example:80", hosts: [])
        let ran = try scene.run("getent hosts tracker.example; true")
        #expect(ran.code == 0, "\(ran)")
        #expect(!ran.text.contains("could not connect"), "\(ran)")
    }

    @Test func `the example of a page fetches from its site, and a redirection leads nowhere else`() throws {
        let servers = try WebServers(on: "127.0.91.6", names: ["www.example.org"])
        let scene = try EgressScene("absent.example:1", hosts: ["127.0.91.6 www.example.org tracker.example"])
        try scene.addExample(
            "page",
            replacing: [
                (
                    "AllowHosts=www.example.org:443",
                    "AllowHosts=www.example.org:443,private\nReadPaths=\(servers.certificate)"
                ), ("[App]", "[App]\nEnvironment=CURL_CA_BUNDLE=\(servers.certificate)"),
            ]
        )
        let folder = try scene.daemon.makeFolder("results")
        let ran = try scene.daemon.start(["run", "--out", folder.path, "page/Fetch", "--path", "/a"])
        #expect(ran.exitCode() == 0, "\(ran.errors)")
        let page = try String(contentsOf: folder.appending(path: "page.html"), encoding: .utf8)
        #expect(page == "host www.example.org")
        let moved = try scene.daemon.intentctl("run", "page/Fetch", "--path", "/moved")
        #expect(moved.code == 1, "\(moved)")
        #expect(
            moved.errors.contains("could not connect to tracker.example: AllowHosts= does not grant it"),
            "\(moved)"
        )
    }

    @Test func `without the check, a grant is for every site of the address`() throws {
        let servers = try WebServers(on: "127.0.91.4", names: ["api.example"])
        let scene = try EgressScene("api.example:80,private,unchecked", hosts: ["127.0.91.4 api.example"])
        let ran = try scene.run("curl -sS http://api.example/ -H 'Host: other.example'")
        #expect(ran.text.contains("host other.example"), "\(ran)")
        #expect(servers.connections == 1)
    }

    @Test func `describe names what the sandbox may reach`() throws {
        let scene = try EgressScene("api.example:80", hosts: [])
        #expect(try scene.run("true").code == 0)
        let text = try scene.daemon.intentctl("describe", "tools").output
        #expect(text.contains("no network except for the hosts of AllowHosts="), "\(text)")
    }
}
