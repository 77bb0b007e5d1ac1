/// A number of slots that users share. One user may have at most as many slots as are left free, so that the next user
/// finds some, however many users have filled their share.
package enum FairShare {
    /// - Parameters:
    ///   - own: Slots of the user.
    ///   - taken: Slots of all users together.
    package static func hasRoom(own: Int, taken: Int, limit: Int) -> Bool { own < limit - taken }
}
