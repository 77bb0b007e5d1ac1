import CIntentLaunch
import Glibc
package import IntentLinux

/// A complete description of a sandbox.
///
/// A sandbox is set up in these steps: create the namespaces; create pid 1 and the app's process; create a new root
/// with the entries; set no_new_privs; restrict the process with Landlock; load the system call filter and pass its
/// listener to pid 1; set the resource limits; execute the app.
package struct SandboxPlan: Equatable, Sendable {
    /// An entry of the new root. Paths are absolute.
    package enum Entry: Equatable, Sendable {
        case folder(String, permissions: UInt32)
        case link(String, to: String)
        case file(String, [UInt8])
        /// A bind mount of a file or folder on the host, including everything that is mounted below it.
        case bind(String, from: String, MountRights, isOptional: Bool)
        /// A mount of /proc that shows only the sandbox's processes.
        case processes(String, options: String)
        /// A mount of devpts with the terminals of the sandbox's processes.
        case terminals(String)

        var path: String {
            switch self {
            case .folder(let path, _), .link(let path, _), .file(let path, _), .bind(let path, _, _, _),
                .processes(let path, _), .terminals(let path):
                path
            }
        }
    }

    /// The operations that a mount permits in addition to reading. File permissions apply as well.
    package struct MountRights: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        package static let write = MountRights(rawValue: 1)
        package static let execute = MountRights(rawValue: 2)
        package static let devices = MountRights(rawValue: 4)

        /// The mount's restrictions, as MOUNT_ATTR_… bits for mount_setattr(2).
        var attributes: UInt64 {
            var attributes: UInt64 = 0x2  // MOUNT_ATTR_NOSUID is always set.
            if !contains(.write) { attributes |= 0x1 }
            if !contains(.devices) { attributes |= 0x4 }
            if !contains(.execute) { attributes |= 0x8 }
            return attributes
        }
    }

    /// The processes that use a folder, and that may therefore change metadata below it.
    package enum FolderUse: Equatable, Sendable {
        /// All processes in the sandbox use the folder.
        case common
        /// The folder contains a folder `NUMBER-SECRET` for each run, which only that run uses. With cgroups, each run
        /// also has a leaf `run-NUMBER` with the same number. No two live runs have the same number.
        case runs
    }

    package private(set) var entries: [Entry] = []
    /// The paths of the bind mounts that the operator grants. Their sources must not contain symbolic links.
    package private(set) var grantedPaths: Set<String> = []
    /// The files of which the sandbox's processes keep a copy: they are mapped, or are read when the sandbox is made.
    package var copiedPaths: Set<String> = []
    /// The Landlock rights that apply below each path.
    package private(set) var fileRules: [String: Landlock.FileRights] = [:]
    /// The folders below which processes may change the mode, owner and times of files. The value states which
    /// processes use the folder.
    package private(set) var metadataRules: [String: FolderUse] = [:]
    /// True if the sandbox uses the host's network. Otherwise, its only network interface is a loopback interface that
    /// is down.
    package var hasNetwork = false
    /// True to bring up the private loopback interface of a sandbox without a network.
    package var hasLoopback = false
    /// The hosts that intentd-egress reaches for a sandbox with a private loopback interface; nil for no host.
    package var reach: NetworkReach?
    /// The user ids of the sandbox's processes; nil if they run as the caller's user.
    package var ids: SandboxIDs?
    /// The only supplementary group of the sandbox's processes. Used only if these processes have their own ids.
    package var grantsGroup: UInt32?
    /// The folders that contain the executable's libraries but that ld.so(8) does not search by default.
    package var libraryFolders: [String] = []
    /// True if the program forks workers. It then receives a detached mount of the sandbox's cgroups as descriptor 5
    /// (INTENTD_CGROUP_TREE).
    package var isForkServer = false

    /// True to give each run a root of its own (``SandboxRoots``), with which programs of the run have a private folder.
    package var hasRoots = false
    /// True to give each of these roots terminals of its own.
    package var hasTerminals = false
    /// The symbolic links in the folder of each run, by their names in it.
    package private(set) var runLinks: [String: String] = [:]

    package init() {}

    /// Adds an entry. If an entry with the same path already exists, the new entry is ignored.
    package mutating func add(_ entry: Entry, _ rights: Landlock.FileRights = []) {
        guard !entries.contains(where: { $0.path == entry.path }) else { return }
        entries.append(entry)
        if !rights.isEmpty { fileRules[entry.path, default: []].formUnion(rights) }
    }

    /// Adds a file or folder that the operator grants. The sandbox does not start if the source's path contains a
    /// symbolic link.
    package mutating func addGrant(
        _ path: String,
        from source: String,
        _ mount: MountRights,
        _ rights: Landlock.FileRights
    ) {
        add(.bind(path, from: source, mount, isOptional: false), rights)
        grantedPaths.insert(path)
    }

    /// Adds Landlock rights below a path without adding an entry.
    package mutating func allow(_ rights: Landlock.FileRights, below path: String) {
        fileRules[path, default: []].formUnion(rights)
    }

    /// Permits changing the mode, owner and times of files below a path, but not of the folder itself, on which other
    /// runs depend.
    package mutating func allowMetadata(below path: String, for use: FolderUse = .common) {
        metadataRules[path] = use
    }

    /// Moves the bind mounts below a folder of which each run has its own. The folders of runs then have ``runLinks``.
    package mutating func moveMounts(below folder: String, to other: String) {
        let start = folder + "/"
        func moved(_ path: String) -> String {
            guard path.hasPrefix(utf8: start) else { return path }
            let rest = path.utf8.dropFirst(start.utf8.count)
            let name = String(Substring(rest.prefix { $0 != UInt8(ascii: "/") }))
            runLinks[name] = "\(other)/\(name)"
            return "\(other)/\(String(Substring(rest)))"
        }
        entries = entries.map { entry in
            guard case .bind(let path, let source, let rights, let isOptional) = entry else { return entry }
            return .bind(moved(path), from: source, rights, isOptional: isOptional)
        }
        grantedPaths = Set(grantedPaths.map(moved))
        fileRules = Dictionary(uniqueKeysWithValues: fileRules.map { (moved($0.key), $0.value) })
        metadataRules = Dictionary(uniqueKeysWithValues: metadataRules.map { (moved($0.key), $0.value) })
    }

    /// Returns true if an entry is at or below the path.
    package func contains(below path: String) -> Bool {
        entries.contains { $0.path == path || $0.path.hasPrefix(utf8: path + "/") }
    }

    /// The files and folders of the host from which the sandbox is made, without the given sources of bind mounts.
    package func sources(except own: Set<String>) -> [HostSource] {
        let bound = entries.compactMap { entry -> String? in
            if case .bind(_, let source, _, _) = entry, !own.contains(source) { source } else { nil }
        }
        return Set(bound).subtracting(copiedPaths).sorted().map { HostSource($0) }
            + copiedPaths.sorted().map { HostSource($0, isCopied: true) }
    }

    /// The entries in the order in which they are created, parents first.
    private var ordered: [Entry] {
        func depth(_ entry: Entry) -> Int { entry.path.utf8.split(separator: UInt8(ascii: "/")).count }
        return entries.sorted { depth($0) < depth($1) }
    }
}

