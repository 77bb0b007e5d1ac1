import Glibc
import IntentHash
import IntentLinux
import IntentProtocol

/// The files that one end of a session sends and receives.
///
/// Received files are stored without a name, so the peer cannot choose a path.
struct RelayFiles {
    private struct Outgoing {
        var descriptor: SharedFileDescriptor
        /// The offset in the file at which the content begins.
        var start: Int
    }

    /// The contents of a frame's pipes. They are sent again if a client repeats the frame in a later session, because a
    /// pipe can be read only once.
    private struct SpooledPipes {
        var frame: [UInt8]
        var files: [Int: SharedFileDescriptor]
    }

    private var lastNumber: UInt32 = 0
    private var outgoing: [UInt32: Outgoing] = [:]
    private var spools: [UInt32: SpoolFile] = [:]
    private var whole: [UInt32: SharedFileDescriptor] = [:]
    /// The errors for received files that could not be stored.
    private var problems: [UInt32: ErrorReport] = [:]
    /// The files that runs may change: the user's files at the user's end, and their copies at the relay.
    private var writable: [UInt32: SharedFileDescriptor] = [:]
    private var pipes: [SpooledPipes] = []

    init() {}

    init(keepingPipesOf other: RelayFiles) {
        pipes = other.pipes
    }

    // MARK: Sent

    /// Assigns a number to a file and prepares it for sending.
    mutating func announce(
        _ descriptor: SharedFileDescriptor,
        on channel: UInt32,
        from role: RelayInbox.Role
    ) throws(SystemError) -> FileAnnouncement {
        lastNumber += 1
        let access: RelayFileAccess =
            role == .user && File.access(of: descriptor.rawValue) == .both ? .readingAndWriting : .reading
        // Start at the current offset, because standard input may already have been read in part. Result files and
        // writable files are sent from their beginning.
        let position = access == .reading && role == .user ? lseek(descriptor.rawValue, 0, SEEK_CUR) : 0
        let start = max(0, Int(position))
        let size = try File.status(of: descriptor.rawValue).byteCount
        outgoing[lastNumber] = Outgoing(descriptor: descriptor, start: start)
        if access == .readingAndWriting { writable[lastNumber] = descriptor }
        return FileAnnouncement(
            file: lastNumber,
            channel: channel,
            purpose: .passed(access),
            byteCount: UInt64(max(0, size - Int64(start)))
        )
    }

    func read(_ file: UInt32, at offset: UInt64, _ count: Int) throws(SystemError) -> [UInt8] {
        guard let outgoing = outgoing[file] else { return [] }
        return try File.read(outgoing.descriptor.rawValue, upTo: count, at: outgoing.start + Int(offset))
    }

    /// Releases a file that has been sent or does not need to be sent.
    mutating func sent(_ file: UInt32) { outgoing[file] = nil }

    /// Releases a file that will not be sent. A writable file is released as well.
    mutating func discardSent(_ file: UInt32) {
        sent(file)
        releaseWritable(file)
    }

    // MARK: Received

    mutating func create(_ announcement: FileAnnouncement) {
        let access: RelayFileAccess =
            switch announcement.purpose {
            case .passed(let access): access
            case .changed: .reading
            }
        do throws(SystemError) {
            spools[announcement.file] = try SpoolFile(byteCount: announcement.byteCount, access: access)
        } catch {
            problems[announcement.file] = Self.problem(error)
        }
    }

    mutating func append(_ bytes: [UInt8], to file: UInt32) {
        store(file) { spool throws(SystemError) in try spool?.append(bytes) }
    }

    mutating func appendZeros(_ count: Int, to file: UInt32) {
        store(file) { spool throws(SystemError) in try spool?.appendZeros(count) }
    }

    private mutating func store(_ file: UInt32, _ write: (inout SpoolFile?) throws(SystemError) -> Void) {
        do throws(SystemError) {
            try write(&spools[file])
        } catch {
            fail(file, error)
        }
    }

    mutating func complete(_ file: UInt32, _ access: RelayFileAccess) {
        do throws(SystemError) {
            guard let descriptor = try spools.removeValue(forKey: file)?.finish(access) else { return }
            whole[file] = descriptor
            guard access == .readingAndWriting else { return }
            // Set a modification time of 0. A write by the run replaces it, which shows that the file was changed.
            try File.setModified(descriptor.rawValue, seconds: 0)
            writable[file] = descriptor
        } catch {
            fail(file, error)
        }
    }

    mutating func discard(_ file: UInt32) {
        spools[file] = nil
        whole[file] = nil
        problems[file] = nil
        writable[file] = nil
    }

    /// Removes and returns a frame's received files.
    mutating func removeReceived(
        _ numbers: [UInt32]
    ) -> (descriptors: [SharedFileDescriptor], writable: [UInt32], problem: ErrorReport?) {
        let problem = numbers.compactMap { problems[$0] }.first
        var descriptors: [SharedFileDescriptor] = []
        for number in numbers {
            if let descriptor = whole.removeValue(forKey: number) { descriptors.append(descriptor) }
            problems[number] = nil
        }
        return (descriptors, numbers.filter { writable[$0] != nil }, problem)
    }

    private mutating func fail(_ file: UInt32, _ error: SystemError) {
        discard(file)
        problems[file] = Self.problem(error)
    }

    private static func problem(_ error: SystemError) -> ErrorReport {
        ErrorReport(
            .tooLarge,
            "cannot store a received file in '\(SpoolFile.folder)': \(error.code)",
            hint: "free some space on the receiving host"
        )
    }

    // MARK: Files changed by runs

    /// Prepares a writable file for sending back, and returns its announcement; nil if the run did not change the file.
    mutating func changed(_ original: UInt32, on channel: UInt32) -> FileAnnouncement? {
        guard let descriptor = writable.removeValue(forKey: original),
            let status = try? File.status(of: descriptor.rawValue), status.modifiedNanoseconds != 0
        else { return nil }
        lastNumber += 1
        outgoing[lastNumber] = Outgoing(descriptor: descriptor, start: 0)
        return FileAnnouncement(
            file: lastNumber,
            channel: channel,
            purpose: .changed(original: original),
            byteCount: UInt64(max(0, status.byteCount))
        )
    }

    /// Replaces the content of the user's file.
    ///
    /// - Returns: The error if the file could not be written; nil on success.
    mutating func change(_ original: UInt32, to changed: UInt32) -> ErrorReport? {
        defer { discard(changed) }
        if let problem = problems[changed] { return problem }
        guard let target = writable[original], let spool = spools[changed] else { return nil }
        do throws(SystemError) {
            let contents = try spool.finish(.reading)
            try File.resize(target.rawValue, to: 0)
            try File.copyContents(of: contents.rawValue, to: target.rawValue)
            return nil
        } catch {
            return ErrorReport(.tooLarge, "cannot copy a run's changes to the original file: \(error)")
        }
    }

    mutating func releaseWritable(_ file: UInt32) { writable[file] = nil }

    // MARK: Pipes

    func spooledPipe(at index: Int, of frame: [UInt8]) -> SharedFileDescriptor? {
        pipes.first { $0.frame == frame }?.files[index]
    }

    mutating func keepSpooledPipe(_ file: SharedFileDescriptor, at index: Int, of frame: [UInt8]) {
        if let pipesIndex = pipes.firstIndex(where: { $0.frame == frame }) {
            pipes[pipesIndex].files[index] = file
        } else {
            pipes = pipes.suffix(3) + [SpooledPipes(frame: frame, files: [index: file])]
        }
    }
}
