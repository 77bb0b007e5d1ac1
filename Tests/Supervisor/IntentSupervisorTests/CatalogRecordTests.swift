import Foundation
import Glibc
import IntentConfiguration
import IntentDaemon
import IntentLauncherMessages
import IntentLinux
import TestSupport
import Testing

@testable import IntentSupervisor

/// The recorded catalogue of an app, with real files.
@Suite(.ownThread, .timeLimit(.minutes(1))) struct CatalogRecordTests {
    private static let catalog = IntentCatalog(intents: [IntentDeclaration(name: "Order", title: "Order soup")])

    /// The folder with the app and the records.
    private final class Folder {
        private let directory = TemporaryDirectory()

        func path(_ name: String) -> String { directory(name) }
    }

    private let folder = Folder()
    private let executable: String

    init() throws {
        executable = folder.path("Soup")
        try FileManager.default.copyItem(atPath: "/bin/true", toPath: executable)
    }

    private func app(_ path: String? = nil) throws -> AppSettings {
        let installation = Installation(appFolders: [], executables: [path ?? executable], user: nil)
        let name = try #require(installation.appNames(on: .kernel).first)
        guard case .found(let app) = installation.app(name, on: .kernel) else { throw POSIXError(.ENOENT) }
        return app
    }

    /// Returns the record of the app as it is now, a minute after the last change of its files.
    private func record(_ path: String? = nil) throws -> CatalogRecord {
        let now = ClockReading.realtimeNanoseconds() + 60_000_000_000
        return try #require(CatalogRecord(of: try app(path), in: folder.path("records"), at: now))
    }

    @Test func `a recorded catalogue is read until the executable changes`() throws {
        #expect(try record().read() == nil)
        try record().write(Self.catalog)
        #expect(try record().read() == Self.catalog)
        // The size, the inode and the time of the last modification stay the same.
        var times = stat()
        #expect(stat(executable, &times) == 0)
        let file = try File.open(executable, O_RDWR)
        try File.write(file.rawValue, File.read(file.rawValue, upTo: 4, at: 0)[...])
        #expect(futimens(file.rawValue, [times.st_atim, times.st_mtim]) == 0)
        #expect(try record().read() == nil)
    }

    @Test func `a replaced executable, other settings and another environment need another description`() throws {
        try record().write(Self.catalog)
        let settings = "[App]\nEnvironment=SOUP=tomato\n"
        try settings.write(toFile: executable + ".conf", atomically: false, encoding: .utf8)
        #expect(try record().read() == nil)
        try record().write(Self.catalog)
        #expect(try record().read() == Self.catalog)
        unlink(executable)
        try FileManager.default.copyItem(atPath: "/bin/true", toPath: executable)
        #expect(try record().read() == nil)
    }

    @Test func `a catalogue is not recorded if the app changes while it describes its intents`() throws {
        let record = try record()
        chmod(executable, 0o700)
        try record.write(Self.catalog)
        #expect(!FileManager.default.fileExists(atPath: folder.path("records")))
    }

    @Test func `an app that has just changed has no record`() throws {
        let now = try #require(UserRecord.FileVersion(of: executable)).changedNanoseconds
        #expect(CatalogRecord(of: try app(), in: folder.path("records"), at: now + 999_000_000) == nil)
        #expect(CatalogRecord(of: try app(), in: folder.path("records"), at: now + 1_000_000_000) != nil)
    }

    @Test func `apps have separate records, of which the oldest are removed`() throws {
        let other = folder.path("Stew")
        try FileManager.default.copyItem(atPath: executable, toPath: other)
        try record().write(Self.catalog)
        #expect(try record(other).read() == nil)
        for number in 0..<CatalogRecord.countLimit + 5 {
            try UserRecord(at: folder.path("records/\(number)")).write([])
        }
        try record(other).write(Self.catalog)
        #expect(try File.names(in: folder.path("records")).count == CatalogRecord.countLimit)
        #expect(try record().read() == nil)
        #expect(try record(other).read() == Self.catalog)
    }

    @Test func `a record with an identifier that would be refused in an app's report does not apply`() throws {
        var catalog = Self.catalog
        catalog.intents[0].name = "Ec\u{202E}ho"
        try record().write(catalog)
        #expect(try record().read() == nil)
    }

    @Test func `a damaged record, and a record that others can write, do not apply`() throws {
        try record().write(Self.catalog)
        let name = try #require(try File.names(in: folder.path("records")).first)
        let path = folder.path("records/\(name)")
        let bytes = try File.bytes(at: path)
        let other = UserRecord(at: path)
        for wrong in [[], Array(bytes.dropLast()), bytes + [0], Array(bytes.dropFirst()), Array(bytes.prefix(32))] {
            try other.write(wrong)
            #expect(try record().read() == nil, "\(wrong.count) of \(bytes.count) bytes")
        }
        try other.write(bytes)
        #expect(try record().read() == Self.catalog)
        chmod(path, 0o620)
        #expect(try record().read() == nil)
        chmod(path, 0o600)
        chmod(folder.path("records"), 0o777)
        #expect(try record().read() == nil)
        #expect(throws: SystemError.self) { try record().write(Self.catalog) }
    }

    @Test(.enabled(if: getuid() == 0, "needs root to give files to another user"))
    func `a record of another user does not apply`() throws {
        try record().write(Self.catalog)
        let name = try #require(try File.names(in: folder.path("records")).first)
        chown(folder.path("records/\(name)"), 1000, 1000)
        #expect(try record().read() == nil)
    }
}
