import AppIntents
import CArchiveZlib

/// A transformation that expands gzip (RFC 1952) to bytes. A file may contain several members, one after the other.
final class Expander: ByteTransform {
    private var stream = z_stream()
    private var output = [UInt8](repeating: 0, count: FilePump.chunkSize)
    private var offset: Int64 = 0
    private var isBetweenMembers = true

    init() throws {
        guard czlib_inflate_gzip(&stream) == Z_OK else { throw ArchiveError.outOfMemory }
    }

    deinit {
        inflateEnd(&stream)
    }

    func transform(_ bytes: UnsafeBufferPointer<UInt8>, write: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
        stream.avail_in = UInt32(bytes.count)
        repeat {
            if isBetweenMembers { inflateReset(&stream) }
            let status = try inflate(write)
            switch status {
            case Z_STREAM_END: isBetweenMembers = true
            case Z_OK, Z_BUF_ERROR: isBetweenMembers = false
            default:
                let at = offset + Int64(bytes.count - Int(stream.avail_in))
                throw ArchiveError.corrupt(
                    offset: at,
                    reason: stream.msg.map { String(cString: $0) } ?? "status \(status)"
                )
            }
        } while stream.avail_in > 0 || (stream.avail_out == 0 && !isBetweenMembers)
        offset += Int64(bytes.count)
    }

    func finish(write: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        guard isBetweenMembers, offset > 0 else { throw ArchiveError.truncated(offset: offset) }
    }

    private func inflate(_ write: (UnsafeBufferPointer<UInt8>) throws -> Void) throws -> Int32 {
        try output.withUnsafeMutableBufferPointer { output in
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(output.count)
            let status = CArchiveZlib.inflate(&stream, Z_NO_FLUSH)
            try write(UnsafeBufferPointer(rebasing: output[..<(output.count - Int(stream.avail_out))]))
            return status
        }
    }
}
