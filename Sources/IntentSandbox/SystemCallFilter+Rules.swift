import CSeccomp
import Glibc
import IntentLinux

/// Rules as libseccomp has them.
extension SystemCallFilter {
    enum Answer {
        case allow
        /// The call is not made and fails with this error number.
        case fail(Int32)
        /// The call waits until the filter's listener has answered it (seccomp_unotify(2)).
        case ask

        /// SCMP_ACT_ALLOW, SCMP_ACT_ERRNO(x), SCMP_ACT_NOTIFY.
        var action: UInt32 {
            switch self {
            case .allow: SCMP_ACT_ALLOW
            case .fail(let error): 0x0005_0000 | UInt32(error)
            case .ask: 0x7FC0_0000
            }
        }
    }

    /// The bits of an argument that a rule looks at.
    ///
    /// Arguments that are looked at here are 32 bits wide to the kernel; what a register holds above means nothing,
    /// and must neither get a call through nor stop it.
    struct Argument {
        let index: UInt32
        let bits: UInt32

        init(_ index: UInt32, bits: UInt32 = .max) {
            self.index = index
            self.bits = bits
        }

        /// SCMP_CMP_MASKED_EQ: these bits have this value.
        func `is`(_ value: UInt32, in bits: UInt32? = nil) -> scmp_arg_cmp {
            scmp_arg_cmp(
                arg: index,
                op: SCMP_CMP_MASKED_EQ,
                datum_a: UInt64(bits ?? self.bits),
                datum_b: UInt64(value)
            )
        }

        /// The shortest list of conditions of which exactly one holds when the value differs from all of these.
        func excluding(all values: Set<UInt32>) -> [scmp_arg_cmp] {
            var conditions: [scmp_arg_cmp] = []
            // A binary tree of the bits, from the highest: each branch that leads to none of the values is one.
            func descend(_ left: UInt32, _ decided: UInt32, _ value: UInt32, _ values: Set<UInt32>) {
                guard !values.isEmpty else { return conditions.append(self.is(value, in: decided)) }
                guard left != 0 else { return }
                let bit = UInt32(1) << (31 - UInt32(left.leadingZeroBitCount))
                for side in [0, bit] {
                    descend(left ^ bit, decided | bit, value | side, values.filter { $0 & bit == side })
                }
            }
            descend(bits, 0, 0, values)
            return conditions
        }
    }

    /// What a call answers when the arguments have these values; arguments that are not listed may have any value.
    struct Case {
        var values: [UInt32]
        var answer: Answer

        init(_ values: [UInt32], _ answer: Answer) {
            self.values = values
            self.answer = answer
        }
    }

    /// A filter of libseccomp's in the making (seccomp_init(3)).
    struct RuleList: ~Copyable {
        private let context: scmp_filter_ctx

        private init(owning context: scmp_filter_ctx) {
            self.context = context
        }

        /// A list without rules: all calls answer ENOSYS.
        static func empty() throws(SystemError) -> RuleList {
            guard let context = seccomp_init(Answer.fail(ENOSYS).action) else {
                throw SystemError("seccomp_init", code: Errno(rawValue: ENOMEM))
            }
            let list = RuleList(owning: context)
            try check("seccomp_attr_set") {
                seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS)
            }
            // A binary tree instead of a list: a call's rule is found after ten comparisons, not after three hundred.
            // Libraries before 2.5 make the list, which answers the same.
            _ = seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, 2)
            return list
        }

        deinit {
            seccomp_release(context)
        }

        func add(_ answer: Answer, for names: [String]) throws(SystemError) {
            for name in names { try addRule(name, answer, []) }
        }

        /// Answers by the values of arguments: with the matching case, or with the default.
        ///
        /// libseccomp has no order among rules of one call, so the rules made here never overlap.
        func decide(
            _ name: String,
            by arguments: [Argument],
            cases: [Case],
            otherwise: Answer = .fail(EPERM)
        ) throws(SystemError) {
            try decide(name, arguments[...], cases, otherwise, given: [])
        }

        private func decide(
            _ name: String,
            _ arguments: ArraySlice<Argument>,
            _ cases: [Case],
            _ otherwise: Answer,
            given conditions: [scmp_arg_cmp]
        ) throws(SystemError) {
            let position = arguments.startIndex
            guard let argument = arguments.first, let first = cases.first, first.values.count > position else {
                return try addRule(name, cases.first?.answer ?? otherwise, conditions)
            }
            let values = Set(cases.map { $0.values[position] })
            for condition in argument.excluding(all: values) {
                try addRule(name, otherwise, conditions + [condition])
            }
            for value in values.sorted() {
                let matching = cases.filter { $0.values[position] == value }
                let known = conditions + [argument.is(value)]
                try decide(name, arguments.dropFirst(), matching, otherwise, given: known)
            }
        }

        private func addRule(_ name: String, _ answer: Answer, _ conditions: [scmp_arg_cmp]) throws(SystemError) {
            let number = seccomp_syscall_resolve_name(name)
            // Unknown to this library, or absent from this architecture: it answers ENOSYS.
            guard number >= 0 else { return }
            try Self.check("seccomp_rule_add", on: name) {
                seccomp_rule_add_array(context, answer.action, number, UInt32(conditions.count), conditions)
            }
        }

        /// The program, as seccomp_export_bpf(3) writes it.
        func compiled() throws(SystemError) -> [UInt8] {
            let file = FileDescriptor(owning: try syscall("memfd_create") { intentd_seccomp_memfd() })
            try Self.check("seccomp_export_bpf") { seccomp_export_bpf(context, file.rawValue) }
            try syscall("lseek") { lseek(file.rawValue, 0, SEEK_SET) }
            // BPF_MAXINSNS instructions of 8 bytes: a longer program the kernel does not take.
            guard let program = try File.readAll(file.rawValue, limit: 4096 * 8), program.count % 8 == 0 else {
                throw SystemError("seccomp_export_bpf", code: Errno(rawValue: E2BIG))
            }
            return program
        }

        /// libseccomp returns a negative errno.
        private static func check(
            _ operation: String,
            on subject: String? = nil,
            _ body: () -> Int32
        ) throws(SystemError) {
            let result = body()
            if result < 0 { throw SystemError(operation, on: subject, code: Errno(rawValue: -result)) }
        }
    }
}
