import Glibc
import IntentLauncherMessages
import IntentLinux

/// The connections of a sandboxed program through intentd-egress (`AllowHosts=`), compared with direct ones and with those
/// through a CONNECT proxy. Each of them is the same Python program, and the server is on this host.
enum EgressFigures {
    /// The figures that Tests/Benchmarks/Peers/egress.py writes.
    private struct Round: Codable {
        var connect: [Double]
        var trip: [Double]
        var bulk: [Double]
    }

    private struct Series {
        var connect = Samples(), trip = Samples(), bulk = Samples()

        static func += (left: inout Series, right: Round) {
            left.connect += Samples(right.connect)
            left.trip += Samples(right.trip)
            left.bulk += Samples(right.bulk)
        }
    }

    private static let python = "/usr/bin/python3"
    private static let proxy = "/usr/bin/tinyproxy"

    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let options = workbench.options
        let script = "\(options.peerFolder)/egress.py"
        guard !options.peerFolder.isEmpty, access(script, R_OK) == 0, access(python, X_OK) == 0 else {
            throw BenchmarkError("it needs \(python) and the script egress.py (--peers)")
        }
        let folder = try TemporaryFolder()
        var servers: [ChildProcess] = []
        defer { for server in servers { stop(server) } }
        let port = try serve(script, in: folder, &servers)
        let out = "\(folder.path)/figures.json"
        try folder.write([""], to: "figures.json")
        try syscall("chmod", on: out) { chmod(out, 0o666) }
        let count = options.count(400, quick: 60)
        let daemon = try BenchmarkDaemon(
            workbench.programs,
            apps: [],
            commands: [
                "[Intent Measure]", "Exec=\(python) \(script) measure \(port) \(out) \(count)", "Runtime=5min",
                "[Sandbox]",
                "AllowHosts=127.0.0.1:\(port)", "Programs=system \(script)", "WritePaths=\(out)", "MemoryMax=infinity",
            ]
        )
        let client = try daemon.connect()
        var request = try PreparedPerform(app: "Tools", intent: "Measure")
        let proxyPort = try startProxy(port, in: folder, &servers)
        var ours = Series(), direct = Series(), proxied = Series()
        for _ in 0..<options.count(5, quick: 2) {
            _ = try SubmitFigures.calls(1, &request, on: client)
            ours += try round(out)
            try QuietProgram.run(python, [script, "measure", port, out, "\(count)"])
            direct += try round(out)
            guard let proxyPort else { continue }
            try QuietProgram.run(python, [script, "measure", port, out, "\(count)", proxyPort])
            proxied += try round(out)
        }
        func figure(_ title: String, _ unit: Figure.Unit, _ series: KeyPath<Series, Samples>) -> Figure {
            let peer =
                proxyPort == nil
                ? Comparison("tinyproxy", problem: "not installed")
                : Comparison("tinyproxy", proxied[keyPath: series])
            return Figure("egress", title, unit, ours[keyPath: series])
                .beside([Comparison("direct", direct[keyPath: series])], peers: [peer])
        }
        return [
            figure("connection and first byte", .milliseconds, \.connect),
            figure("round trip on an open connection", .milliseconds, \.trip),
            figure("bytes from the server, 256 MiB at a time", .megabytesPerSecond, \.bulk),
        ]
    }

    private static func round(_ path: String) throws -> Round {
        let file = try File.open(path)
        guard let bytes = try File.readAll(file.rawValue, limit: 1 << 24) else {
            throw BenchmarkError("\(path) is too large")
        }
        return try WireCoding.decode(Round.self, from: bytes)
    }

    /// Starts the server, and returns its port.
    private static func serve(
        _ script: String,
        in folder: TemporaryFolder,
        _ servers: inout [ChildProcess]
    ) throws -> String {
        let file = "\(folder.path)/port"
        servers.append(try start(python, [script, "serve", file]))
        for _ in 0..<1000 where access(file, R_OK) != 0 { usleep(10_000) }
        let opened = try File.open(file)
        return String(foreign: try File.readAll(opened.rawValue, limit: 16) ?? [])
    }

    /// Starts a proxy that permits CONNECT to a port, and returns the proxy's port; nil if it is not installed.
    private static func startProxy(
        _ port: String,
        in folder: TemporaryFolder,
        _ servers: inout [ChildProcess]
    ) throws -> String? {
        guard access(proxy, X_OK) == 0 else { return nil }
        let own = "\(20_000 + Int(getpid()) % 10_000)"
        try folder.write(
            [
                "Port \(own)", "Listen 127.0.0.1", "MaxClients 200", "Timeout 600", "LogLevel Critical",
                "ConnectPort \(port)",
            ],
            to: "tinyproxy.conf"
        )
        servers.append(try start(proxy, ["-d", "-c", "\(folder.path)/tinyproxy.conf"]))
        usleep(500_000)
        return own
    }

    private static func start(_ program: String, _ arguments: [String]) throws -> ChildProcess {
        let process = try ChildProcess.start(program, arguments: arguments, isSilent: true)
        Cleanup.add(process.number)
        return process
    }

    private static func stop(_ process: ChildProcess) {
        kill(process.number, SIGKILL)
        // The exit status does not affect the measurements.
        _ = process.waitForEnd()
        Cleanup.remove(process.number)
    }
}
