/// Performs intents with Swift values as arguments.
extension IntentConnection {
    /// Performs an intent. Returns as soon as the run has been recorded.
    ///
    /// ```swift
    /// let run = try await intentd.perform("Soup/OrderSoup", ["soup": "tomato", "quantity": 2])
    /// let price = try await run.value(as: Decimal.self)
    /// ```
    ///
    /// If the calling task is cancelled during the call, the run is cancelled as soon as its identifier is known.
    ///
    /// - Parameters:
    ///   - intent: The name of the app and the intent.
    ///   - arguments: The values by parameter name. Files are opened during this call.
    ///   - options: The time limits and other properties of the run.
    /// - Throws: ``IntentClientError``, for example with code `badParameter` when a value is invalid, `unreadableFile`
    ///   when a file cannot be opened, or `busy` when the backlog is full.
    public func perform(
        _ intent: IntentName,
        _ arguments: [String: IntentArgument] = [:],
        options: PerformOptions = PerformOptions()
    ) async throws -> IntentRun {
        let files = ArgumentFiles()
        var request = PerformRequest(app: intent.app, intent: intent.intent)
        // Sort the arguments so that equal arguments have their files in the same order.
        for (name, argument) in arguments.sorted(by: { $0.key < $1.key }) {
            do {
                request.values[name] = try argument.value(addingFilesTo: files)
            } catch let error as IntentClientError {
                throw error
            } catch {
                throw IntentClientError(
                    .badParameter,
                    "cannot encode the value of '\(name)': \(CodingProblem(error))",
                    hint: "pass a value that \(intent) accepts: 'intentctl describe \(intent)'"
                )
            }
        }
        request.limit = options.limit
        request.ceiling = options.ceiling
        request.onDisconnect = options.onDisconnect
        request.key = options.key
        request.locale = options.locale
        request.answers = options.answers
        request.entryPoint = link.entryPoint
        request.isInteractive = options.isInteractive ? true : nil
        return try await perform(request, files: files.all)
    }

    /// Performs a typed call, such as a call that the `IntentStubs` plugin has generated. The compiler checks the types
    /// of its parameters.
    ///
    /// - Throws: ``IntentClientError``, as ``perform(_:_:options:)`` does.
    public func perform<Call: IntentCall>(
        _ call: Call,
        options: PerformOptions = PerformOptions()
    ) async throws -> IntentCallRun<Call> {
        IntentCallRun(try await perform(Call.intentName, call.arguments, options: options))
    }
}
