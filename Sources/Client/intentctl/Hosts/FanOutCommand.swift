import Dispatch
import Glibc
import IntentLinux

/// Performs a command on several hosts, with a separate intentctl process for each host.
struct FanOutCommand {
    /// The environment variable that contains the host on which a child process performs the command.
    static let hostVariable = "INTENTD_HOST_OF_SEVERAL"
    /// The maximum amount of output to keep for each host, in bytes.
    private static let outputByteLimit = 64 << 20

    private let invocation: Invocation
    private let arguments: [String]
    private let hosts: [HostName]
    private var plan: FanOut

    init(_ invocation: Invocation, _ arguments: [String], _ hosts: [HostName]) throws(CommandFailure) {
        self.invocation = invocation
        self.arguments = arguments
        self.hosts = hosts
        plan = FanOut(
            hostCount: hosts.count,
            atLeast: try Self.count("at-least", of: invocation, upTo: hosts.count),
            serial: try Self.count("serial", of: invocation, upTo: nil),
            stopsOnFailure: invocation.has("stop-on-failure")
        )
    }

    func perform() throws -> ExitCode {
        var plan = plan
        let input = try takesInput ? Self.spoolInput() : nil
        var display = FanOutDisplay(hosts)
        var running: [Int: HostProcess] = [:]
        var answers: [Int: HostAnswer] = [:]
        let interrupts = try FanOutInterrupts()
        let sources = interrupts.listen()
        defer { for source in sources { source.cancel() } }
        while true {
            if interrupts.hasCome { plan.interrupted() }
            for host in plan.begin() {
                running[host] = try HostProcess(hosts[host], arguments, input: input)
                display.began(host)
            }
            guard !plan.isFinished else { break }
            interrupts.forward(to: running.values.map(\.child))
            var polls = running.flatMap(\.value.polls)
            polls.append(pollfd(fd: interrupts.counter.rawValue, events: Int16(POLLIN), revents: 0))
            guard poll(&polls, nfds_t(polls.count), -1) >= 0 else { continue }
            for (host, process) in running {
                for line in try process.read(limit: Self.outputByteLimit) { display.show(line, of: host) }
                guard let answer = process.answer() else { continue }
                running[host] = nil
                answers[host] = answer
                plan.ended(host, answer.code)
                display.ended(host, answer.code)
            }
        }
        display.erase()
        try report(hosts.indices.compactMap { answers[$0] }, plan)
        return plan.code
    }

    private func report(_ answers: [HostAnswer], _ plan: FanOut) throws(CommandFailure) {
        let groups = EqualAnswers.of(answers)
        let skipped = plan.skipped.map { hosts[$0].text }
        if invocation.wantsJSON {
            return try Console.output(EqualAnswers.document(groups, skipped: skipped, code: plan.code))
        }
        var isFirst = true
        for group in groups {
            if !group.answer.output.isEmpty {
                try Console.output((isFirst ? "" : "\n") + "\(group.title):\n\(group.answer.output)")
                isFirst = false
            } else if group.answer.code == .done {
                Console.note("\(group.title): done")
            }
            if !group.answer.failure.isEmpty {
                Console.note("\(group.title): \(group.answer.failure)")
            } else if group.answer.code != .done {
                Console.note("\(group.title): exit code \(group.answer.code.rawValue)")
            }
        }
        if !skipped.isEmpty { Console.note("not started: \(skipped.joined(separator: ", "))") }
    }

    // MARK: Standard input

    /// True if the command reads standard input: an argument is `-` or ends in `=-`.
    private var takesInput: Bool { arguments.contains { $0 == "-" || $0.hasSuffix(utf8: "=-") } }

    /// Stores standard input in a file, so that each host can read it from the beginning.
    private static func spoolInput() throws(CommandFailure) -> SharedFileDescriptor {
        do throws(SystemError) {
            let file = try File.openUnnamed(in: environmentText("TMPDIR") ?? "/var/tmp")
            while let bytes = try File.read(0, upTo: 64 << 10), !bytes.isEmpty {
                try File.write(file.rawValue, bytes[...])
            }
            return file
        } catch {
            throw CommandFailure(
                .badInput,
                code: "input",
                "cannot store standard input for the hosts: \(error)",
                hint: "free some space, or set TMPDIR"
            )
        }
    }

    private static func count(
        _ name: String,
        of invocation: Invocation,
        upTo limit: Int?
    ) throws(CommandFailure) -> Int? {
        guard let text = invocation[name] else { return nil }
        guard let count = Int(text), count >= 1, count <= limit ?? .max else {
            let range = limit.map { "from 1 to \($0), the number of hosts" } ?? "of at least 1"
            throw .usage("--\(name): expected a whole number \(range), got '\(text)'", hint: HelpText.pointer(nil))
        }
        return count
    }
}