/// The ports and addresses that a sandbox's network namespace has for intentd-egress.
package struct NetworkReach: Equatable, Sendable {
    /// The port on which intentd-egress answers DNS.
    private static let dnsPort: UInt16 = 53

    /// The granted TCP ports. Each has a listening socket.
    package var ports: [UInt16]
    /// The granted addresses, 16 bytes each.
    package var addresses: [[UInt8]]

    package init(ports: [UInt16], addresses: [[UInt8]]) { (self.ports, self.addresses) = (ports, addresses) }

    /// The TCP ports to which Landlock permits connections.
    var connectPorts: [UInt16] { [Self.dnsPort] + ports }
}

/// The two processes of a new sandbox, which are children of the caller.
package struct SandboxProcesses {
    /// The process id of the sandbox's pid 1. When this process exits, the kernel kills all processes in the sandbox.
    package var initProcess: Int32
    /// The process id of the app's process.
    package var server: Int32
    /// The read end of a non-blocking pipe. It carries a report if a step fails before the app is executed. End of file
    /// without a report means that the app was executed.
    package var report: SharedFileDescriptor
    /// The process that makes the roots of runs; nil unless the plan has roots.
    package var roots: SandboxRoots?
    /// The sockets that intentd-egress serves: two for DNS, and a listening socket for each port of the plan.
    package var sockets: [SharedFileDescriptor] = []
}

