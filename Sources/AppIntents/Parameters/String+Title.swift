extension String {
    /// A property's name in words: `numberOfDays` is "Number of days".
    package var asTitle: String {
        let characters = Array(self)
        var words = ""
        for (index, character) in characters.enumerated() {
            let followsCapital = index > 0 && characters[index - 1].isUppercase
            let leadsCapital = index + 1 < characters.count && characters[index + 1].isUppercase
            if character.isUppercase, index > 0, !followsCapital { words += " " }
            // Keep consecutive capitals, which form an abbreviation.
            words += followsCapital || leadsCapital ? String(character) : character.lowercased()
        }
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
