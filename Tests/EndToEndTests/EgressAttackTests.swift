import Foundation
import Glibc
import TestSupport
import Testing

/// Tests what an app with `AllowHosts=` cannot do, and what it cannot do to others, through the real product.
@Suite(.ownThread, .enabled(if: getuid() == 0, "needs root for an /etc/hosts of its own and for low ports"))
struct EgressAttackTests {
    /// Performs one attempt of each kind, and prints its name with the error, or `done`.
    private static let attempts = """
        import ctypes, errno, os, socket, ssl, sys, time
        def attempt(name, act):
            try: result = act() or "done"
            except OSError as error: result = errno.errorcode.get(error.errno, type(error).__name__)
            print(name, result)
        def connect(host, port, family=socket.AF_INET, kind=socket.SOCK_STREAM):
            with socket.socket(family, kind) as s:
                s.settimeout(10)
                s.connect((host, port))
                if kind == socket.SOCK_DGRAM: return s.send(b"x") and None
                s.sendall(b"GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
                if not s.recv(1): raise ConnectionResetError(errno.ECONNRESET, "closed")
        def bind(port, host=""):
            with socket.socket() as s:
                s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
                s.bind((host, port))
        attempt("outside", lambda: connect("203.0.113.1", 80))
        attempt("outside-udp", lambda: connect("203.0.113.1", 53, kind=socket.SOCK_DGRAM))
        attempt("outside-v6", lambda: connect("2001:db8::1", 80, socket.AF_INET6))
        attempt("metadata", lambda: connect("169.254.169.254", 80))
        attempt("ungranted-literal", lambda: connect("127.0.92.1", 7777))
        attempt("ungranted-literal-v6", lambda: connect("::ffff:127.0.92.1", 7777, socket.AF_INET6))
        attempt("any-address", lambda: connect("0.0.0.0", 7777))
        attempt("loopback", lambda: connect("127.0.0.1", 80))
        attempt("loopback-unserved", lambda: connect("127.0.0.1", 8080))
        attempt("first-synthetic", lambda: connect("198.18.0.0", 80))
        attempt("last-synthetic", lambda: connect("198.19.255.255", 80))
        attempt("other-names-port", lambda: connect("lines.example", 80))
        attempt("name-of-metadata", lambda: connect("meta.example", 80))
        attempt("name-of-local-v6", lambda: connect("six.example", 80))
        attempt("name-of-mapped", lambda: connect("mapped.example", 80))
        def tls(name):
            context = ssl._create_unverified_context()
            with socket.create_connection(("api.example", 443)) as s: context.wrap_socket(s, server_hostname=name)
        attempt("no-server-name", lambda: tls(None))
        attempt("other-server-name", lambda: tls("lines.example"))
        attempt("http-on-443", lambda: connect("api.example", 443))
        attempt("unknown-synthetic", lambda: connect("198.18.99.99", 7777))
        attempt("own-synthetic", lambda: connect("198.18.0.1", 7777))
        attempt("other-port", lambda: connect("api.example", 81))
        def quic():
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
                s.connect(("api.example", 7777))
                s.settimeout(10)
                s.send(b"x")
                s.recv(1)
        attempt("quic", quic)
        attempt("bind-low", lambda: bind(80))
        attempt("bind-dns", lambda: bind(53, "127.0.0.1"))
        attempt("bind-served", lambda: bind(7777))
        attempt("bind-synthetic", lambda: bind(7777, "198.18.0.16"))
        attempt("bind-synthetic-low", lambda: bind(443, "198.18.0.16"))
        def abstract():
            with socket.socket(socket.AF_UNIX) as s: s.connect(sys.argv[1].replace("@", "\\0"))
        attempt("abstract", abstract)
        for family in (29, 38, 40, 44): attempt(f"family-{family}", lambda: socket.socket(family, socket.SOCK_SEQPACKET).close())
        attempt("udp-lite", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM, 136).close())
        attempt("ping-v6", lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM, 58).close())
        attempt("raw-255", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 255).close())
        attempt("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).close())
        attempt("packet", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0).close())
        attempt("vsock", lambda: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM).close())
        attempt("ping", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP).close())
        attempt("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close())
        attempt("sctp", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, 132).close())
        attempt("mptcp", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262).close())
        def listen():
            s = socket.socket()
            s.bind(("127.0.0.1", 0))
            s.listen()
        attempt("listen", listen)
        def unshare():
            libc = ctypes.CDLL(None, use_errno=True)
            if libc.unshare(0x40000000): raise OSError(ctypes.get_errno(), "unshare")
        attempt("namespace", unshare)
        def enter():
            libc = ctypes.CDLL(None, use_errno=True)
            with open("/proc/1/ns/net") as other:
                if libc.setns(other.fileno(), 0x40000000): raise OSError(ctypes.get_errno(), "setns")
        attempt("other-namespace", enter)
        attempt("granted", lambda: connect("api.example", 80))
        """

