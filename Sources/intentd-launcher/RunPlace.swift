import IntentSandbox

/// Where one run lives: the folder in which it may write, and where there are cgroups one of its own.
///
/// Both have the same number, by which pid 1 of the sandbox knows the run of a folder. A place that is as good as new after a
/// run serves another run of the app: making and removing it takes the kernel longer than the rest of a launch.
struct RunPlace {
    /// That of the first slot that had it.
    let number: UInt64
    let directory: RunDirectory
    /// Nil where there are no cgroups, and after the removal of the leaf.
    var leaf: CgroupLeaf?

    static func leafName(_ number: UInt64) -> String { "run-\(number)" }

    /// A name for the folder that other runs cannot guess.
    ///
    /// Runs of one app can name each other's folders, and the kernel lets them see and change what belongs to them all.
    static func directoryName(_ number: UInt64) -> String {
        let secret = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
        return "\(number)-\(secret)"
    }

    /// Nothing lives in it any more. Where the leaf stays all the same, it goes with the place.
    mutating func removeLeaf() {
        if leaf?.remove() == true { leaf = nil }
    }

    /// Gets ready for another run; false where something of the one before is left.
    func renew() -> Bool {
        guard leaf?.canServeAgain ?? true, directory.isAsNew else { return false }
        // The earlier run knows the old name, so the folder gets a new one.
        return (try? directory.rename(to: Self.directoryName(number))) != nil
    }

    /// - Returns: The child that removes a large folder, when there is one; its end comes as any child's.
    @discardableResult
    func remove() -> Int32? {
        leaf?.remove()
        return directory.remove()
    }
}
