import IntentLauncherMessages
import Testing

@Suite struct FairQueueTests {
    @Test func `a user's only element waits for at most one element of each other user`() {
        var queue = FairQueue<String, Int>()
        for number in 0..<100 { queue.append(number, of: "ada") }
        queue.append(1000, of: "bob")
        queue.append(1001, of: "bob")
        #expect((0..<5).map { _ in queue.next() } == [0, 1000, 1, 1001, 2])
        queue.removeAll(of: "ada") { $0 > 3 }
        #expect((0..<2).map { _ in queue.next() } == [3, nil])
        #expect(queue.isEmpty)
    }

    @Test func `removing a user's only element removes the user from the order`() {
        var queue = FairQueue<String, Int>()
        queue.append(1, of: "ada")
        queue.removeAll(of: "ada") { $0 == 1 }
        queue.removeAll(of: "bob") { _ in true }
        #expect(queue.isEmpty)
        queue.append(2, of: "ada")
        #expect(queue.count(of: "ada") == 1)
        #expect((0..<2).map { _ in queue.next() } == [2, nil])
    }

    @Test func `an element is found and removed for any user`() {
        var queue = FairQueue<String, Int>()
        queue.append(1, of: "ada")
        queue.append(2, of: "bob")
        queue.append(3, of: "bob")
        #expect(queue.remove { $0 == 1 })
        #expect(queue.remove { $0 == 3 })
        #expect(!queue.remove { $0 == 1 })
        #expect((0..<2).map { _ in queue.next() } == [2, nil])
    }
}
