package import IntentLinux

/// Assembles frames, with their files, from the data received on a stream socket.
///
/// The kernel delivers descriptors no later than the first byte of their frame, in the order of the frames. Each frame
/// contains the number of its descriptors, so one queue of descriptors is enough.
package struct IncomingFrames {
    private var decoder = FrameDecoder(payloadLimit: Frame.clientPayloadLimit)
    private var waiting: [SharedFileDescriptor] = []

    private struct Announcement: Decodable { var files: Int? }

    package init() {}

    package mutating func append(_ bytes: [UInt8], _ descriptors: [SharedFileDescriptor]) {
        decoder.append(bytes)
        waiting += descriptors
    }

    /// True when the received data ends at the end of a frame.
    package var isEmpty: Bool { decoder.isEmpty }

    /// Removes and returns the next complete frame; nil when more bytes are needed.
    package mutating func next() throws(IntentClientError) -> (payload: [UInt8], files: [SharedFileDescriptor])? {
        let payload: [UInt8]?
        do throws(FrameError) {
            payload = try decoder.next()
        } catch {
            throw .violation("\(error)")
        }
        guard let payload else {
            // Descriptors arrive with the first byte of a frame, and no frame has begun. Close the remaining
            // descriptors, because they belong to no frame.
            if decoder.isEmpty { waiting.removeAll() }
            return nil
        }
        return (payload, try removeFiles(of: payload))
    }

    private mutating func removeFiles(of payload: [UInt8]) throws(IntentClientError) -> [SharedFileDescriptor] {
        let announced: Int
        do throws(WireError) {
            announced = try WireCoding.decode(Announcement.self, from: payload).files ?? 0
        } catch {
            throw .violation("\(error)")
        }
        guard (0...Frame.descriptorLimit).contains(announced) else {
            throw .violation("expected at most \(Frame.descriptorLimit) files in a frame, got \(announced)")
        }
        guard announced <= waiting.count else {
            throw .violation("a frame announces \(announced) files, but \(waiting.count) were received")
        }
        defer { waiting.removeFirst(announced) }
        return Array(waiting.prefix(announced))
    }
}
