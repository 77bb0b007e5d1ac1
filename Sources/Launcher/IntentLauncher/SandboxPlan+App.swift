import Glibc
import IntentConfiguration
import IntentDaemon
import IntentLinux
import IntentSandbox

/// Paths inside every sandbox.
enum InsidePath {
    /// The folder that contains one folder for each run.
    static let runs = "/runs"
    /// The run's own folder, in a sandbox with one run and in the root of a run (INTENTD_OWN_FOLDER).
    static let own = "/own/tmp"
    /// The run's own terminals, beside ``own``.
    static let terminals = "/own/pts"
    /// The folder with the roots of runs (INTENTD_ROOTS).
    static let roots = "/roots"
    /// The run folder in a forked worker without a root of its own.
    static let ownDescriptor = "/proc/self/fd/4"
    /// The app's state folder, which outlives its runs (`$STATE_DIRECTORY`).
    static let state = "/state"
    /// The folder with the app's credentials (`$CREDENTIALS_DIRECTORY`).
    static let credentials = "/run/credentials"
    /// The folder with what the sandbox has below the host's /tmp.
    static let temporary = "/run/intentd/tmp"
    /// The folder with the programs that intent-ask(1) and intent-progress(1) describe.
    static let tools = "/run/intentd/bin"
}

/// The host folders that a sandbox may write to.
struct WritableFolders {
    /// The folder to mount at ``InsidePath/runs``, or at ``InsidePath/own`` if there is only one run.
    var runs: String
    /// True if `runs` is the folder of the only run, and false if it contains the folders of all runs.
    var isOfOneRun: Bool
    /// The app's state folder; nil if the app has no state.
    var state: String?
}

extension SandboxPlan {
    /// Plans an app's sandbox according to the operator's settings.
    ///
    /// - Throws: ``UnmetRequirement`` if the host does not meet one of the app's requirements, or ``ElfError``.
    init(for app: AppSettings, _ folders: WritableFolders, as ids: SandboxIDs?, grantsGroup: UInt32) throws {
        self.init()
        self.ids = ids
        self.grantsGroup = grantsGroup
        let settings = app.unit.sandbox
        addPrograms(settings)
        try addProgram(app.executable)
        if let command = app.unit.command { try addCommandFile(command.path, toolsFrom: app.folder) }
        addResources(of: app.executable)
        let hasOwn = folders.isOfOneRun || settings.startsPrograms
        addSystemFiles(user: ids?.app ?? getuid(), home: hasOwn ? InsidePath.own : "/tmp")
        try addCredentials(app.unit.credentials)
        addWritable(folders, mayExecute: settings.startsPrograms)
        if settings.usesTerminal, hasOwn { addTerminals() }
        addGrants(settings)
        if settings.network {
            hasNetwork = true
            addNetworkFiles()
        } else if let reach = settings.reach {
            self.reach = reach
            // An existing entry keeps the host's file of the same path out.
            for (path, text) in Self.resolverFiles { add(.file(path, Array(text.utf8)), .readFile) }
            addNetworkFiles()
        }
        // Bring up the loopback interface for apps that start programs: Foundation's Process sends UDP datagrams to
        // itself to wake the thread waiting for the child.
        hasLoopback = settings.startsPrograms
        let own = hasOwn ? InsidePath.own : InsidePath.ownDescriptor
        // An app's own executable keeps its path, by which debuggers and crash reports find it on the host.
        if hasOwn, app.unit.command != nil || !app.executable.hasPrefix(utf8: "/tmp/") {
            moveMounts(below: "/tmp", to: InsidePath.temporary)
            // The folder of a run, which hides these links, has them, too.
            if hasRoots { for (name, target) in runLinks { add(.link("\(InsidePath.own)/\(name)", to: target)) } }
        }
        // Otherwise, the sandbox contains a read-only folder /tmp if the app or a granted path is below /tmp.
        if !contains(below: "/tmp") { add(.link("/tmp", to: own)) }
        // Shared memory and semaphores are files on the disk, so that DiskMax= limits them.
        add(.link("/dev/shm", to: own))
    }

    /// Adds the executable, its libraries and its interpreter, at the same paths as on the host.
    private mutating func addProgram(_ executable: String) throws {
        let closure = try LibraryClosure(of: executable)
        guard closure.missing.isEmpty else {
            throw UnmetRequirement("libraries not found: \(closure.missing.joined(separator: ", ")). Install them.")
        }
        addLibraryFolders(closure)
        let files = [executable] + closure.libraries + [closure.interpreter].compactMap(\.self)
        copiedPaths.formUnion(files)
        for path in files where !isBelowPrograms(path) {
            add(.bind(path, from: path, .execute, isOptional: false), [.readFile, .execute])
        }
    }

