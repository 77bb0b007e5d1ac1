/// Calls a closure. Linux has no autorelease pools to drain.
///
/// Source: Apple's autoreleasepool(invoking:) page (Objective-C, which does not exist on Linux).
@inlinable
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
    try body()
}
