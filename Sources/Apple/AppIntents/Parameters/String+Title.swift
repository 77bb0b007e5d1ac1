import IntentSharedTypes

extension String {
    /// The title derived from a property's name: `numberOfDays` becomes "Number of days".
    package var asTitle: String {
        let scalars = unicodeScalars.map { (text: String($0), properties: $0.properties) }
        var words = ""
        for (index, scalar) in scalars.enumerated() {
            let followsCapital = index > 0 && scalars[index - 1].properties.isUppercase
            let leadsCapital = index + 1 < scalars.count && scalars[index + 1].properties.isUppercase
            if scalar.properties.isUppercase, index > 0, !followsCapital { words += " " }
            // Consecutive capital letters are kept, because they form an abbreviation.
            words += followsCapital || leadsCapital ? scalar.text : scalar.properties.lowercaseMapping
        }
        return words.prefix(scalars: 1).uppercased() + String(words.dropFirst(scalars: 1))
    }
}
