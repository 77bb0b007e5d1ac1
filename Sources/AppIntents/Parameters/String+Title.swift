extension String {
    /// The title derived from a property's name: `numberOfDays` becomes "Number of days".
    package var asTitle: String {
        let characters = Array(self)
        var words = ""
        for (index, character) in characters.enumerated() {
            let followsCapital = index > 0 && characters[index - 1].isUppercase
            let leadsCapital = index + 1 < characters.count && characters[index + 1].isUppercase
            if character.isUppercase, index > 0, !followsCapital { words += " " }
            // Consecutive capital letters are kept, because they form an abbreviation.
            words += followsCapital || leadsCapital ? String(character) : character.lowercased()
        }
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
