public import Foundation
import IntentSharedTypes

/// A measurement is sent as a string that contains a number and its unit: `5 km`.
extension Measurement: _IntentValue where UnitType: Dimension {
    public static var _intentValueCoding: _IntentValueCoding<Measurement<UnitType>> {
        _IntentValueCoding(.measurement(units: UnitTable.symbols(of: UnitType.self).map(\.symbol))) { value, _ in
            guard value.value.isFinite else { throw InvalidValue("is not a finite number") }
            return .string("\(value.value) \(value.unit.symbol)")
        } decode: { value, _ in
            guard case .string(let text) = value else { return nil }
            let parts = text.split(scalar: " ", maxSplits: 1).map(String.init)
            guard let number = parts.first.flatMap(Double.init) else { return nil }
            guard parts.count == 2 else { return Measurement(value: number, unit: UnitType.baseUnit()) }
            let units = UnitTable.symbols(of: UnitType.self)
            guard let unit = units.first(where: { $0.symbol == parts[1] })?.unit as? UnitType else {
                let symbols = units.map(\.symbol).joined(separator: ", ")
                throw InvalidValue("expects one of the units \(symbols), got '\(WireCoding.excerpt(parts[1]))'")
            }
            return Measurement(value: number, unit: unit)
        }
    }
}
