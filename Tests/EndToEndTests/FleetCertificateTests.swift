import Foundation
import Glibc
import TestSupport
import Testing

/// The certificates that `intentctl fleet` creates, with a real openssl and a real PostgreSQL server that requires
/// them.
@Suite(.ownThread, .serialized, .enabled(if: FleetHosts.obstacle == nil, Comment(rawValue: FleetHosts.obstacle ?? "")))
final class FleetCertificateTests {
    private let server: PostgresServer
    private let folder: TemporaryFolder
    /// An address that no other test uses.
    private let address = "127.\((1...3).map { _ in "\(Int.random(in: 1...254))" }.joined(separator: "."))"
    private var authority: URL { folder.appending("authority") }

    init() throws {
        folder = try TemporaryFolder()
        server = try PostgresServer()
        try server.execute("create database fleet")
        let made = try fleet("init", "--certificates", authority.path, "--server", "db1=\(address)")
        #expect(made.contains("hostssl fleet +fleet_node all cert"))
        try server.startTLS(at: address, with: authority, database: "fleet")
    }

    @Test func `with its archive a new host connects, and its key and the authority's key are protected`() throws {
        let added = try fleet("add-host", "web1", "--certificates", authority.path)
        #expect(added.contains("ssh root@web1") && added.contains("web1.tar"), "\(added)")
        let listing = try run("/usr/bin/tar", "--numeric-owner", "-tvf", authority.appending(path: "web1.tar").path)
            .output
        let files = listing.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(
            files.map { "\($0[0]) \($0[5])" }.sorted() == [
                "-rw-r----- etc/intentd/fleet/host.key", "-rw-r--r-- etc/intentd/fleet.conf",
                "-rw-r--r-- etc/intentd/fleet/ca.crt", "-rw-r--r-- etc/intentd/fleet/host.crt",
                "-rw-r--r-- etc/intentd/intentd.conf.d/fleet.conf",
            ],
            "\(listing)"
        )
        for key in ["ca.key", "server.key", "hosts/web1/etc/intentd/fleet/host.key"] {
            let path = authority.appending(path: key).path
            let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect(permissions as? Int == 0o600, "\(key)")
        }
        // The service connects with the settings of the archive, and its beat reaches the database.
        let host = try unpack("web1", from: authority)
        let socket = folder.appending("clients.sock").path
        let service = try Command(
            Programs.url("intentd-fleet"),
            [
                "--configuration", host.appending(path: "etc/intentd/fleet.conf").path, "--intentd-socket",
                folder.appending("none.sock").path, "--socket", socket, "--state", folder.appending("state").path,
            ]
        )
        defer {
            service.signal(SIGTERM)
            service.exitCode()
        }
        try eventually("the host is alive; it says: \(service.errors)") {
            try server.execute("select seen is not null from fleet.node", in: "fleet") == "t"
        }
        #expect(
            try server.execute("select ssl from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'web1'")
                .split(separator: "\n").allSatisfy { $0 == "t" }
        )
        func problems() throws -> String {
            try Command(Programs.intentctl, ["--fleet", "status"], environment: ["INTENTD_FLEET_SOCKET": socket])
                .finished
        }
        #expect(try !problems().contains("certificate"))
        try sign("web1", in: authority, from: "20260101000000Z", until: day(10), to: host)
        #expect(try problems().contains("host.crt' expires in 9 days"))
        try sign("web1", in: authority, from: "20200101000000Z", until: "20200201000000Z", to: host)
        #expect(try problems().contains("host.crt' has expired"))
    }

    @Test func `certificates of another host, of another authority and past their time are refused`() throws {
        let other = folder.appending("other")
        try fleet("init", "--certificates", other.path, "--server", "db1=\(address)")
        try fleet("add-host", "web1", "--certificates", authority.path)
        try fleet("add-host", "web2", "--certificates", authority.path)
        let (web1, web2) = (try unpack("web1", from: authority), try unpack("web2", from: authority))
        #expect(try connect(web1) == "web1")
        #expect(try connect(web2) == "web2")
        #expect(try connect(web2, as: "web1").contains("authentication failed"))
        try fleet("add-host", "web1", "--certificates", other.path)
        let foreign = try unpack("web1", from: other)
        // The host refuses a server of another authority, and the server refuses a host of another authority.
        #expect(try connect(foreign).contains("certificate verify failed"))
        try copy("ca.crt", from: web1, to: foreign)
        #expect(try connect(foreign).contains("unknown ca"))
        try sign("web1", in: authority, from: "20200101000000Z", until: "20200201000000Z", to: web1)
        #expect(try connect(web1).contains("certificate expired"))
        try sign("web1", in: authority, from: "20260101000000Z", until: day(10), to: web1)
        #expect(try connect(web1) == "web1")
        // The certificate of the server is not the certificate of a host, and has only the name of the server.
        for file in ["crt", "key"] { try copy("server.\(file)", at: authority, as: "host.\(file)", to: web1) }
        #expect(try connect(web1, as: "db1").contains("certificate"))
        let wrong = try text(web2).replacing("host=db1", with: "host=db2")
        #expect(try connect(wrong).contains("does not match host name"))
    }

    @Test func `a removed host is refused, also after another host has received its name, and a renewal is not`() throws
    {
        try fleet("add-host", "web1", "--certificates", authority.path)
        let first = try unpack("web1", from: authority)
        try fleet("add-host", "web1", "--certificates", authority.path)
        let renewed = try unpack("web1", from: authority)
        #expect(try connect(first) == "web1")
        #expect(try connect(renewed) == "web1")
        let removed = try fleet("remove-host", "web1", "--certificates", authority.path)
        #expect(removed.contains("ca.crl"), "\(removed)")
        let refused = try connect(renewed)
        #expect(refused.contains("no password supplied"), "\(refused)")
        try fleet("add-host", "web1", "--certificates", authority.path)
        let next = try unpack("web1", from: authority)
        try server.copyCertificates(from: authority)
        try server.execute("select pg_reload_conf()")
        try eventually("the server has read the list") { try connect(first).contains("certificate revoked") }
        #expect(try connect(renewed).contains("certificate revoked"))
        #expect(try connect(next) == "web1")
    }

    // MARK: Commands

    @discardableResult
    private func fleet(_ words: String...) throws -> String {
        let database = ["INTENTD_FLEET_DATABASE": server.connection(as: "postgres")]
        let command = try Command(Programs.intentctl, ["fleet"] + words, environment: database)
        try #require(command.exitCode() == 0, "fleet \(words): \(command.errors)\(command.output)")
        return command.output
    }

    @discardableResult
    private func run(_ program: String, _ words: String...) throws -> (output: String, errors: String) {
        let command = try Command(URL(filePath: program), words)
        try #require(command.exitCode() == 0, "\(program): \(command.errors)")
        return (command.output, command.errors)
    }

    /// Unpacks the archive of a host into a folder of its own, and lets its settings name the files there.
    private func unpack(_ host: String, from authority: URL) throws -> URL {
        let root = folder.appending("\(host)-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: false)
        let archive = authority.appending(path: "\(host).tar").path
        try run("/usr/bin/tar", "--no-same-owner", "-xf", archive, "-C", root.path)
        let settings = root.appending(path: "etc/intentd/fleet.conf")
        let text = try String(contentsOf: settings, encoding: .utf8).replacing("=/etc/", with: "=\(root.path)/etc/")
        try Data(text.utf8).write(to: settings)
        return root
    }

    /// The connection string of a host.
    private func text(_ host: URL) throws -> String {
        let settings = try String(contentsOf: host.appending(path: "etc/intentd/fleet.conf"), encoding: .utf8)
        return String(try #require(settings.firstMatch(of: /Database=(.*)/)).1)
    }

    private func connect(_ host: URL, as role: String? = nil) throws -> String {
        let text = try text(host)
        return try connect(role.map { text.replacing(/user=\w+/, with: "user=\($0)") } ?? text)
    }

    /// Connects with psql, and returns its role, or the error.
    private func connect(_ connection: String) throws -> String {
        try Command(URL(filePath: "/usr/bin/psql"), ["-XqAtw", "-d", connection, "-c", "select session_user"]).finished
    }

    private func copy(_ file: String, from host: URL, to other: URL) throws {
        try copy(file, at: host.appending(path: "etc/intentd/fleet"), as: file, to: other)
    }

    private func copy(_ file: String, at source: URL, as name: String, to host: URL) throws {
        let target = host.appending(path: "etc/intentd/fleet/\(name)")
        try Data(contentsOf: source.appending(path: file)).write(to: target)
        chmod(target.path, 0o600)
    }

    /// Replaces the certificate of a host with one of another period.
    private func sign(_ host: String, in authority: URL, from start: String, until end: String, to root: URL) throws {
        let own = root.appending(path: "etc/intentd/fleet").path
        let script = """
            cd "$1" && openssl req -config openssl.cnf -new -key "$2/host.key" -subj "/CN=$3" -out test.csr && \
            openssl ca -config openssl.cnf -batch -notext -extensions host -startdate "$4" -enddate "$5" -in test.csr \
            -out "$2/host.crt"
            """
        try run("/bin/sh", "-c", script, "sh", authority.path, own, host, start, end)
    }

    /// A day from now, as openssl ca(1ssl) expects it.
    private func day(_ offset: Double) -> String {
        var time = time_t(Date(timeIntervalSinceNow: offset * 86_400).timeIntervalSince1970)
        var parts = tm()
        gmtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y%m%d%H%M%SZ", &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension Command {
    /// The output and the errors after the end.
    fileprivate var finished: String {
        exitCode()
        return (output + errors).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
