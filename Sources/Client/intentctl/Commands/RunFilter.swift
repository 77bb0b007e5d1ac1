/// Selects live runs according to the options of a command.
struct RunFilter {
    private let owner: HistoryOptions.Owner?
    private let selection: Selection?
    private let state: RunState?

    init(_ invocation: Invocation) throws(CommandFailure) {
        owner = try HistoryOptions.owner(invocation)
        if case .name(let name)? = owner {
            throw .usage(
                "--user=: live runs have no name of a caller without an account, got '\(name)'",
                hint: "specify the account of the service, such as intentd-web, or 'all'"
            )
        }
        selection = invocation["app"].map { Selection($0) }
        state = invocation["state"].map { RunState(rawValue: $0) }
    }

    /// - Parameter isOwnByDefault: True to select only the caller's own runs if no option specifies the owner.
    func selects(_ run: LiveRun, isOwnByDefault: Bool) -> Bool {
        let hasOwner =
            switch owner {
            case .everybody?: true
            // The daemon omits the user for the caller's own runs.
            case .user(let number)?: (run.user ?? Users.own) == number
            case .name: false
            case nil: !isOwnByDefault || run.user == nil
            }
        let hasApp =
            selection.map { selection in
                run.app == selection.app
                    && (selection.intent.map { [$0, $0 + "Intent"].contains(run.intent) } ?? true)
            } ?? true
        return hasOwner && hasApp && (state.map { $0 == run.state } ?? true)
    }
}
