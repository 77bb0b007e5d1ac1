import CIntentSeccomp
import Glibc

/// Interprets a filter as the kernel would (classic BPF, seccomp(2)), without making the calls.
struct FilterMachine {
    enum Answer: Equatable {
        case allow
        case fail(Int32)
        case ask
        case killProcess
        case other(UInt32)
    }

    private struct Instruction {
        var code: UInt16
        var ifTrue: Int
        var ifFalse: Int
        var operand: UInt32
    }

    #if arch(x86_64)
        static let architecture: UInt32 = 0xC000_003E
    #elseif arch(arm64)
        static let architecture: UInt32 = 0xC000_00B7
    #endif

    private let instructions: [Instruction]

    init(_ program: [UInt8]) {
        instructions = stride(from: 0, to: program.count, by: 8).map { start in
            func number(_ range: Range<Int>) -> UInt32 {
                range.reversed().reduce(0) { $0 << 8 | UInt32(program[start + $1]) }
            }
            return Instruction(
                code: UInt16(number(0..<2)),
                ifTrue: Int(program[start + 2]),
                ifFalse: Int(program[start + 3]),
                operand: number(4..<8)
            )
        }
    }

    /// Returns the answer to a call by its name, or nil if this machine does not have the call.
    func answer(_ name: String, _ arguments: UInt64...) -> Answer? {
        guard let number = Self.number(of: name) else { return nil }
        return answer(number, arguments)
    }

    static func number(of name: String) -> UInt32? {
        let number = seccomp_syscall_resolve_name(name)
        return number < 0 ? nil : UInt32(number)
    }

    func answer(
        _ number: UInt32,
        _ arguments: [UInt64],
        architecture: UInt32 = FilterMachine.architecture
    ) -> Answer {
        // struct seccomp_data, in words: the number, the architecture, the instruction pointer and six arguments.
        var words: [UInt32] = [number, architecture, 0, 0]
        for index in 0..<6 {
            let argument = index < arguments.count ? arguments[index] : 0
            words += [UInt32(truncatingIfNeeded: argument), UInt32(truncatingIfNeeded: argument >> 32)]
        }
        var accumulator: UInt32 = 0
        var next = 0
        while true {
            let instruction = instructions[next]
            next += 1
            let operand = instruction.operand
            func jump(_ condition: Bool) { next += condition ? instruction.ifTrue : instruction.ifFalse }
            switch instruction.code {
            case 0x20: accumulator = words[Int(operand) / 4]
            case 0x54: accumulator &= operand
            case 0x05: next += Int(operand)
            case 0x15: jump(accumulator == operand)
            case 0x25: jump(accumulator > operand)
            case 0x35: jump(accumulator >= operand)
            case 0x45: jump(accumulator & operand != 0)
            case 0x06: return Self.answer(ofAction: operand)
            default: preconditionFailure("the filter has an instruction of another kind: \(instruction.code)")
            }
        }
    }

    private static func answer(ofAction action: UInt32) -> Answer {
        if action == SCMP_ACT_ALLOW { return .allow }
        if action == SCMP_ACT_KILL_PROCESS { return .killProcess }
        if action == 0x7FC0_0000 { return .ask }
        return action >> 16 == 5 ? .fail(Int32(action & 0xFFFF)) : .other(action)
    }
}
