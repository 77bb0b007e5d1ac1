import IntentLinux
import Testing

@Suite struct PressureStallTests {
    @Test func `the percentage of the last ten seconds is read from the kernel's lines`() {
        let text = """
            some avg10=1.50 avg60=0.60 avg300=0.10 total=12345
            full avg10=0.25 avg60=0.00 avg300=0.00 total=99
            """
        #expect(PressureStall.lastTenSeconds(.some, in: text) == 1.5)
        #expect(PressureStall.lastTenSeconds(.full, in: text) == 0.25)
    }

    @Test(arguments: ["", "some", "some avg10=", "some avg10=x", "some avg60=1.0", "full avg10=1.0"])
    func `an invalid line has no percentage`(_ text: String) {
        #expect(PressureStall.lastTenSeconds(.some, in: text) == nil)
    }

    @Test func `the lines of this kernel are read, if it has any`() throws {
        guard let text = try? File.text(at: "/proc/pressure/cpu") else { return }
        #expect(PressureStall.lastTenSeconds(.some, in: text) != nil)
        #expect(PressureStall.lastTenSeconds(.processor, .some) != nil)
    }
}
