import Glibc
import IntentClient
import IntentLinux
import IntentProtocol

/// A file of the user that is sent to the host for a run. A transfer continues where the last one stopped.
// SAFETY: one thread uses an upload at a time — the thread of the request to which the file belongs.
final class Upload: @unchecked Sendable {
    /// The size up to which a file is sent with the request that stores it.
    private static let smallByteCount: UInt64 = 64 << 10
    private static let partByteCount = 256 << 10
    /// The size from which progress is reported.
    private static let largeByteCount: UInt64 = 8 << 20

    private let file: SharedFileDescriptor
    private let host: HostConnection
    let isWritable: Bool
    /// The contents to send, from an offset; nil until the first transfer.
    private var contents: (file: SharedFileDescriptor, start: Int, byteCount: UInt64)?
    private var name: String?
    /// The session of the server that stores the file.
    private(set) var session: String?
    /// True if no further change is copied to the user's file.
    var isCopied = false

    init(_ file: SharedFileDescriptor, reportingTo host: HostConnection) {
        self.file = file
        self.host = host
        isWritable = File.access(of: file.rawValue) == .both
    }

    /// Stores the file at the server. Returns its name there.
    func store(over channel: HostChannel, from software: String) throws(ChannelFailure) -> String {
        let (file, start, byteCount) = try prepare()
        var offset: UInt64 = 0
        if let name, session == channel.session, let stored = try storedCount(of: name, channel, software) {
            offset = stored
        } else {
            let first = byteCount <= Self.smallByteCount ? byteCount : 0
            name = try create(try read(file, start, first, channel), channel, software)
            session = channel.session
            offset = first
        }
        guard let name else { throw .lost }
        guard offset < byteCount else { return name }
        let call = HostCall.storedFile("PATCH", name).adding("Upload-Offset", String(offset))
        try channel.sendHead(of: call, from: software, bodyByteCount: byteCount - offset)
        while offset < byteCount {
            let count = min(byteCount - offset, UInt64(Self.partByteCount))
            let bytes = try read(file, start + Int(offset), count, channel)
            try channel.write(bytes)
            offset += UInt64(bytes.count)
            if byteCount >= Self.largeByteCount { host.report(.sending(byteCount: offset, of: byteCount)) }
        }
        _ = try channel.answer()
        return name
    }

    /// Returns the number of bytes that the server has stored; nil if it does not know the file.
    private func storedCount(
        of name: String,
        _ channel: HostChannel,
        _ software: String
    ) throws(ChannelFailure) -> UInt64? {
        do throws(ChannelFailure) {
            let answer = try channel.answer(to: .storedFile("HEAD", name), from: software)
            host.answered()
            return answer.head.fields["content-length"].flatMap { UInt64($0) }
        } catch {
            guard case .refused = error else { throw error }
            return nil
        }
    }

    private func create(_ bytes: [UInt8], _ channel: HostChannel, _ software: String) throws(ChannelFailure) -> String {
        var call = HostCall.storedFile("POST")
        call.body = bytes
        let answer = try channel.answer(to: call, from: software)
        host.answered()
        guard let name = try? WireCoding.decode(StoredName.self, from: answer.body).file else {
            throw .failed(channel.violation(ResponseViolation("expected the name of a stored file")))
        }
        return name
    }

    private func prepare() throws(ChannelFailure) -> (SharedFileDescriptor, Int, UInt64) {
        if let contents { return contents }
        do throws(SystemError) {
            let status = try File.status(of: file.rawValue)
            if status.kind == .regular {
                // Start at the current offset, because standard input may already have been read in part. A writable
                // file is sent from its beginning.
                let start = isWritable ? 0 : max(0, Int(lseek(file.rawValue, 0, SEEK_CUR)))
                contents = (file, start, UInt64(max(0, status.byteCount - Int64(start))))
            } else {
                // A pipe can be read only once.
                var spool = try SpoolFile(byteCount: nil)
                while let bytes = try File.read(file.rawValue, upTo: Self.partByteCount), !bytes.isEmpty {
                    try spool.append(bytes)
                }
                contents = (try spool.finish(), 0, spool.byteCount)
            }
        } catch {
            throw .refused(Self.unreadable(error.code, at: host.host))
        }
        guard let contents else { throw .lost }
        return contents
    }

    private func read(
        _ file: SharedFileDescriptor,
        _ offset: Int,
        _ count: UInt64,
        _ channel: HostChannel
    ) throws(ChannelFailure) -> [UInt8] {
        guard count > 0 else { return [] }
        let reason: String
        do throws(SystemError) {
            let bytes = try File.read(file.rawValue, upTo: Int(count), at: offset)
            if !bytes.isEmpty { return bytes }
            reason = "the file shrank during the transfer"
        } catch {
            reason = "\(error.code)"
        }
        // The server waits for the rest of the body, so the channel cannot be used further.
        let report = Self.unreadable(reason, at: host.host)
        throw .failed(IntentClientError(report.code, report.message, hint: report.hint))
    }

