public import Foundation

/// An angle in degrees.
public typealias CLLocationDegrees = Double
/// A length in metres.
public typealias CLLocationDistance = Double
/// A radius of uncertainty in metres; negative if unknown.
public typealias CLLocationAccuracy = Double
/// A speed in metres per second; negative if unknown.
public typealias CLLocationSpeed = Double
/// A direction in degrees clockwise from north; negative if unknown.
public typealias CLLocationDirection = Double

/// A geographic coordinate in the WGS 84 reference frame.
///
/// Source: Apple's CLLocationCoordinate2D page.
public struct CLLocationCoordinate2D: Sendable, Codable {
    /// The latitude in degrees. Positive values are north of the equator.
    public var latitude: CLLocationDegrees
    /// The longitude in degrees. Positive values are east of the zero meridian.
    public var longitude: CLLocationDegrees

    /// Creates a coordinate at latitude 0 and longitude 0.
    public init() {
        self.init(latitude: 0, longitude: 0)
    }

    /// Creates a coordinate without checking it. ``CLLocationCoordinate2DIsValid(_:)`` checks a coordinate.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// An invalid coordinate.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Creates a coordinate without checking it.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees,
    _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Returns true if the latitude is from -90 to 90 and the longitude from -180 to 180 degrees.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
    (-90...90).contains(coordinate.latitude) && (-180...180).contains(coordinate.longitude)
}

/// A measured location with a timestamp.
///
/// Source: Apple's CLLocation page.
public final class CLLocation: Sendable, Codable {
    /// The coordinate of the location.
    public let coordinate: CLLocationCoordinate2D
    /// The altitude above sea level, in metres.
    public let altitude: CLLocationDistance
    /// The uncertainty of the coordinate in metres; negative if the coordinate is invalid.
    public let horizontalAccuracy: CLLocationAccuracy
    /// The uncertainty of the altitude in metres; negative if the altitude is invalid.
    public let verticalAccuracy: CLLocationAccuracy
    /// The direction of travel in degrees; negative if unknown.
    public let course: CLLocationDirection
    /// The speed in metres per second; negative if unknown.
    public let speed: CLLocationSpeed
    /// The time of the measurement.
    public let timestamp: Date

    /// Creates a location with the current time and without a valid altitude.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
            altitude: 0,
            horizontalAccuracy: 0,
            verticalAccuracy: -1,
            timestamp: Date()
        )
    }

    /// Creates a location from measured values. The course and the speed are unknown by default.
    public init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy,
        course: CLLocationDirection = -1,
        speed: CLLocationSpeed = -1,
        timestamp: Date
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.course = course
        self.speed = speed
        self.timestamp = timestamp
    }

    private enum CodingKeys: String, CodingKey {
        case latitude, longitude, altitude, horizontalAccuracy, verticalAccuracy, course, speed, timestamp
    }

    /// Decodes a location. Only the latitude and the longitude are required.
    ///
    /// - Throws: `DecodingError` when a value has the wrong type, or the coordinate is invalid.
    public convenience init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let coordinate = CLLocationCoordinate2D(
            latitude: try values.decode(Double.self, forKey: .latitude),
            longitude: try values.decode(Double.self, forKey: .longitude)
        )
        guard CLLocationCoordinate2DIsValid(coordinate) else {
            throw DecodingError.dataCorruptedError(
                forKey: .latitude,
                in: values,
                debugDescription: "expected a latitude from -90 to 90 and a longitude from -180 to 180"
            )
        }
        let altitude = try values.decodeIfPresent(Double.self, forKey: .altitude)
        self.init(
            coordinate: coordinate,
            altitude: altitude ?? 0,
            horizontalAccuracy: try values.decodeIfPresent(Double.self, forKey: .horizontalAccuracy) ?? 0,
            verticalAccuracy: try values.decodeIfPresent(Double.self, forKey: .verticalAccuracy)
                ?? (altitude == nil ? -1 : 0),
            course: try values.decodeIfPresent(Double.self, forKey: .course) ?? -1,
            speed: try values.decodeIfPresent(Double.self, forKey: .speed) ?? -1,
            timestamp: try values.decodeIfPresent(Date.self, forKey: .timestamp) ?? Date()
        )
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(coordinate.latitude, forKey: .latitude)
        try values.encode(coordinate.longitude, forKey: .longitude)
        try values.encode(altitude, forKey: .altitude)
        try values.encode(horizontalAccuracy, forKey: .horizontalAccuracy)
        try values.encode(verticalAccuracy, forKey: .verticalAccuracy)
        try values.encode(course, forKey: .course)
        try values.encode(speed, forKey: .speed)
        try values.encode(timestamp, forKey: .timestamp)
    }

    /// Returns the distance to another location in metres, on a sphere with the earth's mean radius. Altitudes are
    /// ignored.
    ///
    /// Source: the haversine formula.
    public func distance(from location: CLLocation) -> CLLocationDistance {
        let (first, second) = (coordinate, location.coordinate)
        func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
        let latitude = sin(radians(second.latitude - first.latitude) / 2)
        let longitude = sin(radians(second.longitude - first.longitude) / 2)
        let square =
            latitude * latitude + cos(radians(first.latitude)) * cos(radians(second.latitude)) * longitude * longitude
        return 2 * 6_371_008.8 * asin(min(1, square.squareRoot()))
    }
}
