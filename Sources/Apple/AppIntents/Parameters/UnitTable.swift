import Foundation

/// The units of Foundation's dimensions. For a dimension that an app defines, the table contains only the base unit.
///
/// Source: Apple's pages about the subclasses of Dimension.
enum UnitTable {
    /// Returns the accepted symbols for each unit: the symbol in Foundation on Linux and, if it differs, Apple's
    /// symbol.
    static func symbols<UnitType: Dimension>(of type: UnitType.Type) -> [(symbol: String, unit: Dimension)] {
        let own = units(of: type).map { ($0.symbol, $0) }
        guard type == UnitDuration.self else { return own }
        let others: [(String, Dimension)] = [
            ("sec", UnitDuration.seconds), ("min", UnitDuration.minutes), ("hr", UnitDuration.hours),
        ]
        return own + others.filter { other in !own.contains { $0.0 == other.0 } }
    }

    static func units<UnitType: Dimension>(of type: UnitType.Type) -> [Dimension] {
        table[ObjectIdentifier(type)]?() ?? [type.baseUnit()]
    }

    private typealias Units = @Sendable () -> [Dimension]

    private static func entry<UnitType: Dimension>(
        _ units: @autoclosure @escaping @Sendable () -> [UnitType]
    ) -> (ObjectIdentifier, Units) {
        (ObjectIdentifier(UnitType.self), units)
    }

    private static let table: [ObjectIdentifier: Units] = Dictionary(uniqueKeysWithValues: [
        entry([UnitAcceleration.metersPerSecondSquared, .gravity]),
        entry([UnitAngle.degrees, .arcMinutes, .arcSeconds, .radians, .gradians, .revolutions]),
        entry([
            UnitArea.squareMegameters, .squareKilometers, .squareMeters, .squareCentimeters, .squareMillimeters,
            .squareMicrometers, .squareNanometers, .squareInches, .squareFeet, .squareYards, .squareMiles, .acres,
            .ares, .hectares,
        ]),
        entry([UnitConcentrationMass.gramsPerLiter, .milligramsPerDeciliter]),
        entry([UnitDispersion.partsPerMillion]),
        entry([UnitDuration.seconds, .minutes, .hours, .milliseconds, .microseconds, .nanoseconds, .picoseconds]),
        entry([
            UnitElectricCharge.coulombs, .megaampereHours, .kiloampereHours, .ampereHours, .milliampereHours,
            .microampereHours,
        ]),
        entry([UnitElectricCurrent.amperes, .megaamperes, .kiloamperes, .milliamperes, .microamperes]),
        entry([UnitElectricPotentialDifference.volts, .megavolts, .kilovolts, .millivolts, .microvolts]),
        entry([UnitElectricResistance.ohms, .megaohms, .kiloohms, .milliohms, .microohms]),
        entry([UnitEnergy.joules, .kilojoules, .kilocalories, .calories, .kilowattHours]),
        entry([
            UnitFrequency.hertz, .terahertz, .gigahertz, .megahertz, .kilohertz, .millihertz, .microhertz, .nanohertz,
        ]),
        entry([UnitFuelEfficiency.litersPer100Kilometers, .milesPerImperialGallon, .milesPerGallon]),
        entry([UnitIlluminance.lux]),
        entry([
            UnitInformationStorage.bytes, .bits, .nibbles, .kilobytes, .megabytes, .gigabytes, .terabytes, .petabytes,
            .kibibytes, .mebibytes, .gibibytes, .tebibytes, .kilobits, .megabits, .gigabits, .kibibits, .mebibits,
            .gibibits,
        ]),
        entry([
            UnitLength.meters, .megameters, .kilometers, .hectometers, .decameters, .decimeters, .centimeters,
            .millimeters, .micrometers, .nanometers, .picometers, .inches, .feet, .yards, .miles, .scandinavianMiles,
            .lightyears, .nauticalMiles, .fathoms, .furlongs, .astronomicalUnits, .parsecs,
        ]),
        entry([
            UnitMass.kilograms, .grams, .decigrams, .centigrams, .milligrams, .micrograms, .nanograms, .picograms,
            .ounces, .pounds, .stones, .metricTons, .shortTons, .carats, .ouncesTroy, .slugs,
        ]),
        entry([
            UnitPower.watts, .terawatts, .gigawatts, .megawatts, .kilowatts, .milliwatts, .microwatts, .nanowatts,
            .picowatts, .femtowatts, .horsepower,
        ]),
        entry([
            UnitPressure.newtonsPerMetersSquared, .gigapascals, .megapascals, .kilopascals, .hectopascals,
            .inchesOfMercury, .bars, .millibars, .millimetersOfMercury, .poundsForcePerSquareInch,
        ]),
        entry([UnitSpeed.metersPerSecond, .kilometersPerHour, .milesPerHour, .knots]),
        entry([UnitTemperature.kelvin, .celsius, .fahrenheit]),
        entry([
            UnitVolume.liters, .megaliters, .kiloliters, .deciliters, .centiliters, .milliliters, .cubicKilometers,
            .cubicMeters, .cubicDecimeters, .cubicCentimeters, .cubicMillimeters, .cubicInches, .cubicFeet,
            .cubicYards, .cubicMiles, .acreFeet, .bushels, .teaspoons, .tablespoons, .fluidOunces, .cups, .pints,
            .quarts, .gallons, .imperialTeaspoons, .imperialTablespoons, .imperialFluidOunces, .imperialPints,
            .imperialQuarts, .imperialGallons, .metricCups,
        ]),
    ])
}
