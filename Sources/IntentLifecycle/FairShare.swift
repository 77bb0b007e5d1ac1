/// The rule that divides a limited resource among users. A user may have at most as many units as remain free, so that
/// the next user always finds a free unit.
package enum FairShare {
    /// Returns true if the user may have one more unit.
    ///
    /// - Parameters:
    ///   - own: The number of units that the user has.
    ///   - taken: The number of units that all users have together.
    package static func hasRoom(own: Int, taken: Int, limit: Int) -> Bool { own < limit - taken }
}
