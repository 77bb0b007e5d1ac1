public import Foundation

extension URL {
    /// Does nothing and returns true. On Linux, the sandbox alone determines which files can be opened.
    ///
    /// Source: Apple's URL.startAccessingSecurityScopedResource page (Foundation, which lacks this method on Linux).
    @discardableResult
    public func startAccessingSecurityScopedResource() -> Bool { true }

    /// Does nothing on Linux.
    public func stopAccessingSecurityScopedResource() {}
}
