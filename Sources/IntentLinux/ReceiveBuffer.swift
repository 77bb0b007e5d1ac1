/// Memory that a call of the kernel fills: never zeroed before, and no larger afterwards than what came.
enum ReceiveBuffer {
    static func fill(
        upTo byteCount: Int,
        _ body: (UnsafeMutableRawPointer) throws(SystemError) -> Int
    ) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            do throws(SystemError) {
                guard let start = buffer.baseAddress else { preconditionFailure("there is room for a byte at least") }
                count = try body(UnsafeMutableRawPointer(start))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        // Most of what comes is small, and may be kept for long.
        return bytes.count < byteCount / 2 ? Array(bytes[...]) : bytes
    }
}
