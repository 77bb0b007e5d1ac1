import CIntentLaunch
import Glibc
import IntentLinux

/// The restrictions that a version of Landlock supports (landlock(7)).
package struct Landlock: Equatable, Sendable {
    /// The version of the kernel's Landlock ABI; 0 without Landlock.
    package let version: Int

    package init(version: Int) {
        self.version = version
    }

    /// The Landlock support of the running kernel.
    ///
    /// Tests set the environment variable INTENTD_LANDLOCK_MAX to use an older version on a newer kernel.
    package static var ofKernel: Landlock {
        let maximum = getenv("INTENTD_LANDLOCK_MAX").flatMap { Int(String(foreign: $0)) } ?? .max
        return Landlock(version: min(Int(intentd_landlock_version()), maximum))
    }

    /// File access rights, as LANDLOCK_ACCESS_FS_… bits.
    package struct FileRights: OptionSet, Sendable {
        package let rawValue: UInt64

        package init(rawValue: UInt64) {
            self.rawValue = rawValue
        }

        package static let execute = FileRights(rawValue: 1 << 0)
        package static let writeFile = FileRights(rawValue: 1 << 1)
        package static let readFile = FileRights(rawValue: 1 << 2)
        package static let readFolder = FileRights(rawValue: 1 << 3)
        package static let makeCharacterDevice = FileRights(rawValue: 1 << 6)
        package static let makeBlockDevice = FileRights(rawValue: 1 << 11)
        package static let controlDevice = FileRights(rawValue: 1 << 15)

        package static let read: FileRights = [.readFile, .readFolder]
        package static let device: FileRights = [.readFile, .writeFile, .controlDevice]
        /// All operations on files and folders except executing programs and using devices.
        package static let change = FileRights(rawValue: 0xffff)
            .subtracting([.execute, .makeCharacterDevice, .makeBlockDevice, .controlDevice])
    }

    /// All file access rights that this version supports.
    package var fileRights: FileRights {
        switch version {
        case ..<1: []
        case 1: FileRights(rawValue: (1 << 13) - 1)
        case 2: FileRights(rawValue: (1 << 14) - 1)
        case 3, 4: FileRights(rawValue: (1 << 15) - 1)
        default: FileRights(rawValue: (1 << 16) - 1)
        }
    }

    /// The bits LANDLOCK_ACCESS_NET_BIND_TCP and LANDLOCK_ACCESS_NET_CONNECT_TCP, if this version supports them.
    package var networkRights: UInt64 { version >= 4 ? 3 : 0 }

    /// The bits LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET and LANDLOCK_SCOPE_SIGNAL, if this version supports them.
    package var scopes: UInt64 { version >= 6 ? 3 : 0 }
}
