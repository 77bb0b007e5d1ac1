public import AppIntents
import Foundation

/// A description of a place, such as its address.
///
/// Callers send and receive a placemark as an object, with a member for each known property. Linux has no geocoder, so
/// ``location`` is nil if a caller sends only an address.
///
/// Source: Apple's CLPlacemark page.
public final class CLPlacemark: Sendable, Codable {
    /// The location; nil if only the address is known.
    public let location: CLLocation?
    /// The name of the place, such as the name of a building.
    public let name: String?
    /// The name of the street.
    public let thoroughfare: String?
    /// The house number.
    public let subThoroughfare: String?
    /// The city.
    public let locality: String?
    /// The part of the city.
    public let subLocality: String?
    /// The state or province.
    public let administrativeArea: String?
    /// The county.
    public let subAdministrativeArea: String?
    /// The postal code.
    public let postalCode: String?
    /// The ISO 3166 code of the country.
    public let isoCountryCode: String?
    /// The name of the country.
    public let country: String?
    /// The name of a lake or other inland body of water.
    public let inlandWater: String?
    /// The name of the ocean.
    public let ocean: String?
    /// The names of landmarks at the place.
    public let areasOfInterest: [String]?
    /// The identifier of the time zone, such as `Europe/Berlin`.
    private let timeZoneName: String?

    /// The time zone; nil if unknown.
    public var timeZone: TimeZone? { timeZoneName.flatMap(TimeZone.init(identifier:)) }

    /// Creates a copy of a placemark.
    public convenience init(placemark: CLPlacemark) {
        self.init(
            location: placemark.location,
            name: placemark.name,
            thoroughfare: placemark.thoroughfare,
            subThoroughfare: placemark.subThoroughfare,
            locality: placemark.locality,
            subLocality: placemark.subLocality,
            administrativeArea: placemark.administrativeArea,
            subAdministrativeArea: placemark.subAdministrativeArea,
            postalCode: placemark.postalCode,
            isoCountryCode: placemark.isoCountryCode,
            country: placemark.country,
            inlandWater: placemark.inlandWater,
            ocean: placemark.ocean,
            areasOfInterest: placemark.areasOfInterest,
            timeZone: placemark.timeZone
        )
    }

    /// Creates a placemark from its known properties. Specific to Linux: Apple's geocoder creates placemarks itself.
    public init(
        location: CLLocation? = nil,
        name: String? = nil,
        thoroughfare: String? = nil,
        subThoroughfare: String? = nil,
        locality: String? = nil,
        subLocality: String? = nil,
        administrativeArea: String? = nil,
        subAdministrativeArea: String? = nil,
        postalCode: String? = nil,
        isoCountryCode: String? = nil,
        country: String? = nil,
        inlandWater: String? = nil,
        ocean: String? = nil,
        areasOfInterest: [String]? = nil,
        timeZone: TimeZone? = nil
    ) {
        self.location = location
        self.name = name
        self.thoroughfare = thoroughfare
        self.subThoroughfare = subThoroughfare
        self.locality = locality
        self.subLocality = subLocality
        self.administrativeArea = administrativeArea
        self.subAdministrativeArea = subAdministrativeArea
        self.postalCode = postalCode
        self.isoCountryCode = isoCountryCode
        self.country = country
        self.inlandWater = inlandWater
        self.ocean = ocean
        self.areasOfInterest = areasOfInterest
        timeZoneName = timeZone?.identifier
    }

    private enum CodingKeys: String, CodingKey {
        case location, name, thoroughfare, subThoroughfare, locality, subLocality, administrativeArea
        case subAdministrativeArea, postalCode, isoCountryCode, country, inlandWater, ocean, areasOfInterest
        case timeZoneName = "timeZone"
    }
}

/// A placemark is sent as an object with a member for each known property.
extension CLPlacemark: _IntentValue {}