    private static let results = [
        "outside": ["ENETUNREACH"], "outside-udp": ["ENETUNREACH"], "outside-v6": ["ENETUNREACH"],
        "metadata": ["ENETUNREACH"], "ungranted-literal": ["ECONNRESET"], "ungranted-literal-v6": ["ECONNRESET"],
        "loopback": ["ECONNRESET"], "loopback-unserved": ["EACCES", "ECONNREFUSED"], "first-synthetic": ["ECONNRESET"],
        "last-synthetic": ["ECONNRESET"], "other-names-port": ["ECONNRESET"], "name-of-metadata": ["ECONNRESET"],
        "name-of-local-v6": ["ECONNRESET"], "name-of-mapped": ["ECONNRESET"], "no-server-name": ["ECONNRESET"],
        "other-server-name": ["ECONNRESET"], "http-on-443": ["ECONNRESET"], "bind-synthetic": ["EACCES", "EADDRINUSE"],
        "bind-synthetic-low": ["EACCES"], "abstract": ["ECONNREFUSED", "EPERM"], "udp-lite": ["EPERM"],
        "family-29": ["EPERM"], "family-38": ["EPERM"], "family-40": ["EPERM"], "family-44": ["EPERM"],
        "ping-v6": ["EPERM"], "raw-255": ["EPERM"], "other-namespace": ["EPERM", "EACCES", "ENOENT"],
        "any-address": ["ECONNRESET"], "unknown-synthetic": ["ECONNRESET"], "own-synthetic": ["ECONNRESET"],
        // Landlock 4 refuses the port; before, nothing listens there.
        "other-port": ["EACCES", "ECONNREFUSED"], "quic": ["ECONNREFUSED"], "bind-low": ["EACCES"],
        "bind-dns": ["EACCES"],
        "bind-served": ["EACCES", "EADDRINUSE"], "netlink": ["EPERM"], "packet": ["EPERM"], "vsock": ["EPERM"],
        "ping": ["EPERM"], "raw": ["EPERM"], "sctp": ["EPERM"], "mptcp": ["EPERM"], "listen": ["EPERM", "EACCES"],
        "namespace": ["EPERM"],
        // The host of the request is not the granted one.
        "granted": ["ECONNRESET"],
    ]

    @Test func `no socket leads past the grants`() throws {
        let servers = try WebServers(on: "127.0.92.1", names: ["api.example"])
        let scene = try EgressScene(
            "api.example:80,private api.example:443,private api.example:7777,private lines.example:7777,private "
                + "meta.example:80 six.example:80 mapped.example:80",
            hosts: [
                "127.0.92.1 api.example lines.example", "169.254.169.254 meta.example", "fd00::1 six.example",
                "::ffff:127.0.92.1 mapped.example",
            ],
            files: ["attempts.py": Self.attempts]
        )
        let abstract = "@\(scene.daemon.folder.url.lastPathComponent)"
        let listener = try Command(
            URL(filePath: "/usr/bin/python3"),
            [
                "-c",
                "import socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1].replace('@', '\\0')); "
                    + "s.listen(); print('ready', flush=True); s.accept(); print('reached', flush=True)", abstract,
            ]
        )
        try eventually("the abstract socket listens: \(listener.errors)") { listener.output.contains("ready") }
        let ran = try scene.run("/usr/bin/python3 \(scene.file("attempts.py")) \(abstract)")
        #expect(!listener.output.contains("reached"))
        listener.signal(SIGKILL)
        #expect(ran.code == 0, "\(ran)")
        let lines = ran.text.split(separator: "\n").map { $0.split(separator: " ").map { String($0) } }
        let found = Dictionary(uniqueKeysWithValues: lines.filter { $0.count == 2 }.map { ($0[0], $0[1]) })
        #expect(Set(found.keys) == Set(Self.results.keys), "\(ran)")
        for (name, expected) in Self.results {
            #expect(expected.contains(found[name] ?? ""), "\(name): \(found[name] ?? "nothing")")
        }
        #expect(servers.connections == 0)
    }