    private mutating func addLibraryFolders(_ closure: LibraryClosure) {
        for folder in closure.extraFolders where !libraryFolders.contains(folder) { libraryFolders.append(folder) }
    }

    /// The kernel follows at most four scripts to the program that interprets them (fs/exec.c).
    private static let scriptLimit = 5

    /// Adds the files that the kernel and ld.so(8) open to start a program of the host: its libraries, or the interpreter of
    /// a script with the interpreter's libraries. A file that is not a program needs nothing.
    private mutating func addFiles(toStart program: String, depth: Int = 0) {
        guard let closure = try? LibraryClosure(of: program) else {
            guard depth < Self.scriptLimit else { return }
            for interpreter in ScriptLine.programs(of: program) {
                add(.bind(interpreter, from: interpreter, .execute, isOptional: true), [.readFile, .execute])
                copiedPaths.insert(interpreter)
                addFiles(toStart: interpreter, depth: depth + 1)
            }
            return
        }
        addLibraryFolders(closure)
        for path in closure.libraries + [closure.interpreter].compactMap(\.self) where !isBelowPrograms(path) {
            add(.bind(path, from: path, .execute, isOptional: true), [.readFile, .execute])
            copiedPaths.insert(path)
        }
    }

    /// Adds the programs that the app may start. A folder contains its programs' libraries and data.
    private mutating func addPrograms(_ settings: SandboxSettings) {
        for program in settings.programs {
            switch program {
            case .path(let path):
                addGrant(path, from: SystemLinks.resolve(path, on: .kernel), .execute, [.read, .execute])
            case .system:
                addSystemFolder("/usr")
                for path in ProgramGrant.systemFolders {
                    if let target = File.target(ofLink: path) {
                        add(.link(path, to: target))
                    } else {
                        addSystemFolder(path)
                    }
                }
                for path in ProgramGrant.systemFiles {
                    add(.bind(path, from: path, [], isOptional: true), .read)
                }
            }
        }
        // A program that `system` contains has its libraries there, too.
        for case .path(let path) in settings.programs { addFiles(toStart: path) }
    }

    private mutating func addSystemFolder(_ path: String) {
        add(.bind(path, from: path, .execute, isOptional: true), [.read, .execute])
    }

    /// Returns true if the sandbox contains the system's program folders and the path is below one of them.
    private func isBelowPrograms(_ path: String) -> Bool {
        guard contains(below: "/usr"), fileRules["/usr"] != nil else { return false }
        return (["/usr"] + ProgramGrant.systemFolders).contains { path.hasPrefix(utf8: $0 + "/") }
    }

    /// Adds an intentd.command(5) file, and the tools with which the file's programs ask questions.
    private mutating func addCommandFile(_ path: String, toolsFrom folder: String) throws {
        add(.bind(path, from: path, [], isOptional: false), .readFile)
        copiedPaths.insert(path)
        let tool = "\(folder)/intent-ask"
        // If intent-ask is not installed, programs can do everything except ask questions and report progress.
        guard (try? File.status(at: tool)) != nil else { return }
        for name in ["intent-ask", "intent-progress"] {
            let inside = "\(InsidePath.tools)/\(name)"
            add(.bind(inside, from: tool, .execute, isOptional: false), [.readFile, .execute])
        }
        for library in try LibraryClosure(of: tool).libraries where !isBelowPrograms(library) {
            add(.bind(library, from: library, .execute, isOptional: false), [.readFile, .execute])
        }
    }

    /// Adds the executable's folder if it has the same name as the executable, because it then contains only this app.
    /// Otherwise adds the resource bundles that SwiftPM stores beside the executable.
    private mutating func addResources(of executable: String) {
        let parts = executable.split(scalar: "/")
        let folder = "/" + parts.dropLast().joined(separator: "/")
        if parts.count > 1, parts[parts.count - 2] == parts[parts.count - 1] {
            add(.bind(folder, from: folder, .execute, isOptional: false), .read)
            return
        }
        // If the folder cannot be listed, the sandbox contains no resource bundles.
        for name in (try? File.names(in: folder)) ?? [] where name.hasSuffix(utf8: ".resources") {
            add(.bind("\(folder)/\(name)", from: "\(folder)/\(name)", [], isOptional: true), .read)
        }
    }

