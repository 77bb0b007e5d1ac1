/// The rules for agents that perform an app's intents, from `[Agents]` or from keys of `[Intent NAME]`.
package struct AgentRule: Hashable, Sendable {
    /// `Allow=`: the intents that agents may perform.
    package enum Allowance: String, Sendable, CaseIterable {
        case none
        /// Agents may perform intents that only read data.
        case reading
        case all
    }

    /// `Ask=`: the intents that an agent may perform only after a person has approved the request.
    package enum Asking: String, Sendable, CaseIterable {
        case never
        /// A person must approve intents that remove or overwrite data.
        case destructive
        case always
    }

    /// The value of `Allow=`; nil for the daemon's default.
    package var allowance: Allowance?
    /// The value of `Ask=`; nil for the default, which depends on the intent's effect and on whether it can be undone.
    package var asking: Asking?
    /// The value of `ApproveFor=`: the longest time for which an approval may also cover later requests; nil if it covers
    /// its run alone.
    package var approvalTime: Duration?
    /// The value of `Effect=`; nil for the app's declaration.
    package var effect: IntentDetails.Effect?
    /// The value of `Idempotent=`; nil for the app's declaration.
    package var isIdempotent: Bool?

    /// True if `Allow=` is in the section of the intent, which then need not be a tool of the app.
    package var namesIntent = false

    package init() {}

    /// Returns true if agents may perform an intent with this effect. Without `Allow=`, they may not.
    package func permits(_ effect: IntentDetails.Effect) -> Bool {
        switch allowance {
        case .all: true
        case .reading: effect == .reads
        case nil, .none?: false
        }
    }

    /// Returns true if a person must approve an agent's request before the run starts.
    ///
    /// - Parameter isUndoable: True if the intent registers an undo action.
    package func asksAPerson(before effect: IntentDetails.Effect, isUndoable: Bool) -> Bool {
        switch asking {
        case .never: false
        case .always: true
        case .destructive: effect == .destroys
        case nil: effect == .destroys || effect != .reads && !isUndoable
        }
    }
}
