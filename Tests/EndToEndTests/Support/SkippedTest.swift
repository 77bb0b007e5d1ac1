import Testing

/// Ends a test that cannot run here as skipped. The runner says nothing of a test case that is cancelled, so the reason is
/// printed, where `Tests/run` finds it.
func skipTest(_ reason: String) throws -> Never {
    print("skipped: \(Test.current?.name ?? "a test"): \(reason)")
    try Test.cancel("\(reason)")
}
