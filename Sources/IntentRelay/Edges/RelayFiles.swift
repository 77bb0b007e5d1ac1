import Glibc
import IntentHash
import IntentLinux
import IntentProtocol

/// The open files of one end of a session: files that it sends, and files that it receives.
///
/// It opens no file by a name that the peer chooses. Received files have no name.
struct RelayFiles {
    private struct Outgoing {
        var descriptor: SharedFileDescriptor
        /// Where the contents begin in the file.
        var start: Int
    }

    /// The pipes of a frame that were read to their end, for the same frame in a later session.
    private struct SpooledPipes {
        var frame: [UInt8]
        var files: [Int: SharedFileDescriptor]
    }

    private var lastNumber: UInt32 = 0
    private var outgoing: [UInt32: Outgoing] = [:]
    private var spools: [UInt32: SpoolFile] = [:]
    private var whole: [UInt32: SharedFileDescriptor] = [:]
    /// Why received files could not be stored.
    private var problems: [UInt32: ErrorReport] = [:]
    /// Files that runs may change: at the user's end the user's files, at the relay their copies.
    private var writable: [UInt32: SharedFileDescriptor] = [:]
    private var pipes: [SpooledPipes] = []

    init() {}

    init(keepingPipesOf other: RelayFiles) {
        pipes = other.pipes
    }

    // MARK: Sent

    /// Gives a file a number, and prepares it to be sent.
    mutating func announce(
        _ descriptor: SharedFileDescriptor,
        on channel: UInt32,
        from role: RelayInbox.Role
    ) throws(SystemError) -> FileAnnouncement {
        lastNumber += 1
        let access: RelayFileAccess =
            role == .user && File.access(of: descriptor.rawValue) == .both ? .readingAndWriting : .reading
        // Standard input may have been read in part. Other files begin at their start.
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

    /// The file was sent, or will not be.
    mutating func sent(_ file: UInt32) { outgoing[file] = nil }

    /// The file will not be sent at all.
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
        do throws(SystemError) {
            try spools[file]?.append(bytes)
        } catch {
            fail(file, error)
        }
    }

    mutating func appendZeros(_ count: Int, to file: UInt32) {
        do throws(SystemError) {
            try spools[file]?.appendZeros(count)
        } catch {
            fail(file, error)
        }
    }

    mutating func complete(_ file: UInt32, _ access: RelayFileAccess) {
        do throws(SystemError) {
            guard let descriptor = try spools.removeValue(forKey: file)?.finish(access) else { return }
            whole[file] = descriptor
            guard access == .readingAndWriting else { return }
            // Every write moves the time of the last change away from this one.
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

    /// Removes received files, to pass them on.
    mutating func take(
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
            "cannot store a file in '\(SpoolFile.folder)' of the host that receives it: \(error.code)",
            hint: "free some space there."
        )
    }

    // MARK: Changed by runs

    /// The new contents of a file that a run may have changed; nil when it has not changed them.
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

    /// Writes new contents into the user's file.
    ///
    /// - Returns: Why that failed; nil when it did not.
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
            return ErrorReport(.tooLarge, "cannot write the changes of the run into its file: \(error)")
        }
    }

    mutating func releaseWritable(_ file: UInt32) { writable[file] = nil }

    // MARK: Pipes

    func spooledPipe(at index: Int, of frame: [UInt8]) -> SharedFileDescriptor? {
        pipes.first { $0.frame == frame }?.files[index]
    }

    mutating func keepSpooledPipe(_ file: SharedFileDescriptor, at index: Int, of frame: [UInt8]) {
        if let place = pipes.firstIndex(where: { $0.frame == frame }) {
            pipes[place].files[index] = file
        } else {
            pipes = pipes.suffix(3) + [SpooledPipes(frame: frame, files: [index: file])]
        }
    }
}
