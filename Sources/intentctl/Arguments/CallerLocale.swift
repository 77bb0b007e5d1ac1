import FoundationEssentials

/// The language of the one who types.
enum CallerLocale {
    /// As setlocale(3) looks for it: the first variable that is set; nil for none, and for the plain ones.
    static var identifier: String? {
        let environment = ProcessInfo.processInfo.environment
        let set = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let set, set.utf8.count <= 64, !["C", "POSIX"].contains(set.prefix { $0 != "." }) else { return nil }
        return set
    }
}
