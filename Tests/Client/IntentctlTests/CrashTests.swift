import IntentClient
import Testing
import intentctl

@Suite struct CrashTests {
    private static let report = CrashReport(
        signal: 11,
        code: 1,
        faultAddress: CrashReport.Address(rawValue: 0x40),
        thread: "run",
        frames: [
            CrashReport.Frame(image: 1, address: CrashReport.Address(rawValue: 0x10)),
            CrashReport.Frame(image: 0, address: CrashReport.Address(rawValue: 0x20)),
            CrashReport.Frame(image: nil, address: nil),
        ],
        images: [
            CrashReport.Image(path: "", buildID: "0a0b"),
            CrashReport.Image(path: "/lib/libc.so.6", buildID: "cc"),
        ],
        message: "Fatal error: no address"
    )

    @Test func `the output of llvm-symbolizer and addr2line becomes calls, the innermost inlined call first`() {
        let text = """
            0x20
            $s4Shop5innerySiyF
            /src/Shop.swift:12:5
            $s4Shop5outerySiyF
            /src/a:b.swift:7 (discriminator 2)
            0x0000000000000030
            swift_retain
            ??:0
            0x40
            ??
            ??:?
            0x50
            $s4Shop4thunkyyF
            //<compiler-generated>:0

            """
        #expect(
            SymbolizerOutput.calls(in: text) == [
                0x20: [
                    SourceCall(function: "$s4Shop5innerySiyF", file: "/src/Shop.swift", line: 12),
                    SourceCall(function: "$s4Shop5outerySiyF", file: "/src/a:b.swift", line: 7),
                ],
                0x30: [SourceCall(function: "swift_retain")],
                0x40: [SourceCall(function: nil)],
                0x50: [SourceCall(function: "$s4Shop4thunkyyF")],
            ]
        )
    }

    @Test(arguments: [
        ("$s4Shop5OrderV7performSiyYaKF", "", true),
        ("main", "", true),
        ("$sSaySiGTg5", "", false),
        ("$ss17_assertionFailure__4file4line5flagss5NeverOs12StaticStringV_SSAISus6UInt32VtFTf4nnncn_n", "", false),
        ("$s10AppIntents0A6IntentPAAE3runyyYaF", "", false),
        ("swift_job_run", "", false),
        ("_ZN5swift10fatalErrorEjPKcz", "", false),
        ("intentd_attend", "", false),
        ("$s4Shop5OrderV0A4SendAA4SendP4sendyyFTW", "protocol witness for Shop.Send.send() -> () in Shop", false),
        ("$sSS4ShopE4sendSiyF", "(extension in Shop):Swift.String.send() -> Swift.Int", true),
        ("$sSS10FoundationE4dataSiyF", "(extension in Foundation):Swift.String.data() -> Swift.Int", false),
        ("$s4Shop4sendyyFTf", "specialization <closure in (extension in Foundation):X> of Shop.send() -> ()", true),
    ])
    func `the app's own calls are distinguished from libraries in its executable`(
        _ name: String,
        _ readable: String,
        _ isOfApp: Bool
    ) {
        #expect(SourceCall.isOfApp(mangled: name, readable: readable) == isOfApp)
    }

    @Test func `a name is shown without the parts that every continuation has`() {
        #expect(
            SourceCall.shortened("(3) await resume partial function for Shop.send(Swift.Int) async -> Swift.String")
                == "Shop.send(Int) async -> String"
        )
        #expect(
            SourceCall.shortened("Shop.Order.(send in _A7621CF5049B72A309874994ECE3F9DE)() -> Swift.Int")
                == "Shop.Order.send() -> Int"
        )
    }

    @Test func `the message and the app's own calls are shown first`() {
        var crash = SymbolizedCrash(Self.report, executable: "/apps/Shop")
        crash.named.calls[1] = [
            NamedCalls.Call(source: SourceCall(function: "swift_retain"), isOfApp: false),
            NamedCalls.Call(
                source: SourceCall(function: "Shop.send()", file: "/src/Shop.swift", line: 12),
                isOfApp: true
            ),
        ]
        let rows = crash.rows
        #expect(rows.prefix(3).map(\.0) == ["message", "crash", "at"])
        #expect(rows[0].1 == "Fatal error: no address")
        #expect(rows[1].1 == "signal 11 (SIGSEGV), access to 0x40, thread 'run'")
        #expect(rows[2].1 == "Shop.send(), /src/Shop.swift:12")
        #expect(rows.contains { $0.1 == "0x10 in /lib/libc.so.6 (build ID cc)" })
        #expect(!rows.contains { $0.1.contains("llvm-symbolizer") })
    }

    @Test func `without names, the addresses, the build ID and the command that names them are shown`() {
        let rows = SymbolizedCrash(Self.report, executable: "/apps/Shop").rows
        #expect(rows.contains { $0.1 == "0x20 in /apps/Shop (build ID 0a0b)" })
        #expect(rows.last?.1 == "llvm-symbolizer -e /apps/Shop 0x20 | swift demangle")
        #expect(
            SymbolizedCrash(Self.report, executable: "/my apps/Shop").rows.last?.1
                == "llvm-symbolizer -e '/my apps/Shop' 0x20 | swift demangle"
        )
    }

    @Test func `the cause of a trap in the debug information is the message of a trap that printed none`() {
        var report = Self.report
        report.message = nil
        var crash = SymbolizedCrash(report, executable: "/apps/Shop")
        #expect(crash.rows.first?.0 == "crash")
        crash.named.trapCause = "Index out of range"
        #expect(crash.rows.first?.1 == "Fatal error: Index out of range")
        crash = SymbolizedCrash(Self.report, executable: "/apps/Shop")
        crash.named.trapCause = "Index out of range"
        #expect(crash.rows.first?.1 == "Fatal error: no address")
    }

    @Test func `the private memory at the crash is shown with its limit`() {
        var report = Self.report
        report.memory = CrashReport.Memory(byteCount: 199 << 20, limit: 200 << 20)
        let row = SymbolizedCrash(report, executable: "/apps/Shop").rows.first { $0.0 == "memory" }
        #expect(row?.1 == "199 MiB of 200 MiB of private memory (MemoryMax=) at the crash")
    }
}
