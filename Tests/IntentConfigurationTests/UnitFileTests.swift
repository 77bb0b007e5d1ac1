import IntentConfiguration
import Testing

@Suite struct UnitFileTests {
    @Test func `sections, comments, spaces and continued lines are read as systemd reads them`() {
        let file = UnitFile(
            text: """
                # a comment
                [App]
                Environment = A=1 \\
                ; a comment between
                    B=2
                [Limits]
                Runtime=5s
                """,
            file: "soup.conf"
        )
        #expect(file.problems == [])
        #expect(file.assignments.map(\.section) == ["App", "Limits"])
        #expect(file.assignments.map(\.key) == ["Environment", "Runtime"])
        #expect(file.assignments.map(\.value) == ["A=1 B=2", "5s"])
        #expect(file.assignments.map(\.line) == [3, 7])
    }

    @Test func `a mistake is told with its file and line, and the rest is read`() {
        let file = UnitFile(text: "Early=1\n[App]\nnonsense\n[Broken\nExecutable=/x\n[App]\nExecutable=/y", file: "f")
        #expect(file.problems.map(\.line) == [1, 3, 4, 5])
        #expect(file.assignments.map(\.value) == ["/y"])
    }
}
