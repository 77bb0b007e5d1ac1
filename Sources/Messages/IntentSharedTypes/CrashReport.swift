/// A crash report from a worker's signal handler.
///
/// The report is untrusted, because it comes from a process that executes an app's code. Only the signal in
/// `RunOutcome.crashed` comes from the kernel.
public struct CrashReport: Hashable, Sendable, Codable {
    /// The signal, such as 4 for SIGILL.
    public var signal: Int32
    /// The cause of the signal (`si_code` in sigaction(2)).
    public var code: Int32
    /// The memory address of the failed access; nil for a signal that has another cause.
    public var faultAddress: Address?
    /// The name of the thread that crashed.
    public var thread: String
    /// The call stack of the thread, with the innermost frame first.
    public var frames: [Frame]
    /// The executable and the libraries that the frames refer to.
    public var images: [Image]
    /// The private memory of the process when it crashed; nil when its private memory has no limit of its own, as with
    /// a memory controller.
    public var memory: Memory?
    /// The message that Swift's runtime printed, such as `Fatal error: Index out of range`; nil when it printed no
    /// message. Set by `intentd` from the run's output.
    public var message: String?

    /// Creates a report.
    public init(
        signal: Int32,
        code: Int32 = 0,
        faultAddress: Address? = nil,
        thread: String = "",
        frames: [Frame],
        images: [Image],
        memory: Memory? = nil,
        message: String? = nil
    ) {
        self.signal = signal
        self.code = code
        self.faultAddress = faultAddress
        self.thread = thread
        self.frames = frames
        self.images = images
        self.memory = memory
        self.message = message
    }

    /// The private writable memory of a process, and its limit (`RLIMIT_DATA` in getrlimit(2)), which is `MemoryMax=`
    /// when there is no memory controller.
    public struct Memory: Hashable, Sendable, Codable {
        /// The size of the memory, in bytes.
        public var byteCount: Int64
        /// The limit, in bytes.
        public var limit: Int64

        /// Creates a description of a process's memory.
        public init(byteCount: Int64, limit: Int64) {
            self.byteCount = byteCount
            self.limit = limit
        }

        /// True if less than a sixteenth of the limit was free, or less than 8 MiB, the size of a thread's stack.
        package var isUsedUp: Bool { limit - byteCount < max(limit / 16, 8 << 20) }
    }

    /// One frame of the call stack.
    public struct Frame: Hashable, Sendable, Codable {
        /// The index of the frame's image; nil for code outside all images.
        public var image: Int?
        /// The address, in the image's file, of the instruction that crashed or of the last byte of a call instruction.
        /// Nil for code outside all images.
        public var address: Address?

        /// Creates a frame.
        public init(image: Int?, address: Address?) {
            self.image = image
            self.address = address
        }
    }

    /// An executable or a library.
    public struct Image: Hashable, Sendable, Codable {
        /// The path of the library in the worker's sandbox; empty for the app's executable.
        public var path: String
        /// The build ID in hexadecimal digits; nil for an image without a build ID.
        public var buildID: String?

        /// Creates an image.
        public init(path: String, buildID: String?) {
            self.path = path
            self.buildID = buildID
        }
    }

    /// An address in memory or in an image's file. In JSON, it is a string of hexadecimal digits after `0x`.
    public struct Address: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
        /// The address as a number.
        public var rawValue: UInt64

        /// Creates an address.
        public init(rawValue: UInt64) {
            self.rawValue = rawValue
        }

        /// Decodes a string such as `0x1f4a`.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard text.hasPrefix(utf8: "0x"), text.utf8.count <= 18,
                let value = UInt64(text.dropFirst(scalars: 2), radix: 16)
            else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "expected an address such as 0x1f4a, got '\(WireCoding.excerpt(text))'"
                )
            }
            rawValue = value
        }

        /// Encodes a string such as `0x1f4a`.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(description)
        }

        /// The address in hexadecimal digits after `0x`.
        public var description: String { "0x" + String(rawValue, radix: 16) }
    }
}

extension CrashReport {
    /// The maximum number of frames.
    package static let frameLimit = 64
    /// The maximum number of images.
    package static let imageLimit = 32
    /// The maximum length, in bytes, of an image's path, a thread's name and the message.
    package static let textByteLimit = 512
    /// The maximum length of a build ID in hexadecimal digits.
    private static let buildIDByteLimit = 64

    /// The reason why the report is invalid; nil if it is valid. A worker's report is untrusted.
    package var problem: String? {
        guard (1...64).contains(signal) else { return "expected a signal from 1 to 64, got \(signal)" }
        guard frames.count <= Self.frameLimit else { return "expected at most \(Self.frameLimit) frames" }
        if let memory, memory.byteCount < 0 || memory.limit < 0 { return "a size of memory is negative" }
        return Self.problem(frames, images, texts: [thread, message ?? ""])
    }

    /// The reason why the frames, the images that they refer to, or the texts of a report are invalid.
    static func problem(_ frames: [Frame], _ images: [Image], texts: [String]) -> String? {
        guard images.count <= Self.imageLimit else { return "expected at most \(Self.imageLimit) images" }
        guard (images.map(\.path) + texts).allSatisfy({ $0.utf8.count <= Self.textByteLimit }) else {
            return "a path, name or message is longer than \(Self.textByteLimit) bytes"
        }
        guard frames.allSatisfy({ $0.image.map(images.indices.contains) ?? true }) else {
            return "a frame refers to an image that is not in the report"
        }
        let areBuildIDsValid = images.allSatisfy { image in
            guard let id = image.buildID?.utf8 else { return true }
            return (1...Self.buildIDByteLimit).contains(id.count)
                && id.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        }
        return areBuildIDsValid ? nil : "a build ID is not a string of hexadecimal digits"
    }
}
