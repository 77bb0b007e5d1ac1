import CIntentLinux
import Glibc

/// Whether a process is a descendant of another process, according to the kernel.
///
/// A process in a sandbox cannot leave it: it keeps its PID namespace, and an orphan there becomes a child of that
/// namespace's init, which is a child of the launcher. Neither the uid nor the PID namespace nor the cgroup identifies a
/// process in a sandbox: the app of a private daemon may have its owner's uid, a client in a container also has a PID
/// namespace, and not every host has cgroups.
extension PeerProcess {
    package enum Ancestry: Equatable, Sendable {
        case below
        case elsewhere
        /// The process has ended, or its parents change faster than they can be read.
        case unknown
    }

    /// The maximum length of a chain of parents. Only a process that tries to hide has a longer chain.
    private static let depthLimit = 1024
    private static let attemptLimit = 16

    /// - Parameter ancestor: The id of a process that stays alive, so that the id is not reused before the answer.
    package func ancestry(from ancestor: Int32) -> Ancestry {
        for _ in 0..<Self.attemptLimit {
            if let found = Self.ancestry(of: Link(descriptor: descriptor, number: recordedNumber), from: ancestor) {
                return found
            }
            // The parents changed during the walk, or the process has exited. In the second case no retry helps.
            if number == nil { break }
        }
        return .unknown
    }

    private struct Link {
        var descriptor: SharedFileDescriptor
        var number: Int32

        enum Parent: Equatable {
            case number(Int32)
            /// The process is outside of our PID namespace, which contains all descendants of this process.
            case outside
            case unknown
        }

        var parent: Parent {
            do throws(SystemError) {
                return .number(try syscall("ioctl", on: "PIDFD_GET_INFO") { intentd_pidfd_parent(descriptor.rawValue) })
            } catch  where error.code.rawValue == ESRCH {
                return hasEnded ? .unknown : .outside
            } catch {
                // Before Linux 6.13, /proc shows the parent. It describes this process only until its process id is
                // reused.
                guard let parent = Self.parent(of: number), !hasEnded else { return .unknown }
                return parent == 0 ? .outside : .number(parent)
            }
        }

        private var hasEnded: Bool {
            var source = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
            return poll(&source, 1, 0) != 0
        }

        private static func parent(of process: Int32) -> Int32? {
            let line = (try? File.lines(at: "/proc/\(process)/status"))?.first { $0.hasPrefix("PPid:") }
            return line.flatMap { Int32($0.dropFirst(5).trimmingPrefix(while: \.isWhitespace)) }
        }
    }

    /// Nil when parents changed while they were read.
    private static func ancestry(of process: Link, from ancestor: Int32) -> Ancestry? {
        var link = process
        for _ in 0..<depthLimit {
            // SO_PEERCRED gives 0 for a process outside of our PID namespace.
            if link.number == 0 { return .elsewhere }
            if link.number == ancestor { return .below }
            switch link.parent {
            case .unknown: return nil
            case .outside: return .elsewhere
            case .number(let number):
                if number == ancestor { return .below }
                if number <= 1 { return .elsewhere }
                guard let opened = try? unlessGone({ intentd_pidfd_open(number) }) else { return nil }
                let parent = Link(descriptor: SharedFileDescriptor(owning: opened), number: number)
                // The process id may have been reused before it was opened. The child has a new parent then.
                guard link.parent == .number(number) else { return nil }
                link = parent
            }
        }
        return nil
    }
}
