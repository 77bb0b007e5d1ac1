import Glibc
import IntentLauncherMessages
import IntentLinux

/// The secrets of `Credential=`, which only this process reads, and what inserts them.
final class Credentials {
    enum Secret {
        case found([UInt8])
        /// The reason, with the next step.
        case unusable(String)
    }

    /// The folder in which systemd passes credentials to intentd-egress.service, or that of a private daemon.
    private let path: String?
    /// The step that provides a credential with a name.
    private let advice: (String) -> String

    private lazy var rules = HostSocket.Rules()

    /// The folder from which the unit loads credentials (`LoadCredential=` in intentd-egress.service), and their prefix in it.
    private static let serviceFolder = "/etc/intentd/egress"
    private static let servicePrefix = "egress_"
    private static let limit = 8 << 10

    private init(path: String?, advice: @escaping (String) -> String) {
        self.path = path
        self.advice = advice
    }

    /// The credentials of intentd-egress.service.
    static var ofService: Credentials {
        Credentials(path: getenv("CREDENTIALS_DIRECTORY").map { String(foreign: $0) }) { name in
            "write the secret to \(serviceFolder)/\(name), or set LoadCredential=\(name):FILE in intentd-egress.service; "
                + "then run 'systemctl restart intentd-egress'"
        }
    }

    /// The credentials of a private daemon.
    static func at(_ path: String) -> Credentials {
        Credentials(path: path) { "write the secret to \(path)/\($0)" }
    }

    /// Returns what inserts a credential into a request for a host; nil if TLS cannot be used.
    func insertion(of credential: InsertedCredential, for host: String) -> EgressConnection.Insertion? {
        rules.map { rules in
            EgressConnection.Insertion(
                rewriter: HeadRewriter(host: host, credential: credential),
                secret: { self.secret(credential.name) },
                rules: rules
            )
        }
    }

    /// Reads the secret, without the line feed at its end. A private daemon's file can change at any time.
    func secret(_ name: String) -> Secret {
        let names = path.map { ["\($0)/\(name)", "\($0)/\(Self.servicePrefix)\(name)"] } ?? []
        var problem = "not found"
        for file in names {
            do {
                let opened = try File.open(file, O_RDONLY | O_NONBLOCK)
                guard var bytes = try File.readAll(opened.rawValue, limit: Self.limit) else {
                    problem = "larger than \(Self.limit) bytes"
                    break
                }
                if bytes.last == 10 { bytes.removeLast() }
                guard !bytes.isEmpty, bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
                    problem = "not one line of printable ASCII"
                    break
                }
                return .found(bytes)
            } catch {
                if error.code.rawValue != ENOENT { problem = "not readable: \(error)" }
            }
        }
        return .unusable("the credential '\(name)' is \(problem): \(advice(name))")
    }
}
