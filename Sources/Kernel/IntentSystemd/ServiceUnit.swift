import CIntentSystemd
import Glibc
import IntentLinux
import Synchronization

/// The systemd unit that has this program as its main process.
package struct ServiceUnit: Equatable, Sendable {
    /// The systemd instance that manages the unit.
    package enum Manager: Equatable, Sendable {
        case system
        case user
    }

    /// The unit's name with its suffix, such as `intentd.service`.
    package var name: String
    package var manager: Manager

    package init(name: String, manager: Manager) {
        self.name = name
        self.manager = manager
    }

    /// The unit that `Environment=INTENTD_UNIT=%n` in the unit file names; nil without that line.
    ///
    /// systemd sets `MANAGERPID` only for user services (systemd.exec(5)).
    package static var own: ServiceUnit? {
        guard let name = getenv("INTENTD_UNIT").map({ String(foreign: $0) }), !name.isEmpty else { return nil }
        return ServiceUnit(name: name, manager: getenv("MANAGERPID") == nil ? .system : .user)
    }

    /// Queries the job that systemd is performing for the unit.
    ///
    /// Blocks for at most `patience`. systemd usually answers within a few milliseconds.
    package func job(within patience: Duration) -> UnitJob {
        let answer: Answer
        do throws(SystemError) {
            answer = try Answer()
            // Query on a detached thread, because the library waits up to half a minute for an unresponsive bus.
            try DetachedThread.start { [self] in answer.set(UnitJob(of: self)) }
        } catch {
            return .unknown("\(error)")
        }
        let (seconds, attoseconds) = patience.components
        answer.counter.wait(milliseconds: Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000))
        return answer.job ?? .unknown("systemd did not answer in time")
    }

    private final class Answer: Sendable {
        private let value = Mutex<UnitJob?>(nil)
        let counter: EventCounter

        init() throws(SystemError) { counter = try EventCounter() }

        var job: UnitJob? { value.withLock { $0 } }

        func set(_ job: UnitJob) {
            value.withLock { $0 = job }
            counter.signal()
        }
    }
}

extension UnitJob {
    /// Queries the unit's manager. Any user is permitted to query it.
    fileprivate init(of unit: ServiceUnit) {
        do throws(SystemError) {
            self.init(of: unit.name, among: try Self.list(unit.manager))
        } catch {
            self = .unknown("\(error)")
        }
    }

    private static func list(_ manager: ServiceUnit.Manager) throws(SystemError) -> [Listed] {
        var bus: OpaquePointer?
        try EventLoop.check("sd_bus_open", manager == .user ? sd_bus_open_user(&bus) : sd_bus_open_system(&bus))
        defer { sd_bus_close_unref(bus) }
        var call: OpaquePointer?
        try EventLoop.check(
            "sd_bus_message_new_method_call",
            sd_bus_message_new_method_call(
                bus,
                &call,
                "org.freedesktop.systemd1",
                "/org/freedesktop/systemd1",
                "org.freedesktop.systemd1.Manager",
                "ListJobs"
            )
        )
        defer { sd_bus_message_unref(call) }
        var reply: OpaquePointer?
        try EventLoop.check("ListJobs", sd_bus_call(bus, call, 5_000_000, nil, &reply))
        defer { sd_bus_message_unref(reply) }
        return try jobs(in: reply)
    }

    /// Reads an array of type a(usssoo): number, unit, type, state, and two object paths (org.freedesktop.systemd1(5)).
    private static func jobs(in reply: OpaquePointer?) throws(SystemError) -> [Listed] {
        let array = CChar(bitPattern: UInt8(ascii: "a"))
        let structure = CChar(bitPattern: UInt8(ascii: "r"))
        try EventLoop.check("ListJobs", sd_bus_message_enter_container(reply, array, "(usssoo)"))
        var jobs: [Listed] = []
        while try EventLoop.check("ListJobs", sd_bus_message_enter_container(reply, structure, "usssoo")) > 0 {
            var number: UInt32 = 0
            try EventLoop.check(
                "ListJobs",
                sd_bus_message_read_basic(reply, CChar(bitPattern: UInt8(ascii: "u")), &number)
            )
            jobs.append(Listed(unit: try text(in: reply), type: try text(in: reply)))
            try EventLoop.check("ListJobs", sd_bus_message_skip(reply, "soo"))
            try EventLoop.check("ListJobs", sd_bus_message_exit_container(reply))
        }
        return jobs
    }

    private static func text(in reply: OpaquePointer?) throws(SystemError) -> String {
        var text: UnsafePointer<CChar>?
        try EventLoop.check("ListJobs", sd_bus_message_read_basic(reply, CChar(bitPattern: UInt8(ascii: "s")), &text))
        return text.map { String(foreign: $0) } ?? ""
    }
}