    @Test func `malformed queries and floods are survived, and another sandbox still connects`() throws {
        let servers = try WebServers(on: "127.0.92.2", names: ["api.example"])
        let scene = try EgressScene(
            "api.example:80,private api.example:7777,private",
            hosts: ["127.0.92.2 api.example"],
            files: [
                "flood.py": """
                import os, random, socket, sys
                random.seed(48)
                s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                for _ in range(int(sys.argv[1])):
                    s.sendto(os.urandom(random.randrange(0, 600)), ("127.0.0.1", 53))
                target = (socket.gethostbyname("api.example"), 7777)
                held = [socket.socket() for _ in range(400)]
                for c in held:
                    c.setblocking(False)
                    c.connect_ex(target)
                t = socket.create_connection(("127.0.0.1", 53))
                t.sendall(b"\\xff\\xff" + b"x" * 100)
                open(sys.argv[2], "w").close()
                input()
                """
            ],
            otherApp: true
        )
        let flood = try scene.start(
            "mkfifo hold; sleep 600 >hold & /usr/bin/python3 \(scene.file("flood.py")) 5000 ready <hold & while [ ! -e ready ]; do sleep 0.1; done; echo flooding; sleep 600"
        )
        try eventually("the flood holds its connections; \(flood.errors)") { flood.errors.contains("flooding") }
        for _ in 0..<3 {
            let ran = try scene.run("curl -sS --max-time 20 http://api.example/", in: "other")
            #expect(ran.text.contains("host api.example"), "\(ran)")
        }
        // The limit of 256 connections for each sandbox.
        #expect(servers.connections <= 256 + 3)
        let run = try scene.daemon.run()
        #expect(try scene.daemon.intentctl("cancel", run).code == 0)
        _ = flood.exitCode()
    }

    @Test func `sandboxes that end leave no descriptor and no network namespace`() throws {
        let servers = try WebServers(on: "127.0.92.3", names: ["api.example"])
        let scene = try EgressScene("api.example:80,private", hosts: ["127.0.92.3 api.example"])
        func round(_ number: Int) throws {
            try scene.write("api.example:80,private api.example:\(1000 + number),private")
            #expect(try scene.daemon.intentctl("reload").code == 0)
            let ran = try scene.run("curl -sS http://api.example/")
            #expect(ran.text.contains("host api.example"), "\(ran)")
        }
        try round(0)
        let egress = try #require(scene.egress)
        try eventually("the first sandbox ends") { scene.namespaceSockets(of: egress) == 4 }
        for number in 1...(Endurance.isWhole ? 32 : 6) { try round(number) }
        #expect(scene.egress == egress)
        try eventually("only the last sandbox remains") { scene.namespaceSockets(of: egress) == 4 }
        #expect(servers.connections >= 7)
    }

    @Test func `a killed intentd-egress ends no run, and the next one serves its sandbox`() throws {
        let servers = try WebServers(on: "127.0.92.4", names: ["api.example", "a.w.example"])
        let scene = try EgressScene(
            "api.example:80,private *.w.example:80,private",
            hosts: ["127.0.92.4 api.example a.w.example"]
        )
        let ran = try scene.start(
            "curl -sS http://a.w.example/; echo; echo waiting; while [ ! -e \(scene.file("go")) ]; do sleep 0.1; done; "
                + "curl -sS http://api.example/; curl -sS http://a.w.example/"
        )
        try eventually("the run waits; \(ran.errors)") { ran.errors.contains("waiting") }
        let egress = try #require(scene.egress)
        kill(egress, SIGKILL)
        try eventually("another process serves") { scene.egress.map { $0 != egress } == true }
        try Data().write(to: URL(filePath: scene.file("go")))
        #expect(ran.exitCode() == 0, "\(ran.errors)")
        #expect(ran.errors.contains("host api.examplehost a.w.example"), "\(ran.errors)")
        #expect(servers.connections == 3)
    }

    @Test func `an upgrade of the launcher keeps the connections of its sandboxes`() throws {
        let servers = try WebServers(on: "127.0.92.5", names: ["api.example"])
        let scene = try EgressScene(
            "api.example:7777,private",
            hosts: ["127.0.92.5 api.example"],
            files: [
                "hold.py": """
                import os, socket, sys, time
                s = socket.create_connection(("api.example", 7777))
                s.sendall(b"x" * 1000)
                print("waiting", flush=True)
                while not os.path.exists(sys.argv[1]): time.sleep(0.1)
                s.sendall(b"x" * 1000)
                s.shutdown(socket.SHUT_WR)
                print(s.recv(100).decode())
                """
            ],
            sharesLauncher: true
        )
        let ran = try scene.start("/usr/bin/python3 \(scene.file("hold.py")) \(scene.file("go"))")
        try eventually("the run waits; \(ran.errors)") { ran.errors.contains("waiting") }
        let egress = try #require(scene.egress)
        try scene.daemon.replace("intentd-launcher", with: Programs.url("intentd-launcher"))
        let upgraded = try scene.daemon.intentctl("upgrade")
        #expect(upgraded.output.hasSuffix("; 1 run continues\n"), "\(upgraded)")
        try Data().write(to: URL(filePath: scene.file("go")))
        #expect(ran.exitCode() == 0, "\(ran.errors)")
        #expect(ran.errors.contains("2000 bytes"), "\(ran.errors)")
        #expect(scene.egress == egress)
        #expect(servers.connections == 1)
    }
}
