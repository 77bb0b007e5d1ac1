import IntentSharedTypes
import IntentWorkerMessages
import Synchronization

/// The caller of a run, as far as it affects what the app sends and asks.
package struct RunCaller: Sendable {
    /// The strictest policy of authentication that the caller satisfies.
    package var authentication: IntentAuthenticationPolicy
    /// True if an agent requested the run: its model may have misunderstood the person.
    package var isUncertain: Bool

    /// The user who started this program, outside a run.
    package static let ofProgram = RunCaller(
        authentication: .requiresLocalDeviceAuthentication,
        isUncertain: false
    )
    private static let ofProcess = Mutex(ofProgram)

    package init(authentication: IntentAuthenticationPolicy, isUncertain: Bool) {
        self.authentication = authentication
        self.isUncertain = isUncertain
    }

    /// The caller of the run to which the calling code belongs.
    static var current: RunCaller { RunSurroundings.current?.caller ?? ofProcess.withLock { $0 } }

    /// Sets the caller of the process's only run. Called once, before the run.
    static func choose(by command: PerformCommand) {
        let caller = RunCaller(
            authentication: IntentAuthenticationPolicy(word: command.authentication),
            isUncertain: command.isUncertain == true
        )
        ofProcess.withLock { $0 = caller }
    }

    func satisfies(_ policy: IntentAuthenticationPolicy) -> Bool { policy.strictness <= authentication.strictness }

    /// Returns the reason why the caller may not access a value with a policy, as a predicate: `requires …`. Nil if the
    /// caller may.
    func refusal(by policy: IntentAuthenticationPolicy) -> String? {
        guard !satisfies(policy) else { return nil }
        return switch policy {
        case .alwaysAllowed: nil
        case .requiresAuthentication: "requires a user whom [Access] names (authenticationPolicy)"
        case .requiresLocalDeviceAuthentication:
            "requires a user whom [Access] names, with an active local session (authenticationPolicy)"
        }
    }

    /// The code of errors about a value that the caller may not access.
    static let refusalCode = "notAllowed"
}

extension IntentAuthenticationPolicy {
    fileprivate init(word: String?) {
        self =
            [.requiresAuthentication, .requiresLocalDeviceAuthentication].first { $0.word == word } ?? .alwaysAllowed
    }

    /// The name of the case in messages; nil for no requirement.
    var word: String? {
        switch self {
        case .alwaysAllowed: nil
        case .requiresAuthentication: "requiresAuthentication"
        case .requiresLocalDeviceAuthentication: "requiresLocalDeviceAuthentication"
        }
    }

    fileprivate var strictness: Int {
        switch self {
        case .alwaysAllowed: 0
        case .requiresAuthentication: 1
        case .requiresLocalDeviceAuthentication: 2
        }
    }
}
