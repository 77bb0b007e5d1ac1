/// Calls a closure. On Apple's platforms, an autorelease pool is then drained, but Linux has no such pools.
///
/// Source: Apple's autoreleasepool(invoking:) page (Objective-C, which does not exist on Linux).
@inlinable
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
    try body()
}
