import CIntentSeccomp
import Glibc

/// The rules of a filter, and their compilation to a seccomp(2) program.
///
/// libseccomp is used only to look up the numbers of system calls, not to generate the program. In libseccomp, the
/// rules for a call have no order, so permitting a few values of an argument needs a rule for each bit in which another
/// value may differ. An app with the default `[Sandbox]` needed 858 rules, which took 18 ms at launcher startup and
/// compiled to 1,764 instructions. This compiler needs 580 instructions for the same rules.
extension SystemCallFilter {
    enum Answer: Equatable {
        case allow
        /// The call fails with this error number and has no effect.
        case fail(Int32)
        /// The call blocks until the filter's listener has made a decision (seccomp_unotify(2)).
        case ask
        /// The call kills the process.
        case endProcess

        /// The value that the filter returns: SCMP_ACT_ALLOW, SCMP_ACT_ERRNO(x), SCMP_ACT_NOTIFY or
        /// SCMP_ACT_KILL_PROCESS.
        fileprivate var action: UInt32 {
            switch self {
            case .allow: SCMP_ACT_ALLOW
            case .fail(let error): 0x0005_0000 | UInt32(error)
            case .ask: 0x7FC0_0000
            case .endProcess: 0x8000_0000
            }
        }
    }

    /// The bits of a call's argument that a rule compares.
    ///
    /// Only the lower 32 bits can be compared. For the arguments that have rules, the kernel ignores the upper half, so
    /// the filter must ignore it as well.
    struct Argument: Equatable {
        let index: UInt32
        let bits: UInt32

        init(_ index: UInt32, bits: UInt32 = .max) {
            self.index = index
            self.bits = bits
        }
    }

    /// The action for a system call with certain argument values. Arguments beyond the list may have any value.
    struct Case {
        var values: [UInt32]
        var answer: Answer

        init(_ values: [UInt32], _ answer: Answer) {
            self.values = values
            self.answer = answer
        }
    }

    struct RuleList {
        /// A decision tree that selects the action for a system call.
        private indirect enum Rule: Equatable {
            case answer(Answer)
            case compare(Argument, [Branch], otherwise: Rule)
        }

        private struct Branch: Equatable {
            let value: UInt32
            let rule: Rule
        }

        /// The rules, by system call number. Calls without a rule fail with ENOSYS.
        private var rules: [UInt32: Rule] = [:]

        mutating func add(_ answer: Answer, for names: [String]) {
            for name in names { add(.answer(answer), for: name) }
        }

        /// Selects the action for a system call by its arguments. `otherwise` applies if no case matches.
        mutating func decide(
            _ name: String,
            by arguments: [Argument],
            cases: [Case],
            otherwise: Answer = .fail(EPERM)
        ) {
            add(Self.rule(by: arguments[...], cases, otherwise), for: name)
        }

        /// Selects the action by the first test with a case that matches. `otherwise` applies if none has.
        mutating func decide(_ name: String, by tests: [(Argument, [Case])], otherwise: Answer) {
            let rule = tests.reversed().reduce(Rule.answer(otherwise)) { rest, test in
                let branches = test.1.map { Branch(value: $0.values[0], rule: .answer($0.answer)) }
                return .compare(test.0, branches, otherwise: rest)
            }
            add(rule, for: name)
        }

        /// Makes a system call fail with EPERM if the argument has one of the values.
        mutating func refuse(
            _ name: String,
            if argument: Argument,
            is values: [UInt32],
            otherwise: Answer = .allow
        ) {
            decide(name, by: [argument], cases: values.map { Case([$0], .fail(EPERM)) }, otherwise: otherwise)
        }

        /// Makes a system call fail with EPERM unless the argument has one of the values.
        mutating func allow(_ name: String, if argument: Argument, is values: [UInt32]) {
            decide(name, by: [argument], cases: values.map { Case([$0], .allow) })
        }

        private static func rule(by arguments: ArraySlice<Argument>, _ cases: [Case], _ otherwise: Answer) -> Rule {
            let position = arguments.startIndex
            guard let argument = arguments.first, let first = cases.first, first.values.count > position else {
                return .answer(cases.first?.answer ?? otherwise)
            }
            let values = Set(cases.map { $0.values[position] }).sorted()
            let branches = values.map { value in
                let matching = cases.filter { $0.values[position] == value }
                return Branch(value: value, rule: rule(by: arguments.dropFirst(), matching, otherwise))
            }
            return .compare(argument, branches, otherwise: .answer(otherwise))
        }

        private mutating func add(_ rule: Rule, for name: String) {
            let number = seccomp_syscall_resolve_name(name)
            // A call that libseccomp does not recognise, or that does not exist on this architecture, gets no rule and
            // fails with ENOSYS.
            guard let number = UInt32(exactly: number) else { return }
            precondition(rules.updateValue(rule, forKey: number) == nil, "there are two rules for '\(name)'")
        }

        // MARK: Compilation

