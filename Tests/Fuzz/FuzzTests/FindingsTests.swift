import Foundation
import Testing

/// What fuzzing found stays mended: each file of findings/TARGET is an input that broke a property.
struct FindingsTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "findings")

    @Test(arguments: FuzzTarget.all.map(\.name))
    func `inputs that broke a property keep all properties`(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        try target.check([])
        let folder = Self.folder.appending(path: name)
        for file in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
            let bytes = Array(try Data(contentsOf: folder.appending(path: file)))
            do {
                try target.check(bytes)
            } catch {
                Issue.record("\(file): \(error)")
            }
        }
    }

    @Test func `each target has a name of its own, and each folder of findings a target`() throws {
        let names = FuzzTarget.all.map(\.name)
        #expect(Set(names).count == names.count)
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: Self.folder.path)) ?? []
        #expect(Set(folders).subtracting(names).isEmpty)
    }
}