    /// Devices that every host has, and that no host replaces.
    private static let standardDevices = ["null", "zero", "full", "random", "urandom"].map { "/dev/\($0)" }

    /// What can change on the host while the sandbox exists: also its folders for runs and state, which a cleaner of
    /// temporary files can remove.
    var sources: [HostSource] { sources(except: Set(Self.standardDevices)) }

    private mutating func addSystemFiles(user: UInt32, home: String) {
        // The whole root of the sandbox can be listed. Each worker's own Landlock layer hides the folders of other
        // runs.
        allow(.readFolder, below: "/")
        add(.processes("/proc", options: "subset=pid,hidepid=ptraceable"), [.readFile, .readFolder, .writeFile])
        for device in Self.standardDevices {
            add(.bind(device, from: device, [.write, .devices], isOptional: false), .device)
        }
        for (name, target) in [("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")] {
            add(.link("/dev/\(name)", to: "/proc/self/fd\(target)"))
        }
        if !isBelowPrograms("/usr/share/zoneinfo") {
            add(.bind("/usr/share/zoneinfo", from: "/usr/share/zoneinfo", [], isOptional: true), .read)
        }
        add(.bind("/etc/localtime", from: "/etc/localtime", [], isOptional: true), .readFile)
        let account = "app:x:\(user):\(user)::\(home):/bin/sh\n"
        add(.file("/etc/passwd", Array(account.utf8)), .readFile)
        add(.file("/etc/group", Array("app:x:\(user):\n".utf8)), .readFile)
    }

    private mutating func addCredentials(_ credentials: [CredentialSource]) throws {
        for credential in credentials {
            var path = ""
            let file = try credential.open(at: &path)
            copiedPaths.insert(path)
            guard let bytes = try File.readAll(file.rawValue, limit: Self.credentialLimit) else {
                throw UnmetRequirement("the credential '\(credential.name)' is larger than 1 MiB")
            }
            add(.file("\(InsidePath.credentials)/\(credential.name)", bytes), .readFile)
        }
    }

    /// The maximum size of a credential in bytes. systemd applies the same limit to all of a unit's credentials
    /// together (systemd.exec(5)).
    private static let credentialLimit = 1 << 20

    private mutating func addWritable(_ folders: WritableFolders, mayExecute: Bool) {
        let rights: MountRights = mayExecute ? [.write, .execute] : .write
        let access: Landlock.FileRights = mayExecute ? .change.union(.execute) : .change
        let runs = folders.isOfOneRun ? InsidePath.own : InsidePath.runs
        add(.bind(runs, from: folders.runs, rights, isOptional: false), access)
        allowMetadata(below: runs, for: folders.isOfOneRun ? .common : .runs)
        if mayExecute, !folders.isOfOneRun {
            hasRoots = true
            add(.folder(InsidePath.roots, permissions: 0o711))
            add(.folder(InsidePath.own, permissions: 0o755))
            // A rule applies below the folder of a mount point, because the run's folder does not exist yet.
            allow(access, below: "/own")
            allowMetadata(below: InsidePath.own)
        }
        if let state = folders.state {
            add(.bind(InsidePath.state, from: state, rights, isOptional: false), access)
            allowMetadata(below: InsidePath.state)
        }
    }

    /// Adds the devices for `Terminal=`. Only processes with a controlling terminal can open /dev/tty.
    private mutating func addTerminals() {
        if hasRoots {
            hasTerminals = true
            add(.folder(InsidePath.terminals, permissions: 0o755))
            allow(.device, below: "/own")
        } else {
            add(.terminals(InsidePath.terminals), .device.union(.readFolder))
        }
        add(.link("/dev/pts", to: InsidePath.terminals))
        add(.link("/dev/ptmx", to: InsidePath.terminals + "/ptmx"))
        add(.bind("/dev/tty", from: "/dev/tty", [.write, .devices], isOptional: true), .device)
    }

    private mutating func addGrants(_ settings: SandboxSettings) {
        let resolve = { SystemLinks.resolve($0, on: .kernel) }
        let execution: MountRights = settings.startsPrograms ? .execute : []
        let executing: Landlock.FileRights = settings.startsPrograms ? .execute : []
        for path in settings.writePaths {
            addGrant(path, from: resolve(path), execution.union(.write), executing.union(.change))
            allowMetadata(below: path)
        }
        for path in settings.readPaths where !isBelowPrograms(path) {
            // Do not mount this folder noexec, because programs in it must be able to map their libraries. Landlock
            // still forbids executing them.
            addGrant(path, from: resolve(path), .execute, executing.union(.read))
        }
        for path in settings.sockets {
            addGrant(path, from: resolve(path), .write, [.readFile, .writeFile])
        }
        let gpus = settings.gpu ? ["/dev/dri", "/dev/kfd"] + Self.nvidiaDevices() : []
        for path in settings.devices {
            addGrant(path, from: resolve(path), [.write, .devices], .device.union(.readFolder))
        }
        for path in gpus {
            add(.bind(path, from: path, [.write, .devices], isOptional: true), .device.union(.readFolder))
        }
        if settings.gpu { addGraphicsFolders() }
    }

