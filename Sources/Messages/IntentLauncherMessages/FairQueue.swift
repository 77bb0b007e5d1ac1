/// A queue in which users take turns. A user with one element waits for at most one element of every other user.
package struct FairQueue<User: Hashable & Sendable, Element: Sendable>: Sendable {
    private var elements: [User: [Element]] = [:]
    /// The users who have elements, in the order of their turns.
    private var order: [User] = []

    package init() {}

    package var isEmpty: Bool { order.isEmpty }

    /// Returns the number of a user's elements.
    package func count(of user: User) -> Int { elements[user]?.count ?? 0 }

    package mutating func append(_ element: Element, of user: User) {
        if elements[user]?.isEmpty ?? true { order.append(user) }
        elements[user, default: []].append(element)
    }

    /// Removes and returns the oldest element of the user with the next turn; nil if the queue is empty.
    package mutating func next() -> Element? {
        guard let user = order.first else { return nil }
        order.removeFirst()
        guard let element = elements[user]?.removeFirst() else {
            preconditionFailure("a user without elements is in the queue's order")
        }
        if elements[user]?.isEmpty ?? true {
            elements[user] = nil
        } else {
            order.append(user)
        }
        return element
    }

    /// Removes the elements of one user that match a predicate.
    package mutating func removeAll(of user: User, where isRemoved: (Element) -> Bool) {
        guard let left = elements[user]?.filter({ !isRemoved($0) }) else { return }
        elements[user] = left.isEmpty ? nil : left
        if left.isEmpty { order.removeAll { $0 == user } }
    }

    /// Removes one element that matches a predicate. Returns false if no element matches.
    package mutating func remove(where isWanted: (Element) -> Bool) -> Bool {
        for (user, own) in elements {
            guard let index = own.firstIndex(where: isWanted) else { continue }
            elements[user]?.remove(at: index)
            if own.count == 1 {
                elements[user] = nil
                order.removeAll { $0 == user }
            }
            return true
        }
        return false
    }
}
