public import Foundation

extension URL {
    /// True: on Linux the sandbox decides what can be opened, and nothing has to be asked for.
    ///
    /// Source: Apple's URL.startAccessingSecurityScopedResource page (Foundation; absent on Linux).
    @discardableResult
    public func startAccessingSecurityScopedResource() -> Bool { true }

    /// Ends what ``startAccessingSecurityScopedResource()`` began.
    public func stopAccessingSecurityScopedResource() {}
}