    /// Adds the folders of sysfs in which libraries of graphics drivers identify a device: its vendor, its driver, and
    /// for KFD the topology of memory. They contain no other device.
    private mutating func addGraphicsFolders() {
        let group = "/sys/class/drm"
        // A host without such devices has no folder.
        let names = ((try? File.names(in: group)) ?? []).filter {
            $0.hasPrefix(utf8: "card") || $0.hasPrefix(utf8: "renderD")
        }
        var folders: Set<String> = []
        // The outputs of a card, such as card0-DP-1, have no number.
        for name in names.sorted() {
            guard let node = File.realPath("\(group)/\(name)"), let file = try? File.open("\(node)/dev"),
                let number = try? File.readAll(file.rawValue, limit: 32)
            else { continue }
            let folder = File.realPath("\(node)/device") ?? node
            if folders.insert(folder).inserted { add(.bind(folder, from: folder, [], isOptional: true), .read) }
            let text = String(foreign: number.prefix { $0 != UInt8(ascii: "\n") })
            add(.link("/sys/dev/char/\(text)", to: node))
            add(.link("\(group)/\(name)", to: node))
        }
        guard let kfd = File.realPath("/sys/class/kfd/kfd") else { return }
        add(.bind(kfd, from: kfd, [], isOptional: true), .read)
        add(.link("/sys/class/kfd/kfd", to: kfd))
    }

    private static func nvidiaDevices() -> [String] {
        // A host without /dev has no NVIDIA devices.
        ((try? File.names(in: "/dev")) ?? []).filter { $0.hasPrefix(utf8: "nvidia") }.map { "/dev/\($0)" }
    }

    /// The files with which the programs of a sandbox ask intentd-egress for every name. A name in the host's /etc/hosts
    /// would lead to an address that the sandbox cannot reach.
    private static let resolverFiles = [
        ("/etc/resolv.conf", "nameserver 127.0.0.1\n"), ("/etc/nsswitch.conf", "hosts: files dns\n"),
        ("/etc/hosts", "127.0.0.1 localhost\n::1 localhost\n127.0.0.1 intentd\n"),
    ]

    /// Adds the files that are needed to resolve host names and to verify certificates.
    private mutating func addNetworkFiles() {
        let files = [
            "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf", "/etc/services",
            "/etc/protocols", "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/pki/tls/certs",
            "/usr/share/ca-certificates", "/usr/local/share/ca-certificates",
        ]
        for path in files where !isBelowPrograms(path) { add(.bind(path, from: path, [], isOptional: true), .read) }
    }
}

extension CredentialSource {
    /// Opens the credential's file, or the launcher's copy of a file that only root can read.
    ///
    /// - Parameter path: Receives the path of the opened file.
    func open(at path: inout String) throws(UnmetRequirement) -> FileDescriptor {
        switch location {
        case .path(let written): path = written
        case .ownUnit(let name):
            guard let folder = getenv("CREDENTIALS_DIRECTORY") else {
                throw UnmetRequirement(
                    "credential '\(name)' not found: the launcher's unit has no LoadCredential=\(name)"
                )
            }
            path = "\(String(foreign: folder))/\(name)"
        }
        do throws(SystemError) {
            return try File.open(path)
        } catch {
            let isForRoot = error.code.rawValue == EACCES || error.code.rawValue == EPERM
            let copy = isForRoot ? Self.copy(of: path) : nil
            if let copy, let file = try? File.open(copy) {
                path = copy
                return file
            }
            let advice =
                if copy != nil {
                    "if the file exists, 'journalctl -u intentd-credentials' says why the launcher has no copy of it"
                } else {
                    "move the file to \(Self.folder), of which the launcher has copies"
                }
            throw UnmetRequirement(
                "credential '\(name)' cannot be read by user \(geteuid()): \(error)"
                    + (isForRoot ? "; \(advice)" : "")
            )
        }
    }
}

/// A requirement that is not met. The description names the requirement and explains how to meet it.
struct UnmetRequirement: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}
