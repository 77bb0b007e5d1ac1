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
        switch ObjectIdentifier(type) {
        case ObjectIdentifier(UnitAcceleration.self):
            [
                .metersPerSecondSquared, .gravity,
            ] as [UnitAcceleration]
        case ObjectIdentifier(UnitAngle.self):
            [
                .degrees, .arcMinutes, .arcSeconds, .radians, .gradians, .revolutions,
            ] as [UnitAngle]
        case ObjectIdentifier(UnitArea.self):
            [
                .squareMegameters, .squareKilometers, .squareMeters, .squareCentimeters,
                .squareMillimeters, .squareMicrometers, .squareNanometers, .squareInches, .squareFeet,
                .squareYards, .squareMiles, .acres, .ares, .hectares,
            ] as [UnitArea]
        case ObjectIdentifier(UnitConcentrationMass.self):
            [
                .gramsPerLiter, .milligramsPerDeciliter,
            ] as [UnitConcentrationMass]
        case ObjectIdentifier(UnitDispersion.self):
            [
                .partsPerMillion
            ] as [UnitDispersion]
        case ObjectIdentifier(UnitDuration.self):
            [
                .seconds, .minutes, .hours, .milliseconds, .microseconds, .nanoseconds, .picoseconds,
            ] as [UnitDuration]
        case ObjectIdentifier(UnitElectricCharge.self):
            [
                .coulombs, .megaampereHours, .kiloampereHours, .ampereHours, .milliampereHours,
                .microampereHours,
            ] as [UnitElectricCharge]
        case ObjectIdentifier(UnitElectricCurrent.self):
            [
                .amperes, .megaamperes, .kiloamperes, .milliamperes, .microamperes,
            ] as [UnitElectricCurrent]
        case ObjectIdentifier(UnitElectricPotentialDifference.self):
            [
                .volts, .megavolts, .kilovolts, .millivolts, .microvolts,
            ] as [UnitElectricPotentialDifference]
        case ObjectIdentifier(UnitElectricResistance.self):
            [
                .ohms, .megaohms, .kiloohms, .milliohms, .microohms,
            ] as [UnitElectricResistance]
        case ObjectIdentifier(UnitEnergy.self):
            [
                .joules, .kilojoules, .kilocalories, .calories, .kilowattHours,
            ] as [UnitEnergy]
        case ObjectIdentifier(UnitFrequency.self):
            [
                .hertz, .terahertz, .gigahertz, .megahertz, .kilohertz, .millihertz, .microhertz,
                .nanohertz,
            ] as [UnitFrequency]
        case ObjectIdentifier(UnitFuelEfficiency.self):
            [
                .litersPer100Kilometers, .milesPerImperialGallon, .milesPerGallon,
            ] as [UnitFuelEfficiency]
        case ObjectIdentifier(UnitIlluminance.self):
            [
                .lux
            ] as [UnitIlluminance]
        case ObjectIdentifier(UnitInformationStorage.self):
            [
                .bytes, .bits, .nibbles, .kilobytes, .megabytes, .gigabytes, .terabytes, .petabytes,
                .kibibytes, .mebibytes, .gibibytes, .tebibytes, .kilobits, .megabits, .gigabits,
                .kibibits, .mebibits, .gibibits,
            ] as [UnitInformationStorage]
        case ObjectIdentifier(UnitLength.self):
            [
                .meters, .megameters, .kilometers, .hectometers, .decameters, .decimeters, .centimeters,
                .millimeters, .micrometers, .nanometers, .picometers, .inches, .feet, .yards, .miles,
                .scandinavianMiles, .lightyears, .nauticalMiles, .fathoms, .furlongs, .astronomicalUnits,
                .parsecs,
            ] as [UnitLength]
        case ObjectIdentifier(UnitMass.self):
            [
                .kilograms, .grams, .decigrams, .centigrams, .milligrams, .micrograms, .nanograms,
                .picograms, .ounces, .pounds, .stones, .metricTons, .shortTons, .carats, .ouncesTroy,
                .slugs,
            ] as [UnitMass]
        case ObjectIdentifier(UnitPower.self):
            [
                .watts, .terawatts, .gigawatts, .megawatts, .kilowatts, .milliwatts, .microwatts,
                .nanowatts, .picowatts, .femtowatts, .horsepower,
            ] as [UnitPower]
        case ObjectIdentifier(UnitPressure.self):
            [
                .newtonsPerMetersSquared, .gigapascals, .megapascals, .kilopascals, .hectopascals,
                .inchesOfMercury, .bars, .millibars, .millimetersOfMercury, .poundsForcePerSquareInch,
            ] as [UnitPressure]
        case ObjectIdentifier(UnitSpeed.self):
            [
                .metersPerSecond, .kilometersPerHour, .milesPerHour, .knots,
            ] as [UnitSpeed]
        case ObjectIdentifier(UnitTemperature.self):
            [
                .kelvin, .celsius, .fahrenheit,
            ] as [UnitTemperature]
        case ObjectIdentifier(UnitVolume.self):
            [
                .liters, .megaliters, .kiloliters, .deciliters, .centiliters, .milliliters,
                .cubicKilometers, .cubicMeters, .cubicDecimeters, .cubicCentimeters, .cubicMillimeters,
                .cubicInches, .cubicFeet, .cubicYards, .cubicMiles, .acreFeet, .bushels, .teaspoons,
                .tablespoons, .fluidOunces, .cups, .pints, .quarts, .gallons, .imperialTeaspoons,
                .imperialTablespoons, .imperialFluidOunces, .imperialPints, .imperialQuarts,
                .imperialGallons, .metricCups,
            ] as [UnitVolume]
        default: [type.baseUnit()]
        }
    }
}