        /// Returns the program in this machine's byte order.
        func compiled() -> [UInt8] {
            var program = [Instruction.load(offset: 4)]
            program += Self.jump(.equal, seccomp_arch_native(), to: [.load(offset: 0)] + Self.tree(ranges[...]))
            program.append(.return(.endProcess))
            return program.flatMap(\.bytes)
        }

        /// A range of system call numbers with the same rule. It ends where the next range starts.
        private struct CallRange {
            let start: UInt32
            let rule: Rule
        }

        private var ranges: [CallRange] {
            let unnamed = Rule.answer(.fail(ENOSYS))
            var ranges = [CallRange(start: 0, rule: unnamed)]
            func append(_ rule: Rule, from start: UInt32) {
                if ranges.last?.start == start { ranges.removeLast() }
                if ranges.last?.rule != rule { ranges.append(CallRange(start: start, rule: rule)) }
            }
            for (number, rule) in rules.sorted(by: { $0.key < $1.key }) {
                append(rule, from: number)
                append(unnamed, from: number + 1)
            }
            #if arch(x86_64)
                // Calls of the x32 ABI have this bit. A tracer sets the number to -1 to skip a call (ptrace(2)), which
                // must not kill the process.
                append(.answer(.endProcess), from: 0x4000_0000)
                append(unnamed, from: .max)
            #endif
            return ranges
        }

        /// Returns the instructions of a binary search for the call's number, which is in the accumulator.
        private static func tree(_ ranges: ArraySlice<CallRange>) -> [Instruction] {
            let middle = ranges.startIndex + ranges.count / 2
            guard middle > ranges.startIndex else { return instructions(of: ranges[middle].rule) }
            return jump(.atLeast, ranges[middle].start, to: tree(ranges[middle...])) + tree(ranges[..<middle])
        }

        /// Returns a rule's instructions, which end the filter with an action on every path.
        private static func instructions(of rule: Rule) -> [Instruction] {
            switch rule {
            case .answer(let answer): return [.return(answer)]
            case .compare(let argument, let branches, let otherwise):
                var program = [Instruction.load(offset: argument.offset)]
                if argument.bits != .max { program.append(.and(argument.bits)) }
                for branch in branches { program += jump(.equal, branch.value, to: instructions(of: branch.rule)) }
                return program + instructions(of: otherwise)
            }
        }

        /// Returns a comparison followed by the target, which is executed only if the comparison is true. The target
        /// must end the filter with an action on every path.
        private static func jump(
            _ comparison: Instruction.Comparison,
            _ value: UInt32,
            to target: [Instruction]
        ) -> [Instruction] {
            // Skip a longer target with a separate jump, because a comparison can skip at most 255 instructions.
            guard let distance = UInt8(exactly: target.count) else {
                return [.compare(comparison, value, then: 1, else: 0), .jump(over: UInt32(target.count))] + target
            }
            return [.compare(comparison, value, then: 0, else: distance)] + target
        }
    }
}

extension SystemCallFilter.Argument {
    /// The offset of the argument's lower half in `struct seccomp_data` (seccomp(2)).
    fileprivate var offset: UInt32 {
        #if _endian(little)
            16 + index * 8
        #else
            20 + index * 8
        #endif
    }
}

/// A BPF instruction (`struct sock_filter`). The codes are copied from linux/bpf_common.h, because Swift does not
/// import its macros.
private struct Instruction {
    enum Comparison: UInt16 {
        /// BPF_JMP | BPF_JEQ | BPF_K: tests whether two numbers are equal.
        case equal = 0x15
        /// BPF_JMP | BPF_JGE | BPF_K: compares unsigned numbers.
        case atLeast = 0x35
    }

    let bytes: [UInt8]

    private init(_ code: UInt16, then: UInt8 = 0, else: UInt8 = 0, _ operand: UInt32) {
        bytes = withUnsafeBytes(of: code, Array.init) + [then, `else`] + withUnsafeBytes(of: operand, Array.init)
    }

    /// BPF_LD | BPF_W | BPF_ABS: loads a 32-bit word of `struct seccomp_data` into the accumulator.
    static func load(offset: UInt32) -> Instruction { Instruction(0x20, offset) }
    /// BPF_ALU | BPF_AND | BPF_K: clears all bits of the accumulator except these bits.
    static func and(_ bits: UInt32) -> Instruction { Instruction(0x54, bits) }
    /// BPF_JMP | BPF_JA: skips instructions.
    static func jump(over count: UInt32) -> Instruction { Instruction(0x05, count) }
    /// BPF_RET | BPF_K: ends the filter with an action.
    static func `return`(_ answer: SystemCallFilter.Answer) -> Instruction { Instruction(0x06, answer.action) }

    static func compare(_ comparison: Comparison, _ value: UInt32, then: UInt8, else: UInt8) -> Instruction {
        Instruction(comparison.rawValue, then: then, else: `else`, value)
    }
}
