import Foundation
import Glibc
import Testing

/// A PostgreSQL server in a temporary folder, without TCP, as the user `postgres`. It stops with this object.
final class PostgresServer {
    /// The folder of the socket.
    let folder: URL
    private let data: String
    let password: String

    /// The reason why no server can be started on this machine; nil if a server can be started.
    static var obstacle: String? {
        if programs == nil { return "PostgreSQL is not installed" }
        if getpwnam("postgres") == nil { return "this host has no user 'postgres'" }
        return getuid() == 0 ? nil : "only root can start a server as another user"
    }

    /// The folder with the programs of the newest version (postgresql-common(7)).
    private static let programs: String? = {
        let folder = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return versions.compactMap { Int($0) }.sorted(by: >).map { "\(folder)/\($0)/bin" }.first {
            access("\($0)/initdb", X_OK) == 0
        }
    }()

    init() throws {
        let template = try Template.shared.get()
        password = template.password
        folder = try Self.makeFolder()
        data = Self.data(for: folder)
        // The password is in files, so that it is in no argument of the programs that this object starts.
        try Self.write("*:*:*:*:\(password)", to: folder.appending(path: "clients"))
        let copying = try Command(
            URL(filePath: "/bin/cp"),
            ["--archive", "--reflink=auto", template.data, data]
        )
        try #require(copying.exitCode() == 0, "\(copying.errors)")
        try start()
    }

    /// A new folder of the user `postgres`.
    private static func makeFolder() throws -> URL {
        // The path of a socket has at most 107 bytes.
        let folder = URL(filePath: "/tmp/intentd-pg-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let account = try #require(getpwnam("postgres")?.pointee)
        chown(folder.path, account.pw_uid, account.pw_gid)
        chmod(folder.path, 0o755)
        return folder
    }

    /// Writes a file that only the user `postgres` may read.
    private static func write(_ line: String, to file: URL) throws {
        let account = try #require(getpwnam("postgres")?.pointee)
        try Data("\(line)\n".utf8).write(to: file)
        chown(file.path, account.pw_uid, account.pw_gid)
        chmod(file.path, 0o600)
    }

    /// The files of a new server, which each test copies. To create them takes a second of processor time.
    private struct Template {
        let folder: URL
        let data: String
        let password = "hush-\(UInt64.random(in: 0 ... .max))"

        static let shared = Result { try Template() }

        init() throws {
            folder = try PostgresServer.makeFolder()
            data = PostgresServer.data(for: folder)
            atexit {
                // The tests have ended, and a folder that stays in /tmp is harmless.
                guard let template = try? Template.shared.get() else { return }
                try? FileManager.default.removeItem(at: template.folder)
                try? FileManager.default.removeItem(atPath: template.data)
            }
            let secret = folder.appending(path: "password")
            try PostgresServer.write(password, to: secret)
            let making = try Command(
                URL(filePath: "/usr/sbin/runuser"),
                [
                    "-u", "postgres", "--", "\(PostgresServer.programs ?? "")/initdb", "-D", data,
                    "--auth=scram-sha-256", "--pwfile=\(secret.path)", "--no-sync", "-E", "UTF8",
                ],
                directory: URL(filePath: "/")
            )
            try #require(making.exitCode() == 0, "\(making.errors)\(making.output)")
        }
    }

    /// Where the server listens besides the socket, as options of the server.
    private var network = "-c listen_addresses="

    /// Restarts the server with TLS at an address of this host, as 'fleet init --certificates' tells the operator to.
    func startTLS(at address: String, with folder: URL, database: String) throws {
        _ = try run(["pg_ctl", "-D", data, "-m", "fast", "-w", "stop"])
        try copyCertificates(from: folder)
        let rules = "\(data)/pg_hba.conf"
        let old = try String(contentsOfFile: rules, encoding: .utf8)
        try Data("hostssl \(database) +fleet_node all cert\n\(old)".utf8).write(to: URL(filePath: rules))
        let files =
            "-c ssl_cert_file=server.crt -c ssl_key_file=server.key -c ssl_ca_file=ca.crt -c ssl_crl_file=ca.crl"
        network = "-c listen_addresses=\(address) -c ssl=on \(files)"
        try start()
    }

    /// Restarts the server so that it also listens at an address of this host.
    func listen(at address: String) throws {
        _ = try run(["pg_ctl", "-D", data, "-m", "fast", "-w", "stop"])
        network = "-c listen_addresses=\(address)"
        try start()
    }

    /// Copies certificates to the server's folder. The server reads them when it reloads its settings.
    func copyCertificates(from folder: URL) throws {
        let account = try #require(getpwnam("postgres")?.pointee)
        for name in ["server.crt", "server.key", "ca.crt", "ca.crl"] {
            let copy = URL(filePath: "\(data)/\(name)")
            try Data(contentsOf: folder.appending(path: name)).write(to: copy)
            chown(copy.path, account.pw_uid, account.pw_gid)
            chmod(copy.path, 0o600)
        }
    }

    /// Starts the server, also after ``kill()``. The processes of a killed server exit a moment later.
    func start() throws {
        // The tests kill processes, and a file that a killed process has written needs no fsync.
        let settings = "-c fsync=off -c shared_buffers=16MB"
        let options =
            "\(network) \(settings) -c unix_socket_directories=\(folder.path) -c unix_socket_permissions=0777"
        var failure = ""
        try eventually("the server starts: \(failure)") {
            let command = try start(["pg_ctl", "-D", data, "-w", "-l", "\(folder.path)/log", "-o", options, "start"])
            defer { failure = command.errors + command.output }
            return command.exitCode() == 0
        }
    }

    /// Kills the server. Its other processes exit when they detect the loss.
    func kill() throws {
        let lines = try String(contentsOfFile: "\(data)/postmaster.pid", encoding: .utf8).split(separator: "\n")
        let process = try #require(lines.first.flatMap { Int32($0) })
        Glibc.kill(process, SIGKILL)
    }

    deinit {
        // Fails harmlessly if the server has already exited.
        _ = try? run(["pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"])
        try? FileManager.default.removeItem(at: folder)
        // Removed with the folder if it is in it.
        try? FileManager.default.removeItem(atPath: data)
    }

    /// The folder of a server's files: in memory if there is room, because a file system on a disk can take half a
    /// second of processor time to create the thousand files of a server.
    private static func data(for folder: URL) -> String {
        let memory = "/dev/shm"
        // Without such a file system, the files are in the folder itself.
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: memory)
        let room = attributes?[.systemFreeSize] as? Int ?? 0
        return room > 2_000_000_000 ? "\(memory)/\(folder.lastPathComponent)" : "\(folder.path)/data"
    }

