import IntentLauncherMessages
import IntentProtocol

extension RelayPacket {
    /// Encodes the packet as it is sent on the link.
    package func encode() -> [UInt8] {
        let kind = kind
        var bytes: [UInt8] = [kind.rawValue, 0, 0, 0, 0]
        switch self {
        case .hello(let hello), .welcome(let hello): bytes += WireCoding.encode(hello)
        case .refusal(let report): bytes += WireCoding.encode(report)
        case .received(let count): bytes.append(number: count)
        case .message(let message): message.encode(into: &bytes)
        }
        precondition(bytes.count - Self.headerByteCount <= kind.payloadLimit, "a packet exceeds the limit for its kind")
        let count = UInt32(bytes.count - Self.headerByteCount)
        for index in 0..<4 { bytes[1 + index] = UInt8(truncatingIfNeeded: count >> UInt32(24 - 8 * index)) }
        return bytes
    }

    private var kind: Kind {
        switch self {
        case .hello: .hello
        case .welcome: .welcome
        case .refusal: .refusal
        case .received: .received
        case .message(let message):
            switch message {
            case .open: .open
            case .opened: .opened
            case .refused: .refused
            case .frame: .frame
            case .close: .close
            case .credit: .credit
            case .file: .file
            case .data: .data
            case .zeros: .zeros
            case .end: .end
            case .abandon: .abandon
            case .finish: .finish
            }
        }
    }

    /// - Throws: ``RelayViolation`` when the payload is invalid for the kind.
    package init(_ kind: Kind, _ payload: ArraySlice<UInt8>) throws(RelayViolation) {
        var reader = PacketReader(bytes: payload)
        switch kind {
        case .hello: self = .hello(try reader.json(RelayHello.self))
        case .welcome: self = .welcome(try reader.json(RelayHello.self))
        case .refusal: self = .refusal(try reader.json(ErrorReport.self))
        case .received: self = .received(try reader.number(UInt64.self))
        case .open: self = .message(.open(channel: try reader.number()))
        case .opened: self = .message(.opened(channel: try reader.number()))
        case .refused:
            let channel: UInt32 = try reader.number()
            self = .message(.refused(channel: channel, try reader.json(ErrorReport.self)))
        case .frame:
            let channel: UInt32 = try reader.number()
            let count: UInt8 = try reader.number()
            guard count <= Frame.descriptorLimit else {
                throw RelayViolation("a frame has \(count) files, but the limit is \(Frame.descriptorLimit)")
            }
            var files: [UInt32] = []
            for _ in 0..<count { files.append(try reader.number()) }
            self = .message(.frame(channel: channel, files: files, payload: reader.rest()))
        case .close: self = .message(.close(channel: try reader.number()))
        case .credit:
            let channel: UInt32 = try reader.number()
            self = .message(.credit(channel: channel, byteCount: try reader.number()))
        case .file: self = .message(.file(try reader.announcement()))
        case .data:
            let file: UInt32 = try reader.number()
            self = .message(.data(file: file, reader.rest()))
        case .zeros:
            let file: UInt32 = try reader.number()
            let count: UInt32 = try reader.number()
            guard count <= RelayMessage.chunkByteLimit else {
                throw RelayViolation("a message has \(count) zeros, but the limit is \(RelayMessage.chunkByteLimit)")
            }
            self = .message(.zeros(file: file, byteCount: count))
        case .end:
            let file: UInt32 = try reader.number()
            let digest = reader.rest()
            guard digest.count == 32 else { throw RelayViolation("expected a digest of 32 bytes, got \(digest.count)") }
            self = .message(.end(file: file, digest: digest))
        case .abandon: self = .message(.abandon(file: try reader.number()))
        case .finish: self = .message(.finish)
        }
        guard reader.isAtEnd else { throw RelayViolation("a packet is too long for its kind") }
    }
}

extension RelayMessage {
    fileprivate func encode(into bytes: inout [UInt8]) {
        switch self {
        case .open(let channel), .opened(let channel), .close(let channel): bytes.append(number: channel)
        case .refused(let channel, let report):
            bytes.append(number: channel)
            bytes += WireCoding.encode(report)
        case .frame(let channel, let files, let payload):
            bytes.append(number: channel)
            bytes.append(UInt8(files.count))
            for file in files { bytes.append(number: file) }
            bytes += payload
        case .credit(let channel, let count):
            bytes.append(number: channel)
            bytes.append(number: count)
        case .file(let announcement):
            bytes.append(number: announcement.file)
            bytes.append(number: announcement.channel)
            switch announcement.purpose {
            case .passed(let access):
                bytes.append(access.rawValue)
                bytes.append(number: UInt32(0))
            case .changed(let original):
                bytes.append(PacketReader.changedPurpose)
                bytes.append(number: original)
            }
            bytes.append(number: announcement.byteCount)
        case .data(let file, let data):
            bytes.append(number: file)
            bytes += data
        case .zeros(let file, let count):
            bytes.append(number: file)
            bytes.append(number: count)
        case .end(let file, let digest):
            bytes.append(number: file)
            bytes += digest
        case .abandon(let file): bytes.append(number: file)
        case .finish: break
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(number: some FixedWidthInteger) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}

/// Reads the fields of one payload.
private struct PacketReader {
    static let changedPurpose: UInt8 = 2
    var bytes: ArraySlice<UInt8>

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(RelayViolation) -> Number {
        let count = Number.bitWidth / 8
        guard bytes.count >= count else { throw RelayViolation("a packet is too short for its kind") }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count).reduce(0) { $0 << 8 | Number($1) }
    }

    mutating func rest() -> [UInt8] {
        defer { bytes = [] }
        return Array(bytes)
    }

    mutating func json<Value: Decodable>(_ type: Value.Type) throws(RelayViolation) -> Value {
        do throws(WireError) {
            return try WireCoding.decode(type, from: rest())
        } catch {
            throw RelayViolation("\(error)")
        }
    }

    mutating func announcement() throws(RelayViolation) -> FileAnnouncement {
        let file: UInt32 = try number()
        let channel: UInt32 = try number()
        let word: UInt8 = try number()
        let original: UInt32 = try number()
        let count: UInt64 = try number()
        guard count <= UInt64(Int64.max) else { throw RelayViolation("the file size \(count) is out of range") }
        if word == Self.changedPurpose {
            return FileAnnouncement(
                file: file,
                channel: channel,
                purpose: .changed(original: original),
                byteCount: count
            )
        }
        guard let access = RelayFileAccess(rawValue: word), original == 0 else {
            throw RelayViolation("unknown file purpose \(word)")
        }
        return FileAnnouncement(file: file, channel: channel, purpose: .passed(access), byteCount: count)
    }
}
