import Foundation
package import IntentSharedTypes

/// A search for the failed system call that caused an error. `intentd` then reports whether the sandbox denied the
/// call.
package enum ErrorCause {
    /// The maximum nesting depth of the errors to inspect.
    private static let depth = 4

    /// Returns the failed call; nil if the error contains neither an error number nor a network failure.
    package static func failedCall(of error: any Error) -> FailedCall? {
        var call = FailedCall()
        read(error, into: &call, depth: depth)
        if let path = call.path, isOwn(path) { call.path = nil }
        return call.isEmpty || call.errorNumber == nil && call.isNetwork == nil ? nil : call
    }

    /// Adds the details of an error and of its underlying errors to a call. Details of outer errors take precedence.
    private static func read(_ error: any Error, into call: inout FailedCall, depth: Int) {
        guard depth > 0 else { return }
        if let error = foundationError(error) { return read(error, into: &call, depth: depth) }
        // An app's error may contain the error that caused it. An `Errno` from swift-system contains the error number.
        for child in Mirror(reflecting: error).children {
            if child.label == "rawValue", String(describing: type(of: error)) == "Errno" {
                call.errorNumber = call.errorNumber ?? child.value as? Int32
            }
            if let inner = child.value as? any Error { read(inner, into: &call, depth: depth - 1) }
            // Search the parts of the child as well: several associated values of an enumeration case form a tuple.
            for part in Mirror(reflecting: child.value).children {
                if let inner = part.value as? any Error { read(inner, into: &call, depth: depth - 1) }
            }
        }
    }

    private static func read(_ error: NSError, into call: inout FailedCall, depth: Int) {
        if call.path == nil { call.path = path(in: error.userInfo) }
        switch error.domain {
        case NSPOSIXErrorDomain: call.errorNumber = call.errorNumber ?? Int32(exactly: error.code)
        case NSURLErrorDomain: if unreachable.contains(error.code) { call.isNetwork = true }
        case NSCocoaErrorDomain:
            // CocoaError.Code values from 512 to 1023 are write errors. fileNoSuchFile is also a write error, because
            // reading a missing file fails with fileReadNoSuchFile.
            let isAbsence = error.code == CocoaError.Code.fileNoSuchFile.rawValue
            if isAbsence || (512..<1024).contains(error.code) { call.isWriting = true }
        default: break
        }
        if let inner = error.userInfo[NSUnderlyingErrorKey] as? any Error {
            read(inner, into: &call, depth: depth - 1)
        }
        // Use this error's number only if no underlying error has a number.
        if error.domain == NSCocoaErrorDomain { call.errorNumber = call.errorNumber ?? numbers[error.code] }
    }

    /// Returns the error if it is one of Foundation's.
    static func foundationError(_ error: any Error) -> NSError? {
        let isOfFoundation =
            error is CocoaError || error is POSIXError || error is URLError || type(of: error) == NSError.self
        return isOfFoundation ? error as NSError : nil
    }

    private static func path(in userInfo: [String: Any]) -> String? {
        if let path = userInfo[NSFilePathErrorKey] as? String { return path }
        guard let url = userInfo[NSURLErrorKey] as? URL, url.isFileURL else { return nil }
        return url.path
    }

    /// Returns true for a relative path, and for a path in a folder that every run may use. The sandbox does not deny
    /// access to such a path, so a grant would not help.
    private static func isOwn(_ path: String) -> Bool {
        guard path.hasPrefix(utf8: "/") else { return true }
        var own = ["/proc", "/tmp", "/usr/share/zoneinfo", FileManager.default.currentDirectoryPath]
        own += ["HOME", "TMPDIR", "STATE_DIRECTORY", "CREDENTIALS_DIRECTORY"].compactMap { (name: String) -> String? in
            getenv(name).map { String(foreign: $0) }
        }
        own.append(Bundle.main.bundlePath)
        own += [Bundle.main.resourcePath].compactMap { $0 }
        return own.contains { !$0.isEmpty && $0 != "/" && (path == $0 || path.hasPrefix(utf8: $0 + "/")) }
    }

    /// The error numbers that correspond to CocoaError.Code values, for Foundation errors without an error number.
    private static let numbers: [Int: Int32] = [
        CocoaError.Code.fileNoSuchFile.rawValue: ENOENT, CocoaError.Code.fileReadNoSuchFile.rawValue: ENOENT,
        CocoaError.Code.fileReadNoPermission.rawValue: EACCES, CocoaError.Code.fileWriteNoPermission.rawValue: EACCES,
        CocoaError.Code.fileWriteVolumeReadOnly.rawValue: EROFS,
    ]

    /// The codes of URLSession errors that occur when the network is unreachable.
    private static let unreachable: Set = [
        URLError.Code.cannotFindHost.rawValue, URLError.Code.cannotConnectToHost.rawValue,
        URLError.Code.networkConnectionLost.rawValue, URLError.Code.dnsLookupFailed.rawValue,
        URLError.Code.notConnectedToInternet.rawValue,
        // Foundation has no code for a connection that the kernel refuses with another error number than ECONNREFUSED.
        URLError.Code.unknown.rawValue,
    ]
}
