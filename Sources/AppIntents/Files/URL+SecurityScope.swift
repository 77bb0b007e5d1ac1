public import Foundation

extension URL {
    /// Does nothing and returns true: on Linux, the sandbox determines which files can be opened.
    ///
    /// Source: Apple's URL.startAccessingSecurityScopedResource page (Foundation; absent on Linux).
    @discardableResult
    public func startAccessingSecurityScopedResource() -> Bool { true }

    /// Does nothing on Linux.
    public func stopAccessingSecurityScopedResource() {}
}