extension SandboxPlan {
    /// Creates the sandbox and starts the program in it.
    ///
    /// - Parameters:
    ///   - mountPoint: An existing folder on which the new root is mounted. The mount is visible only in the sandbox.
    ///   - group: The cgroup that the sandbox sees as the root of the hierarchy; nil without cgroups.
    /// - Throws: ``LaunchError``. In that case, no process is left behind.
    package func start(
        _ program: LaunchPlan,
        mountPoint: String,
        filter: SystemCallFilter?,
        landlock: Landlock,
        group: CgroupGroup?
    ) throws(LaunchError) -> SandboxProcesses {
        let memory = PlanMemory()
        let cEntries = ordered.map { entry(of: $0, memory) }
        let handled = landlock.fileRights
        // Landlock before version 4 has no rules for ports. The network namespace alone then restricts the app.
        let networkRights = hasNetwork ? 0 : landlock.networkRights
        let rules = fileRules.sorted { $0.key < $1.key }.map {
            intentd_path_rule(path: memory.text($0.key), access: $0.value.intersection(handled).rawValue)
        }
        let metadata = metadataRules.sorted { $0.key < $1.key }.map {
            intentd_metadata_rule(path: memory.text($0.key), is_of_runs: $0.value == .runs ? 1 : 0)
        }
        let ports = networkRights == 0 ? [] : reach?.connectPorts ?? []
        let listening = reach?.ports ?? []
        let addresses = reach?.addresses ?? []
        let instructions = filter?.program ?? []
        let roots: (first: SharedFileDescriptor, second: SharedFileDescriptor)?
        do throws(SystemError) {
            roots = hasRoots ? try UnixSocket.Pair(.sequencedPacket).shared() : nil
        } catch {
            throw .unprepared(error)
        }
        var plan = intentd_sandbox_plan(
            launch: program.structure(in: memory),
            ids: intentd_sandbox_ids(
                init: ids.map { Int64($0.initProcess) } ?? -1,
                app: ids.map { Int64($0.app) } ?? -1,
                group: grantsGroup.map(Int64.init) ?? -1
            ),
            has_network: hasNetwork ? 1 : 0,
            has_loopback: hasLoopback || reach != nil ? 1 : 0,
            network: intentd_network(
                ports: memory.array(listening),
                port_count: listening.count,
                addresses: memory.array(addresses.flatMap(\.self)),
                address_count: addresses.count
            ),
            mount_point: memory.text(mountPoint),
            root_byte_count: Self.rootByteCount,
            entries: memory.array(cEntries),
            entry_count: cEntries.count,
            host_name: memory.text("intentd"),
            landlock: intentd_landlock(
                file_access: handled.rawValue,
                network_access: networkRights,
                scopes: landlock.scopes,
                paths: memory.array(rules),
                path_count: rules.count,
                connect_ports: memory.array(ports),
                connect_port_count: ports.count
            ),
            filter: UnsafeRawPointer(memory.array(instructions)),
            filter_byte_count: instructions.count,
            filter_asks: filter?.needsListener == true ? 1 : 0,
            metadata: intentd_metadata(
                rules: memory.array(metadata),
                rule_count: metadata.count,
                has_leaves: group == nil ? 0 : 1,
                owner: ids.map { Int64($0.app) } ?? -1
            ),
            group: group?.directory.rawValue ?? -1,
            leaf: group?.leaf.directory.rawValue ?? -1,
            has_cgroup_tree: group != nil && isForkServer ? 1 : 0,
            roots: roots?.second.rawValue ?? -1,
            has_terminals: hasTerminals ? 1 : 0
        )
        plan.launch.may_change_root = hasRoots ? 1 : 0
        var processes = intentd_sandbox_processes()
        var failure = intentd_launch_failure()
        guard withExtendedLifetime((memory, roots), { intentd_sandbox_start(&plan, &processes, &failure) }) == 0 else {
            throw describe(failure, executable: program.executable, directory: program.directory)
        }
        return SandboxProcesses(
            initProcess: processes.`init`,
            server: processes.server,
            report: SharedFileDescriptor(owning: processes.report),
            roots: (roots?.first).map { SandboxRoots($0) },
            sockets: withUnsafeBytes(of: processes.sockets) { numbers in
                numbers.bindMemory(to: Int32.self).prefix(processes.socket_count)
                    .map { SharedFileDescriptor(owning: $0) }
            }
        )
    }

