/// Divides slots among users. One user may have at most as many slots as stay free, so that the next user finds a free
/// slot however many users have filled their share.
package enum FairShare {
    /// - Parameters:
    ///   - own: The number of slots of the user.
    ///   - taken: The number of slots of all users together.
    package static func hasRoom(own: Int, taken: Int, limit: Int) -> Bool { own < limit - taken }
}
