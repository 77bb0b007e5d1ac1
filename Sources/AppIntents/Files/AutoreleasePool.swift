/// Calls a closure. On Apple's platforms what it left to a pool is then let go; on Linux there are no pools.
///
/// Source: Apple's autoreleasepool(invoking:) page (Objective-C; absent on Linux).
@inlinable
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
    try body()
}
