import IntentHistory
import Testing

@Suite struct HistoryWritingStateTests {
    private static let locked = HistoryProblem.locked(path: "/h")
    private static let full = HistoryProblem.full(path: "/h")
    private static let patience = HistoryWritingState.lockLimitNanoseconds

    @Test func `a lock is reported only if it is held for too long`() {
        var state = HistoryWritingState.working
        var isReported = state.failed(Self.locked, atNanoseconds: 5)
        #expect(!isReported)
        #expect(state == .locked(since: 5))
        isReported = state.failed(Self.locked, atNanoseconds: 5 + Self.patience)
        #expect(!isReported)
        #expect(state.problem == nil)
        isReported = state.failed(Self.locked, atNanoseconds: 6 + Self.patience)
        #expect(isReported)
        #expect(state.problem == Self.locked)
    }

    @Test func `a write ends the wait for a lock, and the next lock has its own time limit`() {
        var state = HistoryWritingState.locked(since: 5)
        state.written()
        #expect(state == .working)
        let isReported = state.failed(Self.locked, atNanoseconds: 6 + Self.patience)
        #expect(!isReported)
    }

    @Test func `another failure is reported at once, and so is a lock after it`() {
        var state = HistoryWritingState.locked(since: 5)
        var isReported = state.failed(Self.full, atNanoseconds: 6)
        #expect(isReported)
        isReported = state.failed(Self.locked, atNanoseconds: 7)
        #expect(isReported)
    }

    @Test func `a write to a full disk does not end the failure, and a recovery does`() {
        var state = HistoryWritingState.failing(Self.full)
        state.written()
        #expect(state == .failing(Self.full))
        state.recovered()
        #expect(state == .working)
    }

    @Test func `a locked file is retried sooner than a failing disk`() throws {
        let soon = try #require(HistoryWritingState.locked(since: 0).retryMilliseconds)
        let late = try #require(HistoryWritingState.failing(Self.full).retryMilliseconds)
        #expect(soon < late && HistoryWritingState.working.retryMilliseconds == nil)
    }
}
