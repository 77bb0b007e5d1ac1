extension AppIntent {
    /// Performs the intent in the current process and returns its value: `let soups = try await ListSoups()()`.
    ///
    /// - Parameter donateOnCompletion: True to record the action with the run that calls this method, as ``donate()``
    ///   does.
    /// - Throws: The error that `perform()` throws, or an error when a parameter or a dependency has no value.
    ///
    /// Source: Apple's AppIntent.callAsFunction(donate:) page.
    @discardableResult
    public func callAsFunction(
        donate donateOnCompletion: Bool = true
    ) async throws -> PerformResult.Value where PerformResult: ReturnsValue {
        let result = try await performInProcess()
        guard let value = result.value else {
            throw RunError("the intent '\(Self.persistentIdentifier)' returned no value")
        }
        if donateOnCompletion { recordDonation(result) }
        return value
    }

    /// Performs the intent in the current process and discards its result.
    ///
    /// - Throws: The error that `perform()` throws, or an error when a parameter or a dependency has no value.
    // Disfavoured. Apple's overload is constrained to `Value == Never` instead, but then a plain `some IntentResult`
    // would match neither overload.
    @_disfavoredOverload
    public func callAsFunction(donate donateOnCompletion: Bool = true) async throws {
        let result = try await performInProcess()
        if donateOnCompletion { recordDonation(result) }
    }

    /// Calls `perform()` and returns its result. Repeats the call each time it throws `restartPerform`.
    func performInProcess() async throws -> PerformResult {
        try await prepare()
        while true {
            do {
                return try await perform()
            } catch let error as AppIntentError where error.requestsRestart {
                try Task.checkCancellation()
            }
        }
    }
}
