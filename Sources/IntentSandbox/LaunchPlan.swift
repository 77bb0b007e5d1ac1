import CIntentLaunch
import Glibc
package import IntentLinux

/// A plan to start an executable without a sandbox. Swift prepares the plan, and C code performs its steps.
package struct LaunchPlan {
    /// The absolute path of the executable.
    package var executable: String
    package var arguments: [String]
    package var environment: [String: String]
    /// The working directory.
    package var directory: String
    /// The worker's standard output.
    package var output: SharedFileDescriptor
    /// The worker's standard error.
    package var error: SharedFileDescriptor
    /// The worker's socket, which becomes descriptor 3.
    package var socket: SharedFileDescriptor
    /// The cgroup in which the process is created; nil without cgroups.
    package var leaf: CgroupLeaf?
    /// The user and group id to change to; nil to keep the caller's ids.
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

    /// Starts the process as a child of the caller. The process leads a new session and cannot gain privileges.
    ///
    /// - Returns: The process id.
    /// - Throws: ``LaunchError``. In that case, no process is left behind.
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

    /// Calls the body with the plan as a C structure, which is valid only during the call.
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
                                preconditionFailure("the list of resource limits is empty")
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

    /// Calls the body with a list of C strings that ends with NULL and is valid only during the call.
    private func withCStrings<Result>(
        _ texts: [String],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let list: [UnsafePointer<CChar>?] = copies.map { $0.map { UnsafePointer($0) } } + [nil]
        return list.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { preconditionFailure("the list of C strings is empty") }
            return body(start)
        }
    }
}

/// The setrlimit(2) limits that apply to each of an app's processes.
package struct ResourceLimits: Equatable, Sendable {
    /// RLIMIT_NOFILE: limits the number of open descriptors.
    package var openFileCount: UInt64 = 1024
    /// RLIMIT_CORE: limits the size of a core dump.
    package var coreByteCount: UInt64 = 0
    /// RLIMIT_FSIZE: limits the size of each file.
    package var fileByteCount: UInt64?
    /// RLIMIT_DATA: limits the private writable memory of each process. Used if no cgroup limits memory.
    package var memoryByteCount: UInt64?
    /// RLIMIT_AS: limits the address space of each process, and therefore also its page tables. Without a cgroup, no
    /// other limit includes page tables.
    package var addressByteCount: UInt64?
    /// RLIMIT_STACK: limits the first thread's stack, which RLIMIT_DATA does not include. Used if no cgroup limits
    /// memory.
    package var stackByteCount: UInt64?
    /// RLIMIT_NPROC: limits the processes and threads of all of a user's runs in the app together. Used if no cgroup
    /// limits them.
    package var taskCount: UInt64?
    /// RLIMIT_SIGPENDING: limits the pending signals and timer_create(2) timers of all of a user's runs in the app
    /// together.
    package var pendingSignalCount: UInt64 = 256
    /// RLIMIT_MSGQUEUE: limits POSIX message queues. The filter also refuses them.
    package var messageQueueByteCount: UInt64 = 0
    /// RLIMIT_MEMLOCK: limits locked memory.
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
