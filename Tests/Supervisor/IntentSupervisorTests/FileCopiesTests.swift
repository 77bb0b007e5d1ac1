import Glibc
import IntentDaemon
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd
import TestSupport
import Testing

@testable import IntentSupervisor

/// Copies of agents' files, on a real loop.
@Suite(.ownThread, .timeLimit(.minutes(1))) struct FileCopiesTests {
    private let parts: SupervisorParts
    private let copies: FileCopies
    private let ann = Account.local(user: 1000, account: "ann")
    private let ben = Account.local(user: 1001, account: "ben")

    init() throws {
        parts = try SupervisorParts()
        copies = try FileCopies(on: parts.loop, closer: parts.closing.closer(for: .others))
    }

    private func open(_ path: String, _ flags: Int32 = O_RDONLY) throws -> SharedFileDescriptor {
        SharedFileDescriptor(try File.open(path, flags))
    }

    private func write(_ text: String, to path: String) throws {
        let file = try File.open(path, O_WRONLY | O_CREAT | O_TRUNC)
        try File.write(file.rawValue, Array(text.utf8)[...])
    }

    /// Copies files and waits for the outcome. Without an object that copies, a new one is used.
    private func copy(
        _ files: [SharedFileDescriptor],
        of account: Account,
        below roots: [String]? = nil,
        by given: FileCopies? = nil
    ) throws -> FileCopies.Outcome {
        let parts = given == nil ? try SupervisorParts() : self.parts
        let copies = try given ?? FileCopies(on: parts.loop, closer: parts.closing.closer(for: .others))
        var outcome: FileCopies.Outcome?
        var isRunning = false
        copies.copy(files, for: Sample.run(1), of: account, below: roots) {
            outcome = $0
            if isRunning { parts.loop.exit(0) }
        }
        isRunning = true
        if outcome == nil { _ = try parts.loop.run() }
        let result = try #require(outcome)
        if case .failure = result { #expect(copies.budget.total == 0) }
        return result
    }

    @Test func `a copy is sealed, and neither a write nor a restored time changes what was described`() throws {
        let folder = TemporaryDirectory()
        try write("approved", to: folder("a"))
        let file = try open(folder("a"))
        let copy = try #require(try copy([file], of: ann, by: copies).get().first)
        try write("changed!", to: folder("a"))
        #expect(try File.readAll(copy.file.rawValue, limit: 100) == Array("approved".utf8))
        #expect(MemoryFile.isSealed(copy.file.rawValue) && File.access(of: copy.file.rawValue) == .reading)
        let expected = PassedFile(
            name: .verified(folder("a")),
            byteCount: 8,
            contents: .copy(digest: "2687f86ed6784b8a5fca36e6c468e12aa44dc3c7e8137e3160d1a95079bdcd02")
        )
        #expect(copy.description == expected)
        #expect(copies.budget.total == 8)
        copies.budget.release(Sample.run(1))
        #expect(copies.budget.total == 0)
    }

    @Test func `a copy contains the whole file, regardless of the descriptor's offset`() throws {
        let folder = TemporaryDirectory()
        let text = String(repeating: "0123456789abcdef", count: 50_000)
        try write(text, to: folder("a"))
        let file = try open(folder("a"))
        _ = try File.read(file.rawValue, upTo: 5)
        let copy = try #require(try copy([file], of: ann).get().first)
        #expect(try File.readAll(copy.file.rawValue, limit: 1 << 20) == Array(text.utf8))
    }

    @Test func `a name is verified only if intentd reaches the same file by it`() throws {
        let folder = TemporaryDirectory()
        try write("a", to: folder("a"))
        let file = try open(folder("a"))
        #expect(try copy([file], of: ann, below: [folder.path]).get().first?.description.name == .verified(folder("a")))
        // A memory file has no path.
        let memory = try MemoryFile.sealed(name: "\(folder.path)/a", Array("a".utf8)[...])
        #expect(try copy([memory], of: ann).get().first?.description.name == PassedFile.Name.none)
        unlink(folder("a"))
        #expect(try copy([file], of: ann).get().map(\.description.name) == [PassedFile.Name.none])
        #expect(throws: ErrorReport.self) { try copy([memory], of: ann, below: [folder.path]).get() }
    }

    @Test func `a file that is open for writing is not copied, and its description says so`() throws {
        let folder = TemporaryDirectory()
        try write("abc", to: folder("a"))
        let file = try open(folder("a"), O_RDWR)
        let copy = try #require(try copy([file], of: ann, by: copies).get().first)
        let status = try File.status(of: file.rawValue)
        #expect(copy.file.rawValue == file.rawValue)
        guard case .writable(_, let inode) = copy.description.contents else {
            Issue.record("\(copy.description)")
            return
        }
        #expect(inode == status.inode && copies.budget.total == 0)
    }

    @Test func `pipes, large files and files without a size are refused with a next step`() throws {
        let folder = TemporaryDirectory()
        try write("", to: folder("large"))
        truncate(folder("large"), off_t(CopyBudget.fileLimit) + 1)
        let pipe = try Pipe()
        let ends = SharedFileDescriptor(owning: dup(pipe.reading.rawValue))
        for (file, code) in [
            (try open(folder("large")), ErrorReport.Code.tooLarge), (ends, .notPermitted),
            (try open("/proc/self/status"), .badParameter),
        ] {
            let outcome = try copy([file], of: ann)
            guard case .failure(let error) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(error.code == code && error.hint != nil, "\(error)")
        }
    }

    @Test(.enabled(if: HangingFile.obstacle == nil, "needs a FUSE file system"))
    func `files that hang delay only their own user, who is refused at the limit`() throws {
        let hanging = try HangingFile()
        defer { hanging.end() }
        let file = SharedFileDescriptor(owning: dup(try hanging.open()))
        try hanging.hang(in: .read)
        var refusals = 0
        for number in 1...UInt64(FileCopies.orderLimit) {
            copies.copy([file], for: Sample.run(100 + number), of: ann, below: nil) { outcome in
                if case .failure(let error) = outcome, error.code == .busy { refusals += 1 }
            }
        }
        #expect(refusals == FileCopies.orderLimit / 2)
        let folder = TemporaryDirectory()
        try write("a", to: folder("a"))
        #expect(try copy([try open(folder("a"))], of: ben, by: copies).get().count == 1)
        try hanging.hang(in: nil)
    }

    /// Copies that are refused after a millisecond.
    private func impatientCopies() throws -> FileCopies {
        try FileCopies(on: parts.loop, patience: .milliseconds(1), closer: parts.closing.closer(for: .others))
    }

    @Test(.enabled(if: HangingFile.obstacle == nil, "needs a FUSE file system"))
    func `a request with a file that hangs is refused in time, and then uses no place of another user`()
        throws
    {
        let hanging = try HangingFile()
        defer { hanging.end() }
        let file = SharedFileDescriptor(owning: dup(try hanging.open()))
        let impatient = try impatientCopies()
        try hanging.hang(in: .read)
        // Each thread waits for the file system, and counts for the user.
        var errors: [ErrorReport] = []
        var refusals = 0
        func submitOfBen() {
            for number in 1...UInt64(FileCopies.orderLimit) {
                impatient.copy([file], for: Sample.run(200 + number), of: ben, below: nil) { outcome in
                    if case .failure(let error) = outcome, error.code == .busy { refusals += 1 }
                }
            }
            parts.loop.exit(0)
        }
        func submit() {
            impatient.copy([file], for: Sample.run(1), of: ann, below: nil) { outcome in
                guard case .failure(let error) = outcome else { return parts.loop.exit(1) }
                errors.append(error)
                if error.code == .badParameter { submit() } else { submitOfBen() }
            }
        }
        submit()
        #expect(try parts.loop.run() == 0)
        #expect(errors.count == FileCopies.orderLimit + 1 && errors.last?.code == .busy)
        #expect(errors.first?.message.contains("did not respond within 1 ms") == true, "\(errors)")
        #expect(impatient.fileCount(of: ann) == FileCopies.orderLimit && impatient.budget.total > 0)
        // Another user has the share of a user without such threads.
        #expect(refusals == FileCopies.orderLimit / 2)
        try hanging.hang(in: nil)
    }

    @Test(.enabled(if: HangingFile.obstacle == nil, "needs a FUSE file system"))
    func `the copies of a request that was refused are released when its file system responds`() throws {
        let hanging = try HangingFile()
        defer { hanging.end() }
        let file = SharedFileDescriptor(owning: dup(try hanging.open()))
        let impatient = try impatientCopies()
        try hanging.hang(in: .read)
        var timer: EventSource?
        func waitForThread() {
            if impatient.fileCount == 0 { return parts.loop.exit(0) }
            timer = try? parts.loop.timer(atNanoseconds: ClockReading.monotonicNanoseconds() + 1_000_000, waitForThread)
        }
        impatient.copy([file], for: Sample.run(1), of: ann, below: nil) { outcome in
            guard case .failure = outcome, impatient.fileCount == 1, impatient.budget.total > 0 else {
                return parts.loop.exit(1)
            }
            try? hanging.hang(in: nil)
            waitForThread()
        }
        #expect(try parts.loop.run() == 0)
        #expect(impatient.budget.total == 0)
        withExtendedLifetime(timer) {}
    }
}
