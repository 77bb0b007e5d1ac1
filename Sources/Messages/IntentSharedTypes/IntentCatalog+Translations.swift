extension IntentCatalog {
    /// The maximum size of all translations of a catalogue, in bytes.
    package static let translationByteLimit = 32 << 10

    /// Returns the catalogue with its texts in the language of a locale, such as `de_AT`. A text without a translation
    /// stays as it is.
    public func translated(into locale: String?) -> IntentCatalog {
        guard let locale, let translations else { return self }
        let parts = locale.utf8.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "@") }
            .split { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }.map { String(Substring($0)) }
        for count in stride(from: parts.count, to: 0, by: -1) {
            for separator in ["-", "_"] {
                guard let table = translations[parts[..<count].joined(separator: separator)] else { continue }
                var translated = self
                translated.mapTexts { table[$0] ?? $0 }
                return translated
            }
        }
        return self
    }

    /// The texts for people, in a fixed order.
    package var texts: [String] {
        var texts: [String] = []
        var copy = self
        copy.mapTexts { text in
            texts.append(text)
            return text
        }
        return texts
    }

    /// Replaces the texts for people: titles, descriptions, sentences, questions and phrases. Names and values remain.
    private mutating func mapTexts(_ replace: (String) -> String) {
        for index in intents.indices { intents[index].mapTexts(replace) }
        shortcuts = shortcuts.map { shortcuts in
            shortcuts.map { shortcut in
                var shortcut = shortcut
                shortcut.title = shortcut.title.map(replace)
                shortcut.phrases = shortcut.phrases.map(replace)
                return shortcut
            }
        }
    }
}

extension IntentDeclaration {
    fileprivate mutating func mapTexts(_ replace: (String) -> String) {
        title = replace(title)
        summary = summary.map(replace)
        sentence = sentence.map(replace)
        result = result?.mappingTexts(replace)
        details = details.map { $0.mappingTexts(replace) }
        for index in parameters.indices { parameters[index].mapTexts(replace) }
    }
}

extension IntentDetails {
    fileprivate func mappingTexts(_ replace: (String) -> String) -> IntentDetails {
        var details = self
        details.category = category.map(replace)
        details.keywords = keywords?.map(replace)
        details.resultTitle = resultTitle.map(replace)
        if var deprecation {
            deprecation.message = deprecation.message.map(replace)
            details.deprecation = deprecation
        }
        details.sentences = sentences?.map { sentence in
            var sentence = sentence
            sentence.text = sentence.text.map(replace)
            return sentence
        }
        return details
    }
}

extension ParameterDeclaration {
    fileprivate mutating func mapTexts(_ replace: (String) -> String) {
        title = replace(title)
        summary = summary.map(replace)
        question = question.map(replace)
        type = type.mappingTexts(replace)
        boolNames = boolNames.map { BoolNames(true: replace($0.true), false: replace($0.false)) }
    }
}

extension ValueType {
    fileprivate func mappingTexts(_ replace: (String) -> String) -> ValueType {
        switch self {
        case .array(let element): return .array(element.mappingTexts(replace))
        case .enumeration(var cases):
            for index in cases.indices {
                cases[index].title = replace(cases[index].title)
                cases[index].subtitle = cases[index].subtitle.map(replace)
            }
            return .enumeration(cases)
        case .entity(var type):
            type.title = replace(type.title)
            return .entity(type)
        case .object(var type):
            type.title = replace(type.title)
            for index in type.properties.indices {
                type.properties[index].title = replace(type.properties[index].title)
                type.properties[index].summary = type.properties[index].summary.map(replace)
                type.properties[index].type = type.properties[index].type.mappingTexts(replace)
            }
            return .object(type)
        case .string, .int, .double, .bool, .file, .decimal, .date, .url, .duration, .measurement, .currencyAmount,
            .dateComponents, .unknown:
            return self
        }
    }
}
