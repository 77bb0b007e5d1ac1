/// The lines for the app's file that permit what intentd-egress refused to a run (`intentctl run --learn`).
enum LearnedHosts {
    /// Returns the lines for review. Nothing was permitted that was not granted, so the next run may need more hosts.
    static func lines(_ hosts: [HostUse], file: String?) -> [String] {
        let grants = hosts.compactMap(\.grant)
        guard !grants.isEmpty else { return ["no connection of the run was refused"] }
        let place = file.map { " of \($0)" } ?? ""
        return ["review these lines before you add them to [Sandbox]\(place):"] + grants.map { "AllowHosts=\($0)" }
    }
}
