/// A number of places that users share. One user may have at most as many as are still free, so that the next user
/// finds some however many have filled their share.
package enum FairShare {
    /// - Parameters:
    ///   - own: Places that the user has.
    ///   - taken: Places that all users have together.
    package static func hasRoom(own: Int, taken: Int, limit: Int) -> Bool { own < limit - taken }
}

/// A queue in which users take turns: a user with one element waits for at most one element of every other user.
package struct FairQueue<Element: Sendable>: Sendable {
    private var elements: [UserID: [Element]] = [:]
    /// Users with elements, in the order of their turns.
    private var order: [UserID] = []

    package init() {}

    package var isEmpty: Bool { order.isEmpty }

    /// How many elements of one user wait.
    package func count(of user: UserID) -> Int { elements[user]?.count ?? 0 }

    package mutating func append(_ element: Element, of user: UserID) {
        if elements[user]?.isEmpty ?? true { order.append(user) }
        elements[user, default: []].append(element)
    }

    /// Removes the oldest element of the user that has waited longest for a turn.
    package mutating func next() -> Element? {
        guard let user = order.first else { return nil }
        order.removeFirst()
        guard let element = elements[user]?.removeFirst() else {
            preconditionFailure("a user in the order has elements")
        }
        if elements[user]?.isEmpty ?? true {
            elements[user] = nil
        } else {
            order.append(user)
        }
        return element
    }

    /// Removes elements of one user from the queue.
    package mutating func removeAll(of user: UserID, where isRemoved: (Element) -> Bool) {
        guard let left = elements[user]?.filter({ !isRemoved($0) }) else { return }
        elements[user] = left.isEmpty ? nil : left
        if left.isEmpty { order.removeAll { $0 == user } }
    }
}
