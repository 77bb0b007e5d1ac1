import Glibc
import IntentLinux
import TestSupport
import Testing

@Suite struct FileDescriptorTests {
    @Test func `a descriptor is closed at the end of its owner's lifetime`() throws {
        let pipe = try Pipe()
        let inode = try File.status(of: pipe.readEnd).inode
        #expect(try OpenDescriptors.count(inode: inode) == 2)
        do {
            let owner = FileDescriptor(owning: pipe.readEnd)
            #expect(try File.status(of: owner.rawValue).kind == .pipe)
        }
        #expect(try OpenDescriptors.count(inode: inode) == 1)
        close(pipe.writeEnd)
        #expect(try OpenDescriptors.count(inode: inode) == 0)
    }

    @Test func `a released descriptor stays open`() throws {
        let pipe = try Pipe()
        let inode = try File.status(of: pipe.readEnd).inode
        let number = FileDescriptor(owning: pipe.readEnd).release()
        #expect(number == pipe.readEnd)
        #expect(OpenDescriptors.isOpen(number, inode: inode))
        close(number)
        close(pipe.writeEnd)
    }

    @Test func `a shared descriptor is closed when its last reference is released`() throws {
        let pipe = try Pipe()
        let inode = try File.status(of: pipe.readEnd).inode
        close(pipe.writeEnd)
        var holders = [SharedFileDescriptor(owning: pipe.readEnd)]
        holders.append(holders[0])
        holders.removeLast()
        #expect(try OpenDescriptors.count(inode: inode) == 1)
        holders.removeAll()
        #expect(try OpenDescriptors.count(inode: inode) == 0)
    }

    @Test func `a duplicate outlives the original and is close-on-exec`() throws {
        let pipe = try Pipe()
        let inode = try File.status(of: pipe.readEnd).inode
        close(pipe.writeEnd)
        let duplicate: FileDescriptor
        do {
            let original = FileDescriptor(owning: pipe.readEnd)
            duplicate = try original.duplicate()
            #expect(duplicate.rawValue != original.rawValue)
            #expect(duplicate.rawValue > 2)
        }
        #expect(OpenDescriptors.isCloseOnExec(duplicate.rawValue))
        #expect(try OpenDescriptors.count(inode: inode) == 1)
    }

    @Test func `every function that opens a descriptor makes it close-on-exec`() throws {
        let directory = TemporaryDirectory()
        let created = try File.open(directory("file"), O_CREAT | O_RDWR)
        #expect(OpenDescriptors.isCloseOnExec(created.rawValue))
        for kind in [UnixSocket.Kind.stream, .sequencedPacket] {
            let pair = try UnixSocket.Pair(kind)
            #expect(OpenDescriptors.isCloseOnExec(pair.first.rawValue))
            #expect(OpenDescriptors.isCloseOnExec(pair.second.rawValue))
            let path = directory("\(kind)")
            let listener = try UnixSocket.listen(kind, at: path, permissions: 0o600)
            #expect(OpenDescriptors.isCloseOnExec(listener.rawValue))
            let client = try UnixSocket.connect(kind, to: path)
            #expect(OpenDescriptors.isCloseOnExec(client.rawValue))
            if let accepted = try UnixSocket.accept(on: listener.rawValue) {
                #expect(OpenDescriptors.isCloseOnExec(accepted.rawValue))
            } else {
                Issue.record("nothing to accept on \(path)")
            }
        }
        let memory = try MemoryFile.sealed(name: "test", [1])
        #expect(OpenDescriptors.isCloseOnExec(memory.rawValue))
        let folder = try File.open(directory.path, O_DIRECTORY)
        let beneath = try File.openBeneath(folder.rawValue, "file")
        #expect(OpenDescriptors.isCloseOnExec(beneath.rawValue))
    }

    @Test func `reading from an empty non-blocking descriptor returns nil`() throws {
        let pipe = try Pipe()
        let writeEnd = FileDescriptor(owning: pipe.writeEnd)
        let readEnd = FileDescriptor(owning: pipe.readEnd)
        try readEnd.setNonblocking()
        #expect(try File.read(readEnd.rawValue, upTo: 10) == nil)
        try File.write(writeEnd.rawValue, [1, 2, 3])
        #expect(try File.read(readEnd.rawValue, upTo: 10) == [1, 2, 3])
    }
}

/// A pipe with raw descriptors, which the test passes to owners.
private struct Pipe {
    let readEnd: Int32
    let writeEnd: Int32

    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        try syscall("pipe") { pipe(&ends) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }
}
