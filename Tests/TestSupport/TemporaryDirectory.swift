import Foundation

/// A directory of one test, gone with everything in it when the test lets go of it.
package struct TemporaryDirectory: ~Copyable {
    package let path: String

    package init() {
        var template = Array("/tmp/intentd-test.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("mkdtemp: errno \(errno)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        // A test that removed it itself leaves nothing to remove here.
        try? FileManager.default.removeItem(atPath: path)
    }

    package func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }
}
