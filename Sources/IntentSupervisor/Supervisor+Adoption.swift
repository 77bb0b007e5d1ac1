import Glibc
import IntentDaemon
import IntentHistory
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// What an earlier `intentd` left, gathered from the launcher and from history before any client is served.
struct Inheritance {
    struct KeptSlot {
        var slot: SlotID
        var process: Int32
        var isolation: Isolation
        var descriptors: [SharedFileDescriptor]
        var end: SlotEnd?
    }

    var slots: [KeptSlot] = []
    var unfinished: [UnfinishedRun]?
    var adopted: Adopted?
    var notes: RunNotes?
    /// The record cannot be waited for any longer.
    var timer: EventSource?

    /// Nothing more comes.
    var isComplete: Bool { adopted != nil && unfinished != nil }
}

extension Supervisor {
    /// How long `intentd` waits for a history that cannot be read, while workers of its runs live.
    private static let recordPatience: Int64 = 10_000_000_000
    /// How long it waits when no worker lives that it could adopt.
    private static let shortPatience: Int64 = 3_000_000_000

    /// What the launcher says before everything is taken over.
    func inherit(_ report: LaunchReport, _ descriptors: [SharedFileDescriptor]) {
        switch report {
        case .kept(let slot, let process, let isolation), .launched(let slot, let process, let isolation):
            // One that began while we connected is told of twice.
            guard inheritance?.slots.contains(where: { $0.slot == slot }) == false else { return }
            inheritance?.slots.append(
                Inheritance.KeptSlot(slot: slot, process: process, isolation: isolation, descriptors: descriptors)
            )
        case .ended(let slot, let end):
            guard let index = inheritance?.slots.firstIndex(where: { $0.slot == slot }) else { return }
            inheritance?.slots[index].end = end
        case .keptInputs(let run): if let socket = descriptors.first { inheritInputs(of: run, from: socket) }
        case .adopted(let adopted):
            inheritance?.adopted = adopted
            openNotes(descriptors.first)
            if history == nil { inheritance?.unfinished = [] }
            takeOverWhenComplete()
        // Answers to an earlier intentd. Its runs ask again.
        case .hello, .launchFailed, .opened, .openFailed, .observed: break
        }
    }

    /// The record was opened, and this is what it has.
    func inherit(_ unfinished: [UnfinishedRun]) {
        // History reports the unfinished runs again after the replay.
        guard !recording.isReplaying else { return takeOverWhenComplete() }
        inheritance?.unfinished = unfinished
        takeOverWhenComplete()
    }

    func takeOverWhenComplete() {
        guard let inheritance else { return }
        if inheritance.isComplete { return takeOver(inheritance) }
        guard inheritance.adopted != nil, recording.problem != nil else { return }
        // Without history nothing is known about the runs that are alive: it may be under repair, or locked for a
        // moment.
        guard !inheritance.slots.isEmpty || recording.problem?.mayPass == true else { return takeOver(inheritance) }
        guard inheritance.timer == nil else { return }
        do {
            let patience = inheritance.slots.isEmpty ? Self.shortPatience : Self.recordPatience
            let end = ClockReading.monotonicNanoseconds() + patience
            self.inheritance?.timer = try loop.timer(atNanoseconds: end) {
                if let inheritance = self.inheritance { self.takeOver(inheritance) }
            }
        } catch {
            takeOver(inheritance)
        }
    }

