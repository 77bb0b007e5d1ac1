import IntentConfiguration
import Testing

@Suite struct ByteSizeTests {
    @Test(arguments: [
        ("0", ByteSize.bytes(0)),
        ("4096", .bytes(4096)),
        ("4096B", .bytes(4096)),
        ("3K", .bytes(3072)),
        ("256M", .bytes(268_435_456)),
        ("1.5G", .bytes(1_610_612_736)),
        ("2 T", .bytes(2_199_023_255_552)),
        ("9223372036854775807", .bytes(.max)),
        ("infinity", .infinity),
    ])
    func `sizes have systemd's syntax, with units that are powers of 1024`(_ text: String, _ size: ByteSize) {
        #expect(ByteSize.parse(text) == size)
    }

    @Test(arguments: [
        "", " ", "M", "-1M", "+1M", "1k", "1KB", "1KiB", "1M 2K", "1..5G", "1.G", ".5G", "1.5", "1.5B", "50%", "1e9",
        "0x10", "٣M", "nan", "Infinity", "9223372036854775808", "8388608T", "99999999999999999999.5T",
    ])
    func `an invalid size, or one that is too large, is refused`(_ text: String) {
        #expect(ByteSize.parse(text) == nil)
    }
}
