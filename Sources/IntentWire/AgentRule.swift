package import IntentProtocol

/// The rules for agents that use an app's intents (`[Agents]`, or keys of `[Intent NAME]`).
package struct AgentRule: Hashable, Sendable {
    /// `Allow=`: the intents that agents may perform.
    package enum Allowance: String, Sendable, CaseIterable {
        case none
        /// The intents that only read.
        case reading
        case all
    }

    /// `Ask=`: when a person must approve an agent's request before the run begins.
    package enum Asking: String, Sendable, CaseIterable {
        case never
        /// Approval is needed for intents that destroy something.
        case destructive
        case always
    }

    /// `Allow=`; nil for the daemon's default.
    package var allowance: Allowance?
    /// `Ask=`; nil for the default of each intent.
    package var asking: Asking?
    /// `Effect=`; nil for the app's own declaration.
    package var effect: IntentDetails.Effect?
    /// `Idempotent=`; nil for the app's own declaration.
    package var isIdempotent: Bool?

    package init() {}

    /// Returns true if an agent may perform an intent with this effect. Without `Allow=`, agents may perform no
    /// intents.
    package func permits(_ effect: IntentDetails.Effect) -> Bool {
        switch allowance {
        case .all: true
        case .reading: effect == .reads
        case nil, .none?: false
        }
    }

    /// Returns true if a person must approve the request.
    ///
    /// - Parameter isUndoable: True if the intent registers an undo.
    package func asksAPerson(before effect: IntentDetails.Effect, isUndoable: Bool) -> Bool {
        switch asking {
        case .never: false
        case .always: true
        case .destructive: effect == .destroys
        case nil: effect == .destroys || effect != .reads && !isUndoable
        }
    }
}
