import CIntentLinux
import Glibc

/// Determines whether a process is a descendant of another process, according to the kernel.
///
/// Ancestry identifies processes in sandboxes reliably. A process in a sandbox cannot leave its PID namespace, and an
/// orphan in the namespace becomes a child of the namespace's init process, which is a child of the launcher. Other
/// properties are not reliable: the app of a private daemon may have its owner's uid, a client in a container also has
/// a separate PID namespace, and not every host has cgroups.
extension PeerProcess {
    package enum Ancestry: Equatable, Sendable {
        /// The process is the ancestor itself or one of its descendants.
        case below
        /// The process is not a descendant.
        case elsewhere
        /// The process has exited, or its parents change faster than they can be read.
        case unknown
    }

    /// The maximum length of the chain of parents. Only a process that tries to hide its ancestry has a longer chain.
    private static let depthLimit = 1024
    private static let attemptLimit = 16

    /// Determines whether the process is a descendant of another process.
    ///
    /// - Parameter ancestor: The id of a process that must not exit during the call, because its id could then be
    ///   reused.
    package func ancestry(from ancestor: Int32) -> Ancestry {
        for _ in 0..<Self.attemptLimit {
            if let found = Self.ancestry(of: Link(descriptor: descriptor, number: recordedNumber), from: ancestor) {
                return found
            }
            // The parents changed while they were read, or the process has exited. Retry only in the first case.
            if number == nil { break }
        }
        return .unknown
    }

    private struct Link {
        var descriptor: SharedFileDescriptor
        var number: Int32

        enum Parent: Equatable {
            case number(Int32)
            /// The parent is outside of this process's PID namespace, which contains all descendants of this process.
            case outside
            case unknown
        }

        var parent: Parent {
            do throws(SystemError) {
                return .number(try syscall("ioctl", on: "PIDFD_GET_INFO") { intentd_pidfd_parent(descriptor.rawValue) })
            } catch  where error.code.rawValue == ESRCH {
                return hasEnded ? .unknown : .outside
            } catch {
                // Before Linux 6.13, read the parent from /proc. The entry is valid only if the process has not exited
                // in the meantime, because its process id may have been reused.
                guard let parent = Self.parent(of: number), !hasEnded else { return .unknown }
                return parent == 0 ? .outside : .number(parent)
            }
        }

        private var hasEnded: Bool {
            var source = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
            return poll(&source, 1, 0) != 0
        }

        private static func parent(of process: Int32) -> Int32? {
            File.restOfLine(startingWith: "PPid:", at: "/proc/\(process)/status")
                .flatMap { Int32($0.trimmed) }
        }
    }

    /// Follows the chain of parents. Returns nil if the chain changed while it was being read.
    private static func ancestry(of process: Link, from ancestor: Int32) -> Ancestry? {
        var link = process
        for _ in 0..<depthLimit {
            // SO_PEERCRED reports the id 0 for a process outside of this process's PID namespace.
            if link.number == 0 { return .elsewhere }
            if link.number == ancestor { return .below }
            switch link.parent {
            case .unknown: return nil
            case .outside: return .elsewhere
            case .number(let number):
                if number == ancestor { return .below }
                if number <= 1 { return .elsewhere }
                guard let opened = try? nilIfExited({ intentd_pidfd_open(number) }) else { return nil }
                let parent = Link(descriptor: SharedFileDescriptor(owning: opened), number: number)
                // Check that the process id was not reused before the process was opened. If the id was reused, the
                // child has a new parent.
                guard link.parent == .number(number) else { return nil }
                link = parent
            }
        }
        return nil
    }
}
