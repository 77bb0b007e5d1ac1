import IntentLauncherMessages
import IntentLinux
import Testing

@testable import IntentEgress

@Suite struct HostQuestionsTests {
    private func client() throws -> SharedFileDescriptor { try UnixSocket.Pair(.stream).shared().first }

    @Test func `connections to one host wait for one answer`() throws {
        var questions = HostQuestions(of: 3, generation: 0)
        let client = try client()
        let firstAdded = questions.add(client, "a.example", 443)
        let (first, one) = try #require(firstAdded)
        let isFirst = questions.watch(one, of: first, with: nil)
        let secondAdded = questions.add(client, "a.example", 443)
        let (second, two) = try #require(secondAdded)
        let isSecondFirst = questions.watch(two, of: second, with: nil)
        let otherAdded = questions.add(client, "a.example", 80)
        let (other, three) = try #require(otherAdded)
        let isOtherFirst = questions.watch(three, of: other, with: nil)
        #expect(first == second && first != other)
        #expect([isFirst, isSecondFirst, isOtherFirst] == [true, false, true])
        #expect(questions.connectionCount == 3)
        let rest = questions.remove(one, of: first)
        #expect(rest == nil)
        let answered = questions.end(first)
        #expect(answered.count == 1)
        let withdrawn = questions.remove(three, of: other)
        #expect(withdrawn == other)
        #expect(questions.connectionCount == 0)
        let late = questions.end(other)
        #expect(late.isEmpty)
    }

    @Test func `an app cannot hold questions and connections without bound`() throws {
        var questions = HostQuestions(of: 3, generation: 0)
        let client = try client()
        for number in 0..<HostQuestions.limit {
            let added = questions.add(client, "n\(number).example", 443)
            #expect(added != nil)
        }
        let more = questions.add(client, "more.example", 443)
        #expect(more == nil)
        for _ in 1..<HostQuestions.limit {
            let added = questions.add(client, "n0.example", 443)
            #expect(added != nil)
        }
        let another = questions.add(client, "n0.example", 443)
        #expect(another == nil)
    }

    @Test func `a later process never uses the number of an earlier question`() throws {
        var (old, new) = (HostQuestions(of: 3, generation: 0), HostQuestions(of: 3, generation: 1))
        let client = try client()
        let earlierAdded = old.add(client, "a.example", 443)
        let (earlier, _) = try #require(earlierAdded)
        let laterAdded = new.add(client, "a.example", 443)
        let (later, _) = try #require(laterAdded)
        #expect(earlier.number != later.number)
        let connections = new.end(earlier)
        #expect(connections.isEmpty)
    }
}
