public import Foundation

extension URL {
    /// Always true: on Linux the sandbox decides which files can be opened, without a request.
    ///
    /// Source: Apple's URL.startAccessingSecurityScopedResource page (Foundation; absent on Linux).
    @discardableResult
    public func startAccessingSecurityScopedResource() -> Bool { true }

    /// Does nothing on Linux.
    public func stopAccessingSecurityScopedResource() {}
}
