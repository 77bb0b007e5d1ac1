import Glibc
import IntentLinux
import TestSupport
import Testing

@Suite struct MemoryFileTests {
    @Test func `a sealed file contains its bytes, and its offset is 0`() throws {
        let file = try MemoryFile.sealed(name: "result", Array("hello".utf8)[...])
        #expect(try File.readAll(file.rawValue, limit: 100) == Array("hello".utf8))
        #expect(try File.status(of: file.rawValue).byteCount == 5)
    }

    @Test func `a sealed file cannot be changed`() throws {
        let file = try MemoryFile.sealed(name: "result", [1, 2, 3])
        #expect(MemoryFile.isSealed(file.rawValue))
        #expect(throws: SystemError("write", code: Errno(rawValue: EPERM))) { try File.write(file.rawValue, [9]) }
        #expect(throws: SystemError("ftruncate", code: Errno(rawValue: EPERM))) {
            try syscall("ftruncate") { ftruncate(file.rawValue, 0) }
        }
        #expect(throws: SystemError("ftruncate", code: Errno(rawValue: EPERM))) {
            try syscall("ftruncate") { ftruncate(file.rawValue, 100) }
        }
        let again = try File.open("/proc/self/fd/\(file.rawValue)", O_RDWR)
        #expect(throws: SystemError("write", code: Errno(rawValue: EPERM))) { try File.write(again.rawValue, [9]) }
        #expect(try File.readAll(file.rawValue, limit: 10) == [1, 2, 3])
    }

    @Test func `other files are not treated as sealed memory files`() throws {
        let directory = TemporaryDirectory()
        let plain = try File.open(directory("file"), O_CREAT | O_RDWR)
        #expect(!MemoryFile.isSealed(plain.rawValue))
        #expect(try !MemoryFile.isMemory(plain.rawValue))
        let unsealed = try MemoryFile.unsealed(name: "test", [1])
        #expect(!MemoryFile.isSealed(unsealed.rawValue))
        #expect(try MemoryFile.isMemory(unsealed.rawValue))
        // A file on a mounted tmpfs also supports seals, but its permissions and its folder protect it.
        if let shared = try? File.open("/dev/shm/intentd-test-\(getpid())", O_CREAT | O_EXCL | O_RDWR) {
            unlink("/dev/shm/intentd-test-\(getpid())")
            #expect(try !MemoryFile.isMemory(shared.rawValue))
        }
        let pair = try UnixSocket.Pair(.stream)
        #expect(!MemoryFile.isSealed(pair.first.rawValue))
        #expect(!MemoryFile.isSealed(-1))
    }
}