    /// Returns the failure that a starting process has reported, or nil if the process has executed its program.
    package func failure(in report: SharedFileDescriptor, of program: String) -> LaunchError? {
        var failure = intentd_launch_failure()
        let size = MemoryLayout<intentd_launch_failure>.size
        guard let bytes = try? File.read(report.rawValue, upTo: size), bytes.count == size else { return nil }
        withUnsafeMutableBytes(of: &failure) { $0.copyBytes(from: bytes) }
        return describe(failure, executable: program, directory: "/")
    }

    // MARK: Private

    /// The maximum size of the root file system, which contains only folders, links and small files.
    private static let rootByteCount: UInt64 = 4 << 20

    private func entry(of entry: Entry, _ memory: PlanMemory) -> intentd_root_entry {
        var made = intentd_root_entry(
            kind: 0,
            target: memory.text(String(entry.path.dropFirst())),
            source: memory.text(""),
            byte_count: 0,
            permissions: 0,
            attributes: 0,
            is_optional: 0,
            is_granted: 0
        )
        let kind: intentd_entry_kind
        switch entry {
        case .folder(_, let permissions):
            kind = INTENTD_ENTRY_DIRECTORY
            made.permissions = permissions
        case .link(_, let target):
            kind = INTENTD_ENTRY_LINK
            made.source = memory.text(target)
        case .file(_, let bytes):
            kind = INTENTD_ENTRY_FILE
            (made.source, made.byte_count, made.permissions) = (memory.bytes(bytes), bytes.count, 0o444)
        case .bind(let path, let source, let rights, let isOptional):
            kind = INTENTD_ENTRY_BIND
            (made.source, made.attributes) = (memory.text(source), rights.attributes)
            made.is_optional = isOptional ? 1 : 0
            made.is_granted = grantedPaths.contains(path) ? 1 : 0
        case .terminals: kind = INTENTD_ENTRY_TERMINALS
        case .processes(_, let options):
            kind = INTENTD_ENTRY_PROC
            made.source = memory.text(options)
        }
        made.kind = Int32(kind.rawValue)
        return made
    }

    private func describe(
        _ failure: intentd_launch_failure,
        executable: String,
        directory: String
    ) -> LaunchError {
        let index = Int(failure.index)
        let subject: String
        switch UInt32(bitPattern: failure.step) {
        case INTENTD_SANDBOX_SOURCE.rawValue, INTENTD_SANDBOX_ENTRY.rawValue:
            subject = ordered.indices.contains(index) ? ordered[index].path : "its files"
        case INTENTD_SANDBOX_LANDLOCK.rawValue:
            let paths = fileRules.keys.sorted()
            subject = paths.indices.contains(index) ? paths[index] : "its rules"
        default: subject = directory
        }
        return .step(failure.step, Errno(rawValue: failure.error), executable: executable, subject: subject)
    }
}
