/// Reads the caller's locale from the environment.
package enum CallerLocale {
    /// The value of the first locale variable that is set, in the order of setlocale(3). Nil if none is set, or if the
    /// value is `C` or `POSIX`.
    static var identifier: String? {
        let set = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(environmentText).first
        guard let set, set.utf8.count <= 64, !["C", "POSIX"].contains(set.split(scalar: ".").first) else { return nil }
        return set
    }

    /// The code of the caller's language, such as `de`.
    package static var language: String? {
        identifier?.split(whereScalar: { "_.@-".unicodeScalars.contains($0) }).first.map(String.init)
    }
}

extension AppDescription {
    /// The description with the texts of its catalogue in the caller's language.
    var inCallersLanguage: AppDescription {
        var description = self
        description.catalog = catalog?.translated(into: CallerLocale.identifier)
        return description
    }
}
