import Glibc
import IntentConfiguration
import IntentLinux

/// A fleet's certificate authority, in one of the operator's folders. The program openssl(1ssl) creates the keys and
/// the certificates. The authority's key never leaves the folder.
struct CertificateFolder {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// A database server: the name in its certificate, and its address.
    struct Server {
        var name: String
        var address: String

        /// Parses `NAME=ADDRESS`.
        init?(_ text: some StringProtocol) {
            let parts = Substring(text).split(scalar: "=")
            guard parts.count == 2, FleetSettings.isHostName(parts[0]),
                parts[1].utf8.allSatisfy({ "0123456789abcdefABCDEF.:".utf8.contains($0) })
            else { return nil }
            (name, address) = (String(parts[0]), String(parts[1]))
        }
    }

    /// The folder in which a host stores its certificate. The service can read the key, but not replace it.
    private static let hostFolder = "etc/intentd/fleet"

    let path: String

    init(_ path: String) throws {
        guard let absolute = path.hasPrefix(utf8: "/") ? path : File.currentFolder.map({ "\($0)/\(path)" }) else {
            throw Failure(description: "--certificates: expected an absolute path, got '\(path)'")
        }
        self.path = absolute
    }

    var exists: Bool { access("\(path)/ca.key", F_OK) == 0 }

    // MARK: Authority

    /// Creates the authority, the servers' certificate, and an empty list of revoked certificates.
    func create(for database: String, _ servers: [Server]) throws {
        guard !exists else { throw Failure(description: "'\(path)' already has an authority") }
        guard !servers.isEmpty else {
            throw Failure(description: "--server: expected NAME=ADDRESS of the database's server")
        }
        try File.makeFolders("\(path)/issued", permissions: 0o700)
        let names = servers.map { "DNS:\($0.name),IP:\($0.address)" }.joined(separator: ",")
        try write(Self.settings.replacing(utf8: "NAMES", with: names), as: "openssl.cnf")
        try write("", as: "index.txt")
        try write(servers.map { "\($0.name)=\($0.address)\n" }.joined(), as: "servers")
        try openssl(
            ["req", "-x509", "-extensions", "authority", "-days", "3650"]
                + Self.newKey("intentd fleet \(database)", "ca.key") + ["-out", "ca.crt"]
        )
        try issue("server", name: servers[0].name, as: "server")
        try writeRevocations()
    }

    /// Creates a certificate and an archive for a host. The host's earlier certificates remain valid.
    ///
    /// - Returns: The path of the archive, which contains the host's files below `/`.
    func issueHost(_ host: String, database: String) throws -> String {
        guard exists else {
            throw Failure(description: "'\(path)' has no authority; run 'fleet init --certificates' first")
        }
        let root = "hosts/\(host)"
        let names = ["ca.crt", "host.crt", "host.key"].map { "\(Self.hostFolder)/\($0)" }
        try File.makeFolders("\(path)/\(root)/\(Self.hostFolder)", permissions: 0o700)
        try File.makeFolders("\(path)/\(root)/etc/intentd/intentd.conf.d", permissions: 0o700)
        try issue("host", name: host, as: "\(root)/\(Self.hostFolder)/host")
        try write(try File.text(at: "\(path)/ca.crt"), as: "\(root)/\(names[0])")
        let files = names.map { "/\($0)" }
        let lines = try File.lines(at: "\(path)/servers").compactMap { Server($0) }.map { server in
            "Database=hostaddr=\(server.address) host=\(server.name) dbname=\(database) user=\(host) sslmode=verify-full "
                + "sslrootcert=\(files[0]) sslcert=\(files[1]) sslkey=\(files[2])\n"
        }
        let settings = ["etc/intentd/fleet.conf", "etc/intentd/intentd.conf.d/fleet.conf"]
        try write("[Fleet]\nName=\(host)\n" + lines.joined(), as: "\(root)/\(settings[0])")
        try write("[Fleet]\nUser=intentd-fleet\n", as: "\(root)/\(settings[1])")
        // The archive contains no folders, so that unpacking it does not change their permissions.
        let tar = ["tar", "-C", root, "--owner=root:0", "--group=intentd-fleet:0"]
        try run(tar + ["--mode=0640", "-cf", "\(host).tar", names[2]])
        try run(tar + ["--mode=0644", "-rf", "\(host).tar"] + names.dropLast() + settings)
        return "\(path)/\(host).tar"
    }

    /// Revokes all of a host's certificates.
    ///
    /// - Returns: The path of the list of revoked certificates.
    func revokeHost(_ host: String) throws -> String {
        for line in try File.lines(at: "\(path)/index.txt") {
            // The columns are: V for a valid certificate, its expiry, the revocation, the serial, a file, the name.
            let columns = line.split(scalar: "\t", omittingEmptySubsequences: false)
            guard columns.count == 6, columns[0] == "V", columns[5] == "/CN=\(host)" else { continue }
            try openssl(["ca", "-revoke", "issued/\(columns[3]).pem"])
        }
        try writeRevocations()
        return "\(path)/ca.crl"
    }

    // MARK: openssl

    private static func newKey(_ name: String, _ key: String) -> [String] {
        ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-subj", "/CN=\(name)", "-keyout", key]
    }

    private func issue(_ kind: String, name: String, as file: String) throws {
        try openssl(["req", "-new"] + Self.newKey(name, "\(file).key") + ["-out", "request.csr"])
        try openssl(["ca", "-batch", "-notext", "-extensions", kind, "-in", "request.csr", "-out", "\(file).crt"])
    }

    private func writeRevocations() throws { try openssl(["ca", "-gencrl", "-out", "ca.crl"]) }

    private func openssl(_ words: [String]) throws {
        try run(["openssl", words[0], "-config", "openssl.cnf"] + words.dropFirst())
    }

    /// Runs a program in the folder. If the program fails, its messages are part of the error.
    private func run(_ words: [String]) throws {
        let script = "umask 077 && cd \"$0\" && exec \"$@\" 2>&1 </dev/null"
        let (text, isSuccess) = try ChildProcess.output(of: "/bin/sh", arguments: ["-c", script, path] + words)
        guard isSuccess else { throw Failure(description: "\(words.prefix(2).joined(separator: " ")) failed: \(text)") }
    }

    private func write(_ text: String, as name: String) throws {
        let file = SharedFileDescriptor(
            try File.open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC)
        )
        try File.write(file.rawValue, Array(text.utf8)[...])
    }

    private static let settings = """
        [ca]
        default_ca = fleet
        [fleet]
        database = index.txt
        new_certs_dir = issued
        certificate = ca.crt
        private_key = ca.key
        default_md = sha256
        rand_serial = yes
        unique_subject = no
        policy = names
        default_days = 365
        default_crl_days = 3650
        [names]
        commonName = supplied
        [req]
        distinguished_name = nothing
        [nothing]
        [authority]
        basicConstraints = critical,CA:true,pathlen:0
        keyUsage = critical,keyCertSign,cRLSign
        subjectKeyIdentifier = hash
        [host]
        basicConstraints = critical,CA:false
        keyUsage = critical,digitalSignature
        extendedKeyUsage = clientAuth
        [server]
        basicConstraints = critical,CA:false
        keyUsage = critical,digitalSignature
        extendedKeyUsage = serverAuth
        subjectAltName = NAMES

        """
}