    private static func unreadable(_ reason: some CustomStringConvertible, at host: String) -> ErrorReport {
        ErrorReport(
            .badRequest,
            "cannot read a file to send it to '\(host)': \(reason)",
            hint: "check the file, then try again"
        )
    }

    /// Replaces the content of the user's file, if the run has changed the stored file.
    func copyChanges(over channel: HostChannel, from software: String) throws(ChannelFailure) {
        guard let name else { return }
        var download = FileDownload(.storedFile("GET", name).adding("If-Modified-Since", Self.unchanged))
        do throws(ChannelFailure) {
            let changed = try download.receive(over: channel, from: software)
            if let changed { try replaceContents(with: changed) }
            isCopied = true
            _ = try channel.answer(to: .storedFile("DELETE", name), from: software)
        } catch {
            guard case .refused = error else { throw error }
            if !isCopied { host.loseChanges() }
            isCopied = true
        }
    }

    private func replaceContents(with changed: SharedFileDescriptor) throws(ChannelFailure) {
        do throws(SystemError) {
            try File.resize(file.rawValue, to: 0)
            try File.copyContents(of: changed.rawValue, to: file.rawValue)
        } catch {
            let message = "cannot copy a run's changes to the original file: \(error)"
            throw .failed(IntentClientError(.tooLarge, message, hint: "free some space on this host"))
        }
    }

    /// The modification time of a stored file that no run has changed.
    private static let unchanged = "Thu, 01 Jan 1970 00:00:00 GMT"
}

/// The name of a stored file.
private struct StoredName: Decodable { var file: String }

extension HostCall {
    fileprivate func adding(_ name: String, _ value: String) -> HostCall {
        var call = self
        call.fields.append(Field(name: name, value: value))
        return call
    }
}

/// A file of the host that is received. A transfer continues where the last one stopped.
struct FileDownload {
    private let call: HostCall
    private var spool: SpoolFile?

    init(_ call: HostCall) { self.call = call }

    /// Receives the rest of the file. Returns nil if the server has no other version (304).
    mutating func receive(
        over channel: HostChannel,
        from software: String
    ) throws(ChannelFailure) -> SharedFileDescriptor? {
        let offset = spool?.byteCount ?? 0
        try channel.send(offset > 0 ? call.adding("Range", "bytes=\(offset)-") : call, from: software)
        let head = try channel.head()
        do throws(SystemError) {
            // A server that does not continue begins again.
            if spool == nil || head.status != 206 {
                spool = try SpoolFile(byteCount: head.fields["content-length"].flatMap { UInt64($0) })
            }
        } catch {
            throw Self.full(error)
        }
        while let bytes = try channel.body() {
            do throws(SystemError) {
                try spool?.append(bytes)
            } catch {
                throw Self.full(error)
            }
        }
        if head.status == 304 { return nil }
        do throws(SystemError) {
            return try spool?.finish()
        } catch {
            throw Self.full(error)
        }
    }

    private static func full(_ error: SystemError) -> ChannelFailure {
        .failed(
            IntentClientError(
                .tooLarge,
                "cannot store a received file in '\(SpoolFile.folder)': \(error.code)",
                hint: "free some space on this host"
            )
        )
    }
}

/// The files to which an answer refers.
struct FileDownloads {
    private struct Fields: Decodable {
        var type: String
        var run: String?
        var files: Int?
        var references: [FileReference]?
    }

    let answer: [UInt8]
    private var downloads: [FileDownload] = []
    private var complete: [SharedFileDescriptor] = []

    init(of answer: [UInt8], _ channel: HostChannel) throws(ChannelFailure) {
        self.answer = answer
        // Most answers have no files, and can be large.
        guard PayloadShape.number(named: "files", in: answer) ?? 0 > 0 else { return }
        guard let fields = try? WireCoding.decode(Fields.self, from: answer), let count = fields.files,
            let run = fields.run, (1...Frame.descriptorLimit).contains(count),
            fields.references.map({ $0.count == count }) ?? true
        else { throw .failed(channel.violation(ResponseViolation("an answer has an invalid list of files"))) }
        downloads = (0..<count).map { number in
            FileDownload(.resultFile(fields.references?[number].index ?? number, of: run))
        }
    }

    mutating func receive(
        over channel: HostChannel,
        from software: String
    ) throws(ChannelFailure) -> [SharedFileDescriptor] {
        while complete.count < downloads.count {
            guard let file = try downloads[complete.count].receive(over: channel, from: software) else {
                throw .failed(channel.violation(ResponseViolation("expected the contents of a file")))
            }
            complete.append(file)
        }
        return complete
    }
}
