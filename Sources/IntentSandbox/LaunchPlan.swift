import CIntentLaunch
import Glibc
package import IntentLinux

/// An executable to start, with its arguments, descriptors and limits. The plan is prepared in Swift, then carried out
/// by a little C code.
package struct LaunchPlan {
    /// An absolute path.
    package var executable: String
    package var arguments: [String]
    package var environment: [String: String]
    /// The working directory.
    package var directory: String
    /// Standard output, standard error, and the worker's socket, which becomes descriptor 3.
    package var output: SharedFileDescriptor
    package var error: SharedFileDescriptor
    package var socket: SharedFileDescriptor
    /// The cgroup that the process is cloned into; nil without cgroups.
    package var leaf: CgroupLeaf?
    /// The user and group to become; nil to stay.
    package var user: UInt32?
    package var limits: ResourceLimits

    package init(
        executable: String,
        arguments: [String] = [],
        environment: [String: String],
        directory: String,
        output: SharedFileDescriptor,
        error: SharedFileDescriptor,
        socket: SharedFileDescriptor,
        leaf: CgroupLeaf?,
        user: UInt32?,
        limits: ResourceLimits
    ) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.directory = directory
        self.output = output
        self.error = error
        self.socket = socket
        self.leaf = leaf
        self.user = user
        self.limits = limits
    }

    /// Starts the process as a child of the caller. It leads a new session and cannot gain privileges.
    ///
    /// - Returns: Its process id. - Throws: ``LaunchError``. No process is left then.
    package func start() throws(LaunchError) -> Int32 {
        let binary: SharedFileDescriptor
        let null: SharedFileDescriptor
        do throws(SystemError) {
            binary = SharedFileDescriptor(try File.openPath(executable))
            null = SharedFileDescriptor(try File.open("/dev/null"))
        } catch {
            throw .unprepared(error)
        }
        var failure = intentd_launch_failure()
        let process = withPlan(executable: binary.rawValue, input: null.rawValue) { intentd_launch(&$0, &failure) }
        guard process > 0 else {
            throw .step(failure.step, Errno(rawValue: failure.error), executable: executable, subject: directory)
        }
        return process
    }

    /// Passes the plan as a C structure, which is valid during the call.
    private func withPlan(
        executable binary: Int32,
        input: Int32,
        _ body: (inout intentd_launch_plan) -> Int32
    ) -> Int32 {
        let texts = [executable] + arguments
        let assignments = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return withCStrings(texts) { argumentList in
            withCStrings(assignments) { environmentList in
                executable.withCString { path in
                    directory.withCString { folder in
                        limits.list.withUnsafeBufferPointer { limits in
                            guard let limitList = limits.baseAddress else {
                                preconditionFailure("there is always a limit")
                            }
                            var plan = intentd_launch_plan(
                                executable: path,
                                executable_descriptor: binary,
                                arguments: argumentList,
                                environment: environmentList,
                                directory: folder,
                                descriptors: (input, output.rawValue, error.rawValue, socket.rawValue),
                                cgroup: leaf?.directory.rawValue ?? -1,
                                user: user.map(Int64.init) ?? -1,
                                limits: limitList,
                                limit_count: limits.count
                            )
                            return body(&plan)
                        }
                    }
                }
            }
        }
    }

    /// Passes a list of C strings that ends with NULL, which is valid during the call.
    private func withCStrings<Result>(
        _ texts: [String],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let list: [UnsafePointer<CChar>?] = copies.map { $0.map { UnsafePointer($0) } } + [nil]
        return list.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { preconditionFailure("the list has its end at least") }
            return body(start)
        }
    }
}

/// Limits of setrlimit(2) that apply to every process of an app.
package struct ResourceLimits: Equatable, Sendable {
    /// RLIMIT_NOFILE.
    package var openFileCount: UInt64 = 1024
    /// RLIMIT_CORE.
    package var coreByteCount: UInt64 = 0
    /// RLIMIT_FSIZE: the size of a single file.
    package var fileByteCount: UInt64?
    /// RLIMIT_DATA: private writable memory of each process. Used if no cgroup limits it.
    package var memoryByteCount: UInt64?
    /// RLIMIT_AS: the address space of each process. Without a cgroup no other limit counts its page tables.
    package var addressByteCount: UInt64?
    /// RLIMIT_STACK: the first thread's stack, which does not count as private memory. Used if no cgroup limits it.
    package var stackByteCount: UInt64?
    /// RLIMIT_NPROC: processes and threads of all runs of the app together. Used if no cgroup limits them.
    package var taskCount: UInt64?
    /// RLIMIT_SIGPENDING: pending signals, and timers of timer_create(2), of all runs of the app together.
    package var pendingSignalCount: UInt64 = 256
    /// RLIMIT_MSGQUEUE: POSIX message queues, which the filter refuses as well.
    package var messageQueueByteCount: UInt64 = 0
    /// RLIMIT_MEMLOCK.
    package var lockedByteCount: UInt64 = 64 << 10

    package init() {}

    var list: [intentd_resource_limit] {
        let all: [(Int32, UInt64?)] = [
            (Int32(RLIMIT_NOFILE.rawValue), openFileCount),
            (Int32(RLIMIT_CORE.rawValue), coreByteCount),
            (Int32(RLIMIT_FSIZE.rawValue), fileByteCount),
            (Int32(RLIMIT_DATA.rawValue), memoryByteCount),
            (Int32(RLIMIT_AS.rawValue), addressByteCount),
            (Int32(RLIMIT_STACK.rawValue), stackByteCount),
            (Int32(__RLIMIT_NPROC.rawValue), taskCount),
            (Int32(__RLIMIT_SIGPENDING.rawValue), pendingSignalCount),
            (Int32(__RLIMIT_MSGQUEUE.rawValue), messageQueueByteCount),
            (Int32(__RLIMIT_MEMLOCK.rawValue), lockedByteCount),
        ]
        return all.compactMap { resource, value in
            value.map { intentd_resource_limit(resource: resource, value: $0) }
        }
    }
}
