import Foundation
import IntentLinux

/// A directory for one test, removed with its contents when the value is destroyed.
package struct TemporaryDirectory: ~Copyable {
    package let path: String

    package init() {
        do {
            path = try File.makeTemporaryFolder("/tmp/intentd-test.")
        } catch {
            preconditionFailure("\(error)")
        }
    }

    deinit {
        // Fails only if the test has already removed the directory.
        try? FileManager.default.removeItem(atPath: path)
    }

    package func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }
}
