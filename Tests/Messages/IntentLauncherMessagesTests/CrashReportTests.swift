import IntentSharedTypes
import Testing

@Suite struct CrashReportTests {
    private func report(
        signal: Int32 = 11,
        thread: String = "run",
        frames: [CrashReport.Frame] = [CrashReport.Frame(image: 0, address: CrashReport.Address(rawValue: 1))],
        images: [CrashReport.Image] = [CrashReport.Image(path: "", buildID: "0a1b")],
        memory: CrashReport.Memory? = nil
    ) -> CrashReport {
        CrashReport(signal: signal, thread: thread, frames: frames, images: images, memory: memory)
    }

    @Test func `a report within the limits is valid`() { #expect(report().problem == nil) }

    @Test func `a report of a hostile worker is refused with the reason`() {
        let long = String(repeating: "x", count: 513)
        let image = CrashReport.Image(path: "", buildID: nil)
        let frame = CrashReport.Frame(image: 0, address: nil)
        let bad: [(CrashReport, String)] = [
            (report(signal: 0), "got 0"),
            (report(signal: 65), "got 65"),
            (report(thread: long), "longer than 512 bytes"),
            (report(images: [CrashReport.Image(path: long, buildID: nil)]), "longer than 512 bytes"),
            (report(frames: Array(repeating: frame, count: 65)), "at most 64 frames"),
            (report(images: Array(repeating: image, count: 33)), "at most 32 images"),
            (report(frames: [CrashReport.Frame(image: 1, address: nil)]), "not in the report"),
            (report(frames: [CrashReport.Frame(image: -1, address: nil)]), "not in the report"),
            (report(images: [CrashReport.Image(path: "", buildID: "/etc")]), "hexadecimal"),
            (report(images: [CrashReport.Image(path: "", buildID: "")]), "hexadecimal"),
            (report(images: [CrashReport.Image(path: "", buildID: String(repeating: "a", count: 65))]), "hexadecimal"),
            (report(memory: CrashReport.Memory(byteCount: -1, limit: 1)), "negative"),
            (report(memory: CrashReport.Memory(byteCount: 1, limit: -1)), "negative"),
        ]
        for (report, reason) in bad { #expect(report.problem?.contains(reason) == true, "\(reason)") }
    }

    @Test(arguments: ["\"40\"", "\"0x\"", "\"0xg\"", "\"0x11223344556677889\"", "64", "\"0x-1\""])
    func `an address in another form is refused`(_ text: String) {
        let json = #"{"code":1,"faultAddress":\#(text),"frames":[],"images":[],"signal":11,"thread":""}"#
        #expect(throws: (any Error).self) { try WireCoding.decode(CrashReport.self, from: Array(json.utf8)) }
    }
}
