import AppIntents
import Glibc

/// Moves a file's bytes in chunks, reports progress, and stops when the run is cancelled.
struct FilePump {
    static let chunkSize = 256 << 10
    let progress: IntentProgress

    /// Reads the file to its end, one chunk at a time. The progress total is the file's size, or unknown for a pipe.
    func read(_ input: Int32, _ use: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        var status = stat()
        progress.totalUnitCount = fstat(input, &status) == 0 ? Int64(status.st_size) : 0
        // Read at explicit offsets, because another run may share the descriptor and its offset. A pipe has no offset.
        let hasOffset = lseek(input, 0, SEEK_CUR) >= 0
        var offset: off_t = 0
        var chunk = [UInt8](repeating: 0, count: Self.chunkSize)
        while true {
            try Task.checkCancellation()
            let count =
                hasOffset
                ? pread(input, &chunk, chunk.count, offset) : Glibc.read(input, &chunk, chunk.count)
            guard count >= 0 else { throw ArchiveError.cannot("read the file", errno) }
            if count == 0 { return }
            offset += off_t(count)
            try chunk.withUnsafeBufferPointer { try use(UnsafeBufferPointer(rebasing: $0[..<count])) }
            progress.completedUnitCount += Int64(count)
        }
    }

    /// Reads a file, transforms its bytes, and writes the result to another file.
    func run(
        from input: Int32,
        to output: OutputFile,
        through stream: some ByteTransform
    ) throws -> (read: Int64, written: Int64) {
        try output.open()
        try read(input) { bytes in
            try stream.transform(bytes, write: output.write)
            let ratio = "\(progress.completedUnitCount.asFileSize) → \(output.size.asFileSize)"
            progress.localizedAdditionalDescription = ratio
        }
        try stream.finish(write: output.write)
        try output.close()
        return (progress.completedUnitCount, output.size)
    }
}

/// A transformation of a stream of bytes.
protocol ByteTransform {
    func transform(_ bytes: UnsafeBufferPointer<UInt8>, write: (UnsafeBufferPointer<UInt8>) throws -> Void) throws
    func finish(write: (UnsafeBufferPointer<UInt8>) throws -> Void) throws
}
