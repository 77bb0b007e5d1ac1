import Glibc
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import IntentSystemd

/// Finds the sandboxes that differ from the host.
///
/// A sandbox binds files and folders of the host when it is made, and keeps them when their names refer to other files
/// later: after a rename, a mount or an update. The kernel's events say when to compare, so that a launch without
/// events compares nothing. Sources without events are compared at each launch.
final class SourceWatch {
    /// The sources of a sandbox, and their states when it was made.
    private struct Entry {
        var sources: [HostSource]
        var states: [HostSourceState]
        /// True if the kernel reports no events for a source.
        var isSilent = false
    }

    private static let bufferLimit = 64

    private let events: FileEvents?
    /// See ``SpareFenceLayout``.
    private let fence: SharedMemory?
    private var reportCount: UInt64 = 0
    private let mountFile: SharedFileDescriptor?
    private var mounts = MountTable()
    private var entries: [Int: Entry] = [:]
    /// The sandboxes that a name in a watched folder concerns, by watch and name. The name is empty for the watch of a
    /// file.
    private var watches: [Int32: [[UInt8]: Set<Int>]] = [:]
    private var loopSources: [EventSource] = []
    /// Called with the numbers of sandboxes that differ from the host, and the first path that differs.
    var outdated: ([(sandbox: Int, path: String)]) -> Void = { _ in }

    /// Without inotify, all sources are compared at each launch.
    init(on loop: EventLoop, journal: Journal) {
        do {
            events = try FileEvents()
        } catch {
            events = nil
            journal.write(.warning, "cannot watch files (\(error)); comparing the files of a sandbox at each launch")
        }
        fence = try? SharedMemory(name: "intentd-fence", byteCount: SpareFenceLayout.byteCount)
        // Without /proc, mounts are not compared.
        mountFile = try? SharedFileDescriptor(File.open(MountTable.path))
        readMounts()
        if let events {
            let source = try? loop.descriptor(events.descriptor, .readable) { [weak self] _ in self?.check() }
            if let source { loopSources.append(source) }
        }
        if let mountFile {
            // The kernel reports a change of the mounts as a priority event (proc_pid_mountinfo(5)).
            let source = try? loop.descriptor(mountFile, .changed) { [weak self] _ in self?.mountsChanged() }
            if let source { loopSources.append(source) }
        }
    }

    /// The descriptors for a supervisor that has connected: the events and the fence. Empty if intentd cannot check them.
    func descriptorsForNewSupervisor() -> [SharedFileDescriptor] {
        guard let events, let fence else { return [] }
        reportCount = 0
        fence.setNumber(0, at: SpareFenceLayout.reportCount)
        return [events.descriptor, fence.descriptor]
    }

    /// Counts a report `outdated`. Call this method before the report is sent.
    func countReport() {
        reportCount += 1
        fence?.setNumber(reportCount, at: SpareFenceLayout.reportCount)
    }

    /// Watches the sources of a sandbox that is about to be made. Events from now on concern it.
    func add(_ sandbox: Int, _ sources: [HostSource]) {
        var entry = Entry(sources: sources, states: [])
        entry.isSilent = !watch(sources, for: sandbox)
        entry.states = HostSourceState.states(of: sources, mounts)
        entries[sandbox] = entry
    }

    func remove(_ sandbox: Int) {
        guard entries.removeValue(forKey: sandbox) != nil else { return }
        for (watch, names) in watches {
            let rest = names.mapValues { $0.subtracting([sandbox]) }.filter { !$0.value.isEmpty }
            watches[watch] = rest.isEmpty ? nil : rest
            if rest.isEmpty { events?.remove(watch) }
        }
    }

    /// Returns true if the kernel reports no events for a source of the sandbox, so that only a comparison finds
    /// changes.
    func isSilent(_ sandbox: Int) -> Bool { entries[sandbox]?.isSilent == true }

    /// Handles the pending events, and compares the sources of a silent sandbox that is about to be used.
    func check(beforeUseOf sandbox: Int? = nil) {
        // While the number is 1, and until it has received the reports of this check, intentd uses no spare.
        fence?.setNumber(1, at: SpareFenceLayout.isComparing)
        defer { fence?.setNumber(0, at: SpareFenceLayout.isComparing) }
        var concerned: Set<Int> = []
        // The limit on the buffers lets a busy folder delay nothing else.
        for round in 1...Self.bufferLimit {
            guard let events, case let next = events.next(), !next.isEmpty else { break }
            for event in next { concerned.formUnion(sandboxes(of: event)) }
            if round == Self.bufferLimit { concerned.formUnion(entries.keys) }
        }
        if let sandbox, isSilent(sandbox) { concerned.insert(sandbox) }
        compare(concerned)
    }

    private func sandboxes(of event: FileEvents.Event) -> Set<Int> {
        if event.isOverflow { return Set(entries.keys) }
        guard let names = watches[event.watch] else { return [] }
        guard !event.isEnd else {
            watches[event.watch] = nil
            return names.values.reduce(into: []) { $0.formUnion($1) }
        }
        return names[event.name] ?? []
    }

    private func mountsChanged() {
        readMounts()
        compare(Set(entries.keys))
    }

    private func readMounts() {
        guard let mountFile, lseek(mountFile.rawValue, 0, SEEK_SET) == 0,
            let bytes = try? File.readAll(mountFile.rawValue, limit: 16 << 20)
        else { return }
        mounts = MountTable(String(foreign: bytes))
    }

    private func compare(_ sandboxes: Set<Int>) {
        var found: [(sandbox: Int, path: String)] = []
        for sandbox in sandboxes.sorted() {
            guard let entry = entries[sandbox] else { continue }
            let now = HostSourceState.states(of: entry.sources, mounts)
            if let index = now.indices.first(where: { now[$0] != entry.states[$0] }) {
                found.append((sandbox, entry.sources[index].path))
                remove(sandbox)
            } else if !watch(entry.sources, for: sandbox) {
                // A folder may be another one now, so it was watched again.
                entries[sandbox]?.isSilent = true
            }
        }
        if !found.isEmpty { outdated(found) }
    }

    /// Watches the folders of the sources' paths, and the sources that are copied. Returns false if one of them sends
    /// no events.
    private func watch(_ sources: [HostSource], for sandbox: Int) -> Bool {
        guard let events else { return false }
        var isComplete = true
        var seen: Set<PathSteps.Step> = []
        for source in sources {
            if File.isOnSilentFileSystem(source.path) { isComplete = false }
            for step in PathSteps(of: source.path).steps where seen.insert(step).inserted {
                do throws(SystemError) {
                    let watch = try events.watchFolder(step.folder)
                    watches[watch, default: [:]][Array(step.name.utf8), default: []].insert(sandbox)
                } catch {
                    // The folder does not exist, and an event of a folder above it reports when it does.
                    if !error.code.isAbsence { isComplete = false }
                }
            }
            guard source.isCopied else { continue }
            do throws(SystemError) {
                watches[try events.watchFile(source.path), default: [:]][[], default: []].insert(sandbox)
            } catch {
                if !error.code.isAbsence { isComplete = false }
            }
        }
        return isComplete
    }
}
