import AppIntents
import Foundation
import IntentLauncherMessages
import Testing

@Suite struct ErrorCauseTests {
    private enum KitchenError: Error {
        case closed
        case cannotRead(any Error)
        case cannotOpen(path: String, reason: any Error)
    }

    private func thrown(_ body: () throws -> Void) -> any Error {
        do {
            try body()
        } catch {
            return error
        }
        return KitchenError.closed
    }

    @Test func `an error of Foundation names the path and the error number`() {
        let reading = thrown { _ = try Data(contentsOf: URL(fileURLWithPath: "/nowhere/at/all")) }
        #expect(ErrorCause.failedCall(of: reading)?.path == "/nowhere/at/all")
        #expect(ErrorCause.failedCall(of: reading)?.errorNumber == ENOENT)
        #expect(ErrorCause.failedCall(of: reading)?.isWriting == nil)
        let writing = thrown { try Data().write(to: URL(fileURLWithPath: "/nowhere/at/all")) }
        #expect(ErrorCause.failedCall(of: writing)?.path == "/nowhere/at/all")
        #expect(ErrorCause.failedCall(of: writing)?.isWriting == true)
    }

    @Test func `an error of Foundation reads as a sentence, with its file`() {
        let reading = thrown { _ = try Data(contentsOf: URL(fileURLWithPath: "/nowhere/at/all")) }
        let message = ErrorMessage.of(reading)
        #expect(message.hasSuffix("('/nowhere/at/all')"), "\(message)")
        #expect(!message.contains("Domain="), "\(message)")
        #expect(ErrorMessage.of(POSIXError(.EPERM)).contains("Operation not permitted"))
    }

    @Test func `the cause inside an app's own error is found`() {
        let reading = thrown { _ = try String(contentsOfFile: "/nowhere", encoding: .utf8) }
        let expected = ErrorCause.failedCall(of: reading)
        #expect(expected?.path == "/nowhere")
        #expect(ErrorCause.failedCall(of: KitchenError.cannotRead(reading)) == expected)
        #expect(ErrorCause.failedCall(of: KitchenError.cannotOpen(path: "x", reason: reading)) == expected)
        #expect(ErrorCause.failedCall(of: KitchenError.closed) == nil)
    }

    @Test func `error numbers and network errors are found without a path`() {
        #expect(ErrorCause.failedCall(of: POSIXError(.EPERM)) == FailedCall(errorNumber: EPERM))
        let offline = NSError(domain: NSURLErrorDomain, code: URLError.Code.cannotFindHost.rawValue)
        #expect(ErrorCause.failedCall(of: offline) == FailedCall(isNetwork: true))
        // What Foundation throws for an address that the sandbox does not have.
        let unreachable = NSError(domain: NSURLErrorDomain, code: URLError.Code.unknown.rawValue)
        #expect(ErrorCause.failedCall(of: unreachable) == FailedCall(isNetwork: true))
        let malformed = NSError(domain: NSURLErrorDomain, code: URLError.Code.badURL.rawValue)
        #expect(ErrorCause.failedCall(of: malformed) == nil)
    }

    @Test func `a path in a run's own folders is omitted`() {
        let own = thrown { _ = try Data(contentsOf: URL(fileURLWithPath: "/tmp/nothing-of-that-name")) }
        #expect(ErrorCause.failedCall(of: own)?.path == nil)
    }
}
