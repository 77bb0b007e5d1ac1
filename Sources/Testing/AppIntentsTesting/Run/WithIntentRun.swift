internal import AppIntents

/// Performs intents in this process, for a test. Dependencies, progress, questions, time and folders are not shared
/// with other tests.
///
/// ```swift
/// @Test func `a stalled import is rolled back`() async throws {
///     try await withIntentRun(dependencies: [store]) { run in
///         let intent = ImportInvoices()
///         intent.file = csv(rows: 50)
///         async let end = run.perform(intent)
///         try await run.progress(reaches: 3)
///         run.advance(by: .seconds(30))
///         #expect(try await end == .cancelled(.timeout))
///         #expect(try await store.all().isEmpty)
///     }
/// }
/// ```
/// Inside the body, `AppDependencyManager.shared`, `IntentState` and the progress of a run belong to this test, except
/// in tasks that the body starts with `Task.detached`.
///
/// - Parameters:
///   - dependencies: The values of the app's `@Dependency` properties, by their types. A value for a protocol type is
///     registered with ``IntentTestRun/dependencies``. The test's clock is registered as `any Clock<Duration>`.
///   - clock: The clock, which determines how time passes. Time never passes automatically while a run is working.
///   - answers: The source of answers to the questions that runs ask.
///   - limits: The limits of runs. By default, these are `intentd`'s defaults.
///   - locale: The identifier of the caller's locale, such as `de_DE`; nil if the caller chose none.
///   - caller: The caller of the runs, which determines what they may receive and must confirm.
///   - patience: The real time without any activity after which a wait fails.
///   - body: The test. It receives the handle that performs intents.
/// - Returns: The value that the body returns, after all of the test's folders have been removed.
/// - Throws: The body's error; ``IntentTestError`` when the folders cannot be created or another test uses the clock.
@discardableResult
nonisolated(nonsending) public func withIntentRun<Result>(
    dependencies: [any Sendable] = [],
    clock: IntentTestClock = .virtual,
    answers: IntentAnswers = .fromTest,
    limits: IntentTestLimits = IntentTestLimits(),
    locale: String? = nil,
    caller: IntentTestCaller = .person,
    patience: Duration = .seconds(20),
    _ body: nonisolated(nonsending) (IntentTestRun) async throws -> Result
) async throws -> Result {
    let folder = try TestFolder()
    let time = clock.clock ?? VirtualClock()
    let run = IntentTestRun(
        surroundings: RunSurroundings(
            directory: folder.run,
            stateDirectory: folder.state,
            locale: locale,
            caller: caller.runCaller,
            workBegan: { time.beginHold() }
        ),
        clock: time,
        isSkipping: clock.isSkipping,
        answers: answers,
        limits: limits.runLimits,
        patience: patience
    )
    for dependency in dependencies { run.add(dependency) }
    return try await RunSurroundings.$current.withValue(run.surroundings) {
        defer { withExtendedLifetime(folder) {} }
        let wakeUps = try run.beginTime()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await run.advanceUntilEnd(wakeUps) }
            // Finish the stream of wake-ups so that the task in the group returns.
            defer { run.endTime() }
            return try await body(run)
        }
    }
}
