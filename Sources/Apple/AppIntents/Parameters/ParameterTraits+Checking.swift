import IntentSharedTypes

extension ParameterTraits {
    /// Checks the constraints that the type in the catalogue cannot express: the number of elements, the types of files
    /// and the sign of numbers.
    ///
    /// - Throws: ``InvalidValue`` when a check fails.
    func check(_ value: IntentValue, _ files: IncomingFiles) throws {
        if let size, case .array(let elements) = value, !size.allows(elements.count) {
            throw InvalidValue("expects \(size.phrase), got \(elements.count)")
        }
        if isNonNegative { try checkSign(of: value) }
        guard !contentTypes.isEmpty else { return }
        for reference in value.files { try checkType(of: try files.file(reference)) }
    }

    /// Returns the value, with the parameter's default unit added if the value has no unit.
    func completed(_ value: IntentValue) -> IntentValue {
        guard let defaultUnit else { return value }
        switch value {
        case .string(let text) where !text.contains(utf8: " "): return .string("\(text) \(defaultUnit)")
        case .array(let values): return .array(values.map(completed))
        case .null, .bool, .int, .double, .string, .file, .object: return value
        }
    }

    private func checkSign(of value: IntentValue) throws {
        switch value {
        case .string(let text) where text.hasPrefix(utf8: "-"):
            throw InvalidValue("expects a non-negative number, got \(WireCoding.excerpt(text))")
        case .array(let values): try values.forEach(checkSign)
        case .null, .bool, .int, .double, .string, .file, .object: break
        }
    }

    /// Checks the type of a file. Types that are missing from ``UTType``'s short table are accepted.
    private func checkType(of file: IntentFile) throws {
        guard let type = file.type, type.isInTable, contentTypes.allSatisfy(\.isInTable) else { return }
        guard !contentTypes.contains(where: { type.conforms(to: $0) }) else { return }
        let kinds = contentTypes.map { $0.preferredFilenameExtension ?? $0.identifier }.joined(separator: ", ")
        let name = WireCoding.excerpt(file.filename)
        throw InvalidValue("expects a file of type \(kinds), got '\(name)' (\(type.identifier))")
    }
}

extension IntentCollectionSize {
    func allows(_ count: Int) -> Bool {
        (minimum.map { count >= $0 } ?? true) && (maximum.map { count <= $0 } ?? true)
    }

    fileprivate var phrase: String {
        switch (minimum, maximum) {
        case (let low?, let high?) where low == high: Self.elements(low)
        case (let low?, let high?): "\(low) to \(high) elements"
        case (let low?, nil): "at least \(Self.elements(low))"
        case (nil, let high?): "at most \(Self.elements(high))"
        case (nil, nil): "any number of elements"
        }
    }

    private static func elements(_ count: Int) -> String { count == 1 ? "1 element" : "\(count) elements" }
}
