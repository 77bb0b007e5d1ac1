/// Parses the output of llvm-symbolizer(1) and addr2line(1) with `--addresses --functions --inlines`: for each address,
/// a line with the address, then two lines for each call, the innermost inlined call first.
package enum SymbolizerOutput {
    /// The maximum number of calls to keep for one address.
    private static let callLimit = 16

    package static func calls(in text: String) -> [UInt64: [SourceCall]] {
        var calls: [UInt64: [SourceCall]] = [:]
        var address: UInt64?
        var function: String?
        for line in text.lines() {
            if line.hasPrefix(utf8: "0x"), let number = UInt64(line.dropFirst(scalars: 2), radix: 16) {
                address = number
                function = nil
            } else if let name = function {
                function = nil
                guard let address, calls[address, default: []].count < callLimit else { continue }
                calls[address, default: []].append(call(name, at: line))
            } else {
                function = String(line)
            }
        }
        return calls
    }

    /// Parses a location such as `/src/Order.swift:12`, optionally followed by a column (`:5`) or ` (discriminator 2)`.
    private static func call(_ name: String, at location: Substring) -> SourceCall {
        var call = SourceCall(function: name == "??" ? nil : name)
        let place = Substring(location.unicodeScalars.prefix { $0 != "(" }).trimmed
        var parts = place.split(scalar: ":", omittingEmptySubsequences: false)
        var firstNumber: Int?
        while parts.count > 1, let number = parts.last.flatMap({ $0 == "?" ? 0 : Int($0) }) {
            firstNumber = number
            parts.removeLast()
        }
        let file = parts.joined(separator: ":")
        // Ignore line 0, which marks code that the compiler generated.
        guard file != "??", let line = firstNumber, line > 0, !file.hasSuffix(utf8: "<compiler-generated>") else {
            return call
        }
        call.file = file
        call.line = line
        return call
    }
}