    private func start(_ words: [String]) throws -> Command {
        let program = "\(Self.programs ?? "")/\(words[0])"
        let environment = ["/usr/bin/env", "PGPASSFILE=\(folder.path)/clients", "PGHOST=\(folder.path)"]
        return try Command(
            URL(filePath: "/usr/sbin/runuser"),
            ["-u", "postgres", "--"] + environment + [program] + words.dropFirst(),
            directory: URL(filePath: "/")
        )
    }

    @discardableResult
    private func run(_ words: [String]) throws -> String {
        let command = try start(words)
        try #require(command.exitCode() == 0, "\(words[0]): \(command.errors)\(command.output)")
        return command.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func psql(_ statement: String, in database: String) -> [String] {
        ["psql", "-d", database, "-AtX", "-v", "ON_ERROR_STOP=1", "-c", statement]
    }

    @discardableResult
    func execute(_ statement: String, in database: String = "postgres") throws -> String {
        try run(Self.psql(statement, in: database))
    }

    /// Locks a table for all other sessions while the body runs.
    func locking(_ table: String, _ body: () throws -> Void) throws {
        let statement = "begin; lock table \(table); select pg_sleep(3600)"
        let holder = try start(Self.psql(statement, in: "postgres"))
        let session = "from pg_stat_activity where query like 'begin; lock%' and pid <> pg_backend_pid()"
        try eventually("the table is locked; psql says: \(holder.errors)") {
            try execute("select count(*) \(session) and wait_event = 'PgSleep'") == "1"
        }
        defer {
            _ = try? execute("select pg_terminate_backend(pid) \(session)")
            holder.exitCode()
        }
        try body()
    }

    /// The number of the program's sessions that wait for a lock.
    func waiting(_ program: String) throws -> Int {
        let sessions = "application_name = '\(program)' and wait_event_type = 'Lock'"
        return Int(try execute("select count(*) from pg_stat_activity where \(sessions)")) ?? 0
    }

    func restore(_ archive: URL, into database: String) throws {
        // The server's user may lack permission to read the original archive.
        let copy = folder.appending(path: "archive")
        try FileManager.default.copyItem(at: archive, to: copy)
        chmod(copy.path, 0o644)
        try run(["pg_restore", "-d", database, copy.path])
    }
}
