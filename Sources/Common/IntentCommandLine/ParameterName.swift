package import IntentSharedTypes

/// Converts between the names of parameters and of command-line options.
package enum ParameterName {
    /// Returns the option for a name: `payment-method` for `paymentMethod`, `image-url` for `imageURL`.
    package static func kebab(_ name: String) -> String {
        var result = ""
        let scalars = Array(name.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            if scalar == "_" {
                result += "-"
                continue
            }
            if scalar.properties.isUppercase, index > 0, scalars[index - 1] != "_" {
                let beginsWord = !scalars[index - 1].properties.isUppercase
                let endsCapitals = index + 1 < scalars.count && scalars[index + 1].properties.isLowercase
                if beginsWord || endsCapitals { result += "-" }
            }
            result += scalar.properties.lowercaseMapping
        }
        return result
    }

    /// Returns the parameter that an option sets, and whether the option negates it with `no-`.
    ///
    /// A parameter with a name that starts with `no` takes precedence over the negation of another parameter.
    package static func find(_ option: String, in intent: IntentDeclaration) -> (ParameterDeclaration, isNegated: Bool)?
    {
        if let parameter = intent.parameters.first(where: { matches($0, option) }) { return (parameter, false) }
        guard option.hasPrefix(utf8: "no-") else { return nil }
        let positive = String(option.dropFirst(scalars: 3))
        let parameter = intent.parameters.first { $0.type == .bool && matches($0, positive) }
        return parameter.map { ($0, true) }
    }

    private static func matches(_ parameter: ParameterDeclaration, _ option: String) -> Bool {
        parameter.name == option || kebab(parameter.name) == option
    }
}
