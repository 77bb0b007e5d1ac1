import AppIntents
import Foundation
import Testing

/// Tests the parts of Foundation that queries use but Foundation on Linux lacks.
@Suite struct FoundationGapTests {
    @Test func `a predicate searches a string and ignores case and diacritics`() throws {
        let looking = #Predicate<String> { $0.localizedStandardContains("cafe") }
        #expect(try looking.evaluate("Le Café noir"))
        #expect(try !looking.evaluate("Le thé"))
    }

    @Test func `a pool returns its closure's value, and throws its error`() {
        #expect(autoreleasepool { 3 } == 3)
        #expect(throws: CocoaError.self) { try autoreleasepool { throw CocoaError(.fileNoSuchFile) } }
    }

    @Test func `a measurement is formatted with the number of the locale and the unit's symbol`() {
        let warm = Measurement(value: 1234.567, unit: UnitTemperature.celsius)
        let german = Locale(identifier: "de_DE")
        #expect(warm.formatted(.measurement(width: .abbreviated).locale(german)) == "1.234,57 °C")
        let whole = FloatingPointFormatStyle<Double>().precision(.fractionLength(0))
        let style = Measurement<UnitTemperature>.FormatStyle(
            width: .narrow,
            locale: Locale(identifier: "en_US"),
            usage: .asProvided,
            numberFormatStyle: whole
        )
        #expect(warm.formatted(style) == "1,235°C")
        let length = Measurement(value: 3, unit: UnitLength.kilometers)
        #expect(length.formatted(.measurement(width: .wide, usage: .asProvided)) == "3 km")
        #expect(!warm.formatted().isEmpty)
    }

    @Test func `names are sorted as in a file manager`() {
        let names = ["b10", "B2", "Älg", "Zoo", "apfel"]
        #expect(
            names.sorted(using: KeyPathComparator(\.self, comparator: .localizedStandard))
                == ["Älg", "apfel", "B2", "b10", "Zoo"]
        )
        #expect(
            ["b", "C", "a"].sorted(using: KeyPathComparator(\.self, comparator: .localized, order: .reverse))
                == ["C", "b", "a"]
        )
    }

    @Test func `the names of entities and cases are joined by the rules of the language`() {
        let sizes: [Size] = [.small, .large, .huge]
        let english = Locale(identifier: "en_US")
        #expect(NameListFormatStyle<[Size]>.list(type: .and).locale(english).format(sizes) == "Small, Large, and Huge")
        #expect(NameListFormatStyle<[Size]>.list(type: .or).locale(english).format([.small]) == "Small")
        #expect(
            NameListFormatStyle<[Size]>.list(type: .or).locale(Locale(identifier: "de")).format(sizes)
                == "Small, Large oder Huge"
        )
        #expect(
            String(localized: "Sizes: \(sizes, format: .list(type: .and))", locale: english)
                .hasPrefix("Sizes: Small")
        )
    }
}

private enum Size: String, AppEnum {
    case small, large, huge

    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Size"
    static let caseDisplayRepresentations: [Size: DisplayRepresentation] = [
        .small: "Small", .large: "Large", .huge: "Huge",
    ]
}
