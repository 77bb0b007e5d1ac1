/// Calls a closure. On Apple's platforms, it then drains an autorelease pool, which Linux does not have.
///
/// Source: Apple's autoreleasepool(invoking:) page (Objective-C; absent on Linux).
@inlinable
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
    try body()
}
