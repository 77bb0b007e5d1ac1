import CIntentLaunch
import Glibc
package import IntentLinux

/// A plan to start an executable, with or without a sandbox. Swift prepares the plan, and C code performs its steps.
package struct LaunchPlan {
    /// The absolute path of the executable, as the process sees it.
    package var executable: String
    package var arguments: [String]
    package var environment: [String: String]
    /// The working directory.
    package var directory: String
    /// The socket that becomes descriptor 3.
    package var socket: SharedFileDescriptor
    /// The process's standard output; nil for /dev/null, which is also the standard input.
    package var output: SharedFileDescriptor?
    /// The process's standard error; nil for /dev/null.
    package var error: SharedFileDescriptor?
    package var limits: ResourceLimits
    /// The file mode creation mask (umask(2)).
    package var umask: UInt32

    package init(
        executable: String,
        arguments: [String],
        environment: [String: String],
        directory: String,
        socket: SharedFileDescriptor,
        output: SharedFileDescriptor? = nil,
        error: SharedFileDescriptor? = nil,
        limits: ResourceLimits = ResourceLimits(),
        umask: UInt32 = 0o077
    ) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.directory = directory
        self.socket = socket
        self.output = output
        self.error = error
        self.limits = limits
        self.umask = umask
    }

    /// Starts the process without a sandbox, as a child of the caller. The process leads a new session and cannot gain
    /// privileges.
    ///
    /// - Parameters:
    ///   - leaf: The cgroup in which the process is created; nil without cgroups.
    ///   - user: The user and group id to change to; nil to keep the caller's ids.
    /// - Returns: The process id.
    /// - Throws: ``LaunchError``. In that case, no process is left behind.
    package func start(in leaf: CgroupLeaf?, as user: UInt32?) throws(LaunchError) -> Int32 {
        let binary: SharedFileDescriptor
        let null: SharedFileDescriptor
        do throws(SystemError) {
            binary = SharedFileDescriptor(try File.openPath(executable))
            null = SharedFileDescriptor(try File.open("/dev/null", O_RDWR))
        } catch {
            throw .unprepared(error)
        }
        let memory = PlanMemory()
        var plan = structure(
            in: memory,
            executable: binary.rawValue,
            null: null.rawValue,
            cgroup: leaf?.directory.rawValue ?? -1,
            user: user
        )
        var failure = intentd_launch_failure()
        let process = withExtendedLifetime((memory, binary, null)) { intentd_launch(&plan, &failure) }
        guard process > 0 else {
            throw .step(failure.step, Errno(rawValue: failure.error), executable: executable, subject: directory)
        }
        return process
    }

    /// Returns the plan as a C structure, which is valid as long as the memory exists.
    ///
    /// - Parameters:
    ///   - descriptor: The executable, open with O_PATH; -1 to use only its path.
    ///   - null: /dev/null; -1 to use the /dev/null of the sandbox.
    func structure(
        in memory: PlanMemory,
        executable descriptor: Int32 = -1,
        null: Int32 = -1,
        cgroup: Int32 = -1,
        user: UInt32? = nil
    ) -> intentd_launch_plan {
        let assignments = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let limits = limits.list
        return intentd_launch_plan(
            executable: memory.text(executable),
            executable_descriptor: descriptor,
            arguments: memory.list([executable] + arguments),
            environment: memory.list(assignments),
            directory: memory.text(directory),
            descriptors: (null, output?.rawValue ?? null, error?.rawValue ?? null, socket.rawValue),
            cgroup: cgroup,
            user: user.map(Int64.init) ?? -1,
            limits: memory.array(limits),
            limit_count: limits.count,
            umask: umask,
            may_change_root: 0
        )
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
