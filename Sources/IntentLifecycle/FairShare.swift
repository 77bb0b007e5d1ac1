/// A number of places that users share. One user may have at most as many as are still free, so that the next user
/// finds some however many have filled their share.
package enum FairShare {
    /// - Parameters:
    ///   - own: Places that the user has.
    ///   - taken: Places that all users have together.
    package static func hasRoom(own: Int, taken: Int, limit: Int) -> Bool { own < limit - taken }
}