    private func takeOver(_ inheritance: Inheritance) {
        self.inheritance = nil
        self.notes = inheritance.notes
        let notes = inheritance.notes?.load() ?? []
        let noteOfSlot = Dictionary(notes.map { ($0.slot, $0) }, uniquingKeysWith: { first, _ in first })
        let now = Now.current
        let lost = inheritance.adopted?.lostNanoseconds.map { Now.Monotonic(nanoseconds: $0) }
        let absence = lost.map { max(now.monotonic - $0, .zero) } ?? .zero
        let runs = inheritance.unfinished ?? []
        // A run has the slot that is on record, if it is noted for it.
        var noteOfRun: [RunID: RunNote] = [:]
        for run in runs {
            if let note = run.slot.flatMap({ noteOfSlot[$0] }), note.run == run.run { noteOfRun[run.run] = note }
        }
        // A record that comes late has runs that wait for them still.
        if inheritance.unfinished != nil { dropInputs(besidesThoseOf: runs) }
        let unclaimed = inheritance.slots.filter { kept in
            noteOfSlot[kept.slot].map { noteOfRun[$0.run]?.slot != kept.slot } ?? true
        }
        for kept in inheritance.slots { link(kept) }
        // A number that is noted or on record stands for one worker for good, launched or not.
        let numbers = notes.map(\.slot.number) + runs.compactMap(\.slot?.number) + [inheritance.adopted?.lastSlot ?? 0]
        handle(.tookOver(lastSlot: numbers.max() ?? 0, unclaimed: unclaimed.map(\.slot)))
        let keptSlots = Dictionary(inheritance.slots.map { ($0.slot, $0) }, uniquingKeysWith: { first, _ in first })
        for run in runs {
            let note = noteOfRun[run.run]
            let kept = note.flatMap { keptSlots[$0.slot] }
            let found = foundRun(run, note, kept)
            metrics.adopt(run, at: now.monotonic.nanoseconds)
            if let note { recording.gate.adopt(run.run, in: note.slot) }
            guard let kept, let notes = self.notes else {
                handle(.found(found, absence: absence))
                continue
            }
            notes.adopting(kept.slot) { handle(.found(found, absence: absence)) }
        }
        // Notes of slots that neither the launcher nor a run has.
        for note in notes where keptSlots[note.slot] == nil && noteOfRun[note.run]?.slot != note.slot {
            self.notes?.remove(note.slot)
        }
        // Workers that ended without a listener: their last words come first.
        for kept in inheritance.slots {
            guard let end = kept.end else { continue }
            workers[kept.slot]?.drain()
            handle(.ended(kept.slot, end, lastWords: workers[kept.slot]?.lastWords))
        }
        if !runs.isEmpty || !inheritance.slots.isEmpty {
            journal.write(
                .notice,
                "took over: \(runs.count) runs on record, \(inheritance.slots.count) workers at the launcher",
                .tookOver
            )
        }
        // From here on this intentd enforces the limits of adopted runs.
        if let notes = self.notes { launcher?.send(.keepNotes, descriptors: [notes.memory.descriptor]) }
        openLog()
        serve()
    }

    /// From now on records need not be on disk to be safe from our death, where that is all that is asked for.
    private func openLog() {
        guard !recording.isReplaying, !recording.isLogReady, let log = notes?.log else { return }
        recording.isLogReady = true
        if history?.options.durability == .process { log.open() } else { log.clear() }
    }

    /// A record that came late, when everything else was taken over: nothing of its runs lives, but some never began.
    func takeUpLate(_ unfinished: [UnfinishedRun]) {
        openLog()
        dropInputs(besidesThoseOf: unfinished)
        let now = Now.current
        for run in unfinished where !runTable.remembers(run.run) {
            var late = run
            if run.state != .queued { late.slot = nil }
            metrics.adopt(late, at: now.monotonic.nanoseconds)
            handle(.found(foundRun(late, nil, nil), absence: .zero))
        }
    }

    /// Takes the notes that the last `intentd` left, or makes new ones, and hands on what it had not brought to the disk.
    private func openNotes(_ kept: SharedFileDescriptor?) {
        guard let history, launcherStays else { return }
        do {
            let notes = try kept.flatMap(RunNotes.init(keptIn:)) ?? RunNotes()
            inheritance?.notes = notes
            let left = notes.log.leftEntries()
            if !left.isWhole { journal.write(.error, "some records of the last intentd cannot be read: they are lost") }
            guard !left.entries.isEmpty else { return }
            // The unfinished runs are known after that.
            recording.isReplaying = true
            inheritance?.unfinished = nil
            history.replay(left.entries)
        } catch {
            journal.write(.warning, "no memory for notes (\(error)): runs that are under way end with intentd")
        }
    }

    private func link(_ kept: Inheritance.KeptSlot) {
        guard kept.descriptors.count == 3 else { return }
        do {
            workers[kept.slot] = try WorkerLink(
                socket: kept.descriptors[0],
                standardOutput: kept.descriptors[1],
                standardError: kept.descriptors[2],
                process: kept.process,
                isTakenUp: true,
                on: loop,
                closer: closing.closer(for: lane(of: kept.slot)),
                together: { body in self.together(body) },
                input: { input in self.workerSaid(kept.slot, input) }
            )
        } catch {
            journal.write(.error, "a worker's socket cannot be watched (\(error)): it is ended")
            launcher?.send(.signal(slot: kept.slot, .kill))
        }
    }

    private func foundRun(_ record: UnfinishedRun, _ note: RunNote?, _ kept: Inheritance.KeptSlot?) -> FoundRun {
        FoundRun(
            record,
            app: apps.lookUp(record.accepted.app.text),
            remainder: remainders[record.run],
            note: note,
            worker: kept.map { FoundRun.Worker(slot: $0.slot, isolation: $0.isolation) }
        )
    }
}
