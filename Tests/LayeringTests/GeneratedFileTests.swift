import TestSupport
import Testing

@Suite(.ownThread) struct GeneratedFileTests {
    @Test func `the generated declarations match their tables`() throws {
        let (status, output) = try Project.run("Tests/overloads", "--check")
        #expect(status == 0, "\(output)")
    }

    @Test func `the generated coders match the declarations of messages`() throws {
        let (status, output) = try Project.run("Tests/coders", "--check")
        #expect(status == 0, "\(output)")
    }

    @Test func `the schemas of the HTTP API match the declarations of messages`() throws {
        let (status, output) = try Project.run("Tests/schemas", "--check")
        #expect(status == 0, "\(output)")
    }
}
