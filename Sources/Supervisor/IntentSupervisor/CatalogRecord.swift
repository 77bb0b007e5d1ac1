import Glibc
import IntentConfiguration
import IntentDaemon
import IntentHash
import IntentLauncherMessages
import IntentLinux

/// The file in which a private daemon records the catalogue of an app. While the record applies, later private daemons
/// of the user perform a run without asking the app to describe its intents first.
///
/// The record is a copy. It applies only to the files from which the app described its intents: the executable, its
/// libraries, the files with its settings and this program are compared when the record is read and when it is
/// written. An app can also choose its own catalogue, so the record is read with the checks for an app's report.
struct CatalogRecord {
    /// The maximum number of records of a user. The oldest records are removed.
    static let countLimit = 64
    /// How long ago a file must have changed, in nanoseconds. A file system records times in steps of up to 1 s, so two
    /// changes within this time can be indistinguishable.
    private static let unchangedNanoseconds: Int64 = 1_000_000_000

    private let file: UserRecord
    private let app: AppSettings
    /// The hash of the conditions under which the app described its intents.
    private let conditions: [UInt8]

    /// - Parameters:
    ///   - folder: The absolute path of the folder with the user's records.
    ///   - now: The current time in nanoseconds since 1970.
    /// - Returns: Nil if the app's files have just changed, or if their versions cannot be determined.
    init?(of app: AppSettings, in folder: String, at now: Int64 = ClockReading.realtimeNanoseconds()) {
        guard let conditions = Self.conditions(of: app, unchangedSince: now - Self.unchangedNanoseconds) else {
            return nil
        }
        self.app = app
        self.conditions = conditions
        let path = ([app.executable] + app.arguments).joined(separator: "\0")
        file = UserRecord(at: "\(folder)/\(SHA256.hexadecimal(of: path.utf8))")
    }

    /// Returns the recorded catalogue; nil if the user has no record that applies.
    func read() -> IntentCatalog? {
        guard let bytes = file.read(limit: conditions.count + WorkerReport.catalogByteLimit),
            bytes.starts(with: conditions),
            let catalog = try? WorkerReport.catalog(in: Array(bytes.dropFirst(conditions.count))),
            catalog.identifierProblem == nil
        else { return nil }
        return catalog
    }

    /// Records a catalogue, unless the app's files have changed since this value was created.
    ///
    /// - Throws: ``SystemError``.
    func write(_ catalog: IntentCatalog) throws(SystemError) {
        // Declarations of another program can change although no file of the app does.
        guard !catalog.intents.contains(where: { $0.details?.version != nil }),
            Self.conditions(of: app, unchangedSince: .max) == conditions
        else { return }
        try file.write(conditions + WireCoding.encode(WorkerReport.catalog(catalog)))
        try file.removeOldest(keeping: Self.countLimit)
    }

    /// Returns the hash of the conditions, because the app's environment can contain secrets.
    ///
    /// - Parameter latest: The latest time of a change of a file, in nanoseconds since 1970.
    /// - Returns: Nil if a file has changed later, or if a file's version cannot be determined.
    private static func conditions(of app: AppSettings, unchangedSince latest: Int64) -> [UInt8]? {
        guard let closure = try? LibraryClosure(of: app.executable), closure.missing.isEmpty else { return nil }
        // This program decodes the catalogue, and its launcher chooses the app's environment.
        let program = ["/proc/self/exe", ProcessFacts.programBesideOurs("intentd-launcher")]
        let settings = (app.arguments.first ?? app.executable) + ".conf"
        var lines: [String] = []
        for path in [app.executable] + app.arguments + closure.libraries + [closure.interpreter, settings] + program {
            guard let path else { continue }
            let version = UserRecord.FileVersion(of: path)
            // An app need not have a file with settings.
            if version == nil, path != settings { return nil }
            if let version, version.changedNanoseconds > latest { return nil }
            lines.append("\(path): \(version?.description ?? "")")
        }
        lines.append("libraries in: \(closure.extraFolders.joined(separator: ":"))")
        for name in ["LANG", "TZ"] { lines.append("\(name): \(getenv(name).map { String(foreign: $0) } ?? "")") }
        lines += app.unit.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return SHA256.hash(lines.joined(separator: "\n").utf8)
    }
}
