package import IntentLinux
internal import IntentProtocol
internal import IntentWire

/// Assembles frames, with their files, from the data received on a stream socket.
///
/// Descriptors arrive no later than the first byte of their frame, in the order of the frames. A single queue of
/// descriptors is therefore enough: each frame announces how many of them belong to it.
package struct IncomingFrames {
    private var decoder = FrameDecoder(payloadLimit: Frame.clientPayloadLimit)
    private var waiting: [SharedFileDescriptor] = []

    private struct Announcement: Decodable { var files: Int? }

    package init() {}

    package mutating func append(_ bytes: [UInt8], _ descriptors: [SharedFileDescriptor]) {
        decoder.append(bytes)
        waiting += descriptors
    }

    /// True when no part of an incomplete frame has been received.
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
            // Between two frames, no descriptor of the next frame can have arrived. Descriptors that are still in the
            // queue belong to no frame.
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
            throw .violation("a frame announces \(announced) files, more than \(Frame.descriptorLimit)")
        }
        guard announced <= waiting.count else {
            throw .violation("the number of files in a frame: announced \(announced), received \(waiting.count)")
        }
        defer { waiting.removeFirst(announced) }
        return Array(waiting.prefix(announced))
    }
}
