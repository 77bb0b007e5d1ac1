import Testing

/// Skips the current test. The runner reports nothing about a cancelled test case, so this prints the reason, which
/// `Tests/run` collects.
func skipTest(_ reason: String) throws -> Never {
    print("skipped: \(Test.current?.name ?? "a test"): \(reason)")
    try Test.cancel("\(reason)")
}
