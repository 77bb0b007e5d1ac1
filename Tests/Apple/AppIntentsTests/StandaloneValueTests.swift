import IntentLinux
import TestSupport
import Testing

/// Tests values that are typed on the command line.
@Suite(.ownThread) struct StandaloneValueTests {
    @Test func `values of every type can be typed, and a list with repeated options`() throws {
        let (code, output) = try AppProcess.byHand(
            "CompileShapes5",
            "EveryKind",
            "--amount",
            "1.10",
            "--when",
            "1970-01-01T00:01:00Z",
            "--link",
            "https://a.b/c",
            "--length",
            "1min 30s",
            "--cup",
            "small",
            "--tags",
            "a",
            "--tags=b",
            "--roast",
            "2",
            "--numbers",
            "3",
            "--numbers",
            "4",
            "--pause",
            "500ms"
        )
        #expect(code == 0)
        let lines = output.split(separator: "\n").dropFirst()
        #expect(
            Array(lines) == [
                "1.1", "60.0", "https://a.b/c", "90.0 seconds", "small", "a", "b", "dark", "-", "-", "0.5 seconds", "3",
                "4", "small",
            ]
        )
    }

    @Test(arguments: [
        ("2026-11-21", "2026-11-20T23:00:00Z"),
        ("2026-07-21 09:30", "2026-07-21T07:30:00Z"),
        ("2026-11-21T09:30:15", "2026-11-21T08:30:15Z"),
        ("2026-11-21T10:30:00+01:00", "2026-11-21T09:30:00Z"),
    ])
    func `a date can be typed as a day, a local time or in full`(text: String, result: String) throws {
        let arguments = ["Instants", "--date", text]
        let app = try AppProcess("CompileShapes6", mode: nil, arguments: arguments, variables: ["TZ": "Europe/Berlin"])
        #expect(app.exitCode() == 0)
        #expect(app.output.hasSuffix("\n\(result)\n"))
    }

    @Test(arguments: [("90", "180.0"), ("1min 30s", "180.0"), ("500ms", "1.0"), ("1.5h", "10800.0"), ("0", "0.0")])
    func `a duration can be typed in units`(text: String, result: String) throws {
        #expect(try AppProcess.byHand("CompileShapes6", "Spans", "--span", text).output.hasSuffix("\n\(result)\n"))
    }

    @Test(arguments: [
        ("Spans", "--span", "soon", "--span: expected a time span, such as 90s or 1h 30min, got 'soon'"),
        (
            "Instants", "--date", "2026-02-31",
            "--date: expected a date, such as 2026-11-21 09:30 or tomorrow, got '2026-02-31'; for example:"
        ),
    ])
    func `an invalid value is a usage error`(
        intent: String,
        option: String,
        text: String,
        message: String
    ) throws {
        let (code, output) = try AppProcess.byHand("CompileShapes6", intent, option, text)
        #expect(code == 64)
        #expect(output.hasPrefix(message))
    }

    @Test func `ranges and cases are checked before the intent runs, for each element of a list`() throws {
        let app = "CompileShapes5"
        #expect(
            try AppProcess.byHand(app, "EveryLabel", "--c", "4")
                == (64, "--c: expected a whole number from 1 to 3, got 4; for example: --c 3\n")
        )
        #expect(
            try AppProcess.byHand(app, "EveryLabel", "--k", "1", "--k", "9")
                == (64, "--k: expected a whole number from 1 to 5, got 9; for example: --k 3\n")
        )
        #expect(
            try AppProcess.byHand("Soup", "OrderSoup", "--soup", "tomatto")
                == (64, "--soup: expected one of tomato, lentil, pumpkin, got 'tomatto'; did you mean 'tomato'?\n")
        )
    }

    @Test(arguments: ["lentil", "LENTIL", "red lentil soup"])
    func `a case can be typed by its value or title`(text: String) throws {
        let (code, output) = try AppProcess.byHand("Soup", "OrderSoup", "--soup", text, "--quantity", "2")
        #expect(code == 0, "\(output)")
        #expect(output.contains("2 × Red lentil soup"), "\(output)")
    }

    @Test func `the help of an intent shows the titles of cases and the descriptions of parameters`() throws {
        let (code, output) = try AppProcess.byHand("Soup", "OrderSoup", "--help")
        #expect(code == 0)
        #expect(output.contains("\n        tomato   Tomato soup\n        lentil   Red lentil soup\n"))
        #expect(output.contains("\n    --quantity INTEGER  Quantity: The number of bowls. (1 to 10, optional)"))
    }

    @Test func `the help shows names for true and false, and a parameter for a time accepts a time`() throws {
        let labels = try AppProcess.byHand("CompileShapes5", "EveryLabel", "--help").output
        #expect(labels.contains("\n    --[no-]a  A (true: on, false: off, default true)\n"))
        let kinds = try AppProcess.byHand("CompileShapes5", "EveryKind", "--help").output
        #expect(kinds.contains("\n    --hour HH:MM  Hour: Any. (optional)\n"))
        #expect(
            try AppProcess.byHand("CompileShapes5", "EveryKind", "--hour", "2026-11-21")
                == (64, "--hour: expected a time, such as 09:30, got '2026-11-21'; for example: --hour 09:30\n")
        )
    }

    @Test func `files can be typed in a list`() throws {
        let path = "/proc/self/status"
        let (code, output) = try AppProcess.byHand("CompileShapes6", "Files", "--files", path, "--files", "/etc/passwd")
        #expect(code == 0)
        #expect(output.hasSuffix("\npasswd\nstatus\n"))
    }
}
