import FoundationEssentials
import IntentLinux

/// The file with the intents of an app that the user saw last with `intentctl describe --changes`.
struct ReviewedCatalog {
    private let path: String

    private static let byteLimit = 4 << 20

    /// - Parameter app: The name of the app, or the path of a local one.
    /// - Throws: ``CommandFailure`` if the user has no folder for caches.
    init(of app: String) throws(CommandFailure) {
        guard let folder = PrivateDaemon.cacheFolder else {
            throw CommandFailure.output("there is no folder for the review: set HOME")
        }
        path = "\(folder)/reviews/\(app.utf8.map { Self.isPlain($0) ? String(UnicodeScalar($0)) : "%\($0)" }.joined())"
    }

    private static func isPlain(_ byte: UInt8) -> Bool { byte.isASCIILetterOrDigit || "-_.".utf8.contains(byte) }

    /// Returns the intents; nil before the first review.
    func read() -> [IntentDeclaration]? {
        guard let bytes = try? File.bytes(at: path, limit: Self.byteLimit) else { return nil }
        return try? WireCoding.decodeFile([IntentDeclaration].self, from: bytes)
    }

    func write(_ intents: [IntentDeclaration]) throws(CommandFailure) {
        do {
            let url = URL(filePath: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try Data(WireCoding.encode(intents)).write(to: url, options: .atomic)
        } catch {
            throw CommandFailure.output("cannot record the review in '\(path)': \(error)")
        }
    }
}
