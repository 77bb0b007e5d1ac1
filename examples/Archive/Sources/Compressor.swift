import AppIntents
import CArchiveZlib

/// A transformation that compresses bytes to gzip (RFC 1952).
final class Compressor: ByteTransform {
    private var stream = z_stream()
    private var output = [UInt8](repeating: 0, count: FilePump.chunkSize)

    init(level: Int) throws {
        guard czlib_deflate_gzip(&stream, Int32(level)) == Z_OK else { throw ArchiveError.outOfMemory }
    }

    deinit {
        deflateEnd(&stream)
    }

    func transform(_ bytes: UnsafeBufferPointer<UInt8>, write: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        try deflate(bytes, flush: Z_NO_FLUSH, write)
    }

    func finish(write: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        try deflate(UnsafeBufferPointer(start: nil, count: 0), flush: Z_FINISH, write)
    }

    private func deflate(
        _ bytes: UnsafeBufferPointer<UInt8>,
        flush: Int32,
        _ write: (UnsafeBufferPointer<UInt8>) throws -> Void
    ) throws {
        stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
        stream.avail_in = UInt32(bytes.count)
        repeat {
            try output.withUnsafeMutableBufferPointer { output in
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                _ = CArchiveZlib.deflate(&stream, flush)  // This call cannot fail (zlib.h).
                try write(UnsafeBufferPointer(rebasing: output[..<(output.count - Int(stream.avail_out))]))
            }
        } while stream.avail_out == 0
    }
}
