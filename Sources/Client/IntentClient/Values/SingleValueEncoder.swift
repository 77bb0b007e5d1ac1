/// Encodes one scalar into the slot of an encoder.
struct SingleValueEncoder: SingleValueEncodingContainer {
    let encoder: IntentValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() { set(.null) }
    func encode(_ value: Bool) { set(.bool(value)) }
    func encode(_ value: String) { set(.string(value)) }
    func encode(_ value: Double) throws { set(.double(try finite(value))) }
    func encode(_ value: Float) throws { set(.double(try finite(Double(value)))) }
    func encode(_ value: Int) throws { set(.int(try whole(value))) }
    func encode(_ value: Int8) throws { set(.int(try whole(value))) }
    func encode(_ value: Int16) throws { set(.int(try whole(value))) }
    func encode(_ value: Int32) throws { set(.int(try whole(value))) }
    func encode(_ value: Int64) throws { set(.int(try whole(value))) }
    func encode(_ value: UInt) throws { set(.int(try whole(value))) }
    func encode(_ value: UInt8) throws { set(.int(try whole(value))) }
    func encode(_ value: UInt16) throws { set(.int(try whole(value))) }
    func encode(_ value: UInt32) throws { set(.int(try whole(value))) }
    func encode(_ value: UInt64) throws { set(.int(try whole(value))) }
    func encode(_ value: some Encodable) throws { try encoder.encode(value) }

    private func set(_ value: IntentValue) { encoder.slot.set(value) }

    private func whole(_ number: some BinaryInteger) throws -> Int64 {
        guard let number = Int64(exactly: number) else {
            throw encoder.problem(number, "expected a number of at most \(Int64.max), got \(number)")
        }
        return number
    }

    private func finite(_ number: Double) throws -> Double {
        guard number.isFinite else { throw encoder.problem(number, "expected a finite number, got \(number)") }
        return number
    }
}
