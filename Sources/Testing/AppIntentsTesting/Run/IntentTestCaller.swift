public import AppIntents

/// The caller of a test's runs, as far as an intent depends on it.
public struct IntentTestCaller: Sendable {
    let runCaller: RunCaller

    /// Creates a caller.
    ///
    /// - Parameters:
    ///   - authentication: The strictest policy that the caller satisfies. The caller receives no property and no entity
    ///     with a stricter policy.
    ///   - isAgent: True for an agent. A confirmation with the condition `lowConfidenceSource` is then requested.
    public init(authentication: IntentAuthenticationPolicy, isAgent: Bool = false) {
        runCaller = RunCaller(authentication: authentication, isUncertain: isAgent)
    }

    /// A person who satisfies every policy.
    public static let person = IntentTestCaller(authentication: .requiresLocalDeviceAuthentication)
    /// An agent of a person whom `[Access]` names.
    public static let agent = IntentTestCaller(authentication: .requiresAuthentication, isAgent: true)
}
