import Foundation

/// A directory for one test, removed with its contents when the value is destroyed.
package struct TemporaryDirectory: ~Copyable {
    package let path: String

    package init() {
        var template = Array("/tmp/intentd-test.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("mkdtemp: errno \(errno)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        // Fails only if the test has already removed the directory.
        try? FileManager.default.removeItem(atPath: path)
    }

    package func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }
}
