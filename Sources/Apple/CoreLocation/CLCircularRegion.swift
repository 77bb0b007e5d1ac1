public import AppIntents

/// An area with an identifier. ``CLCircularRegion`` is the only kind of area on Linux.
///
/// Source: Apple's CLRegion page.
public class CLRegion {
    /// The identifier that the app chose.
    public let identifier: String

    init(identifier: String) {
        self.identifier = identifier
    }
}

/// A circle around a coordinate.
///
/// Source: Apple's CLCircularRegion page.
public final class CLCircularRegion: CLRegion {
    /// The centre of the circle.
    public let center: CLLocationCoordinate2D
    /// The radius in metres.
    public let radius: CLLocationDistance

    /// Creates a circle.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
        self.center = center
        self.radius = radius
        super.init(identifier: identifier)
    }

    /// Returns true if the coordinate is in the circle.
    public func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
        let location = CLLocation(latitude: coordinate.latitude, longitude: coordinate.longitude)
        return location.distance(from: CLLocation(latitude: center.latitude, longitude: center.longitude)) <= radius
    }
}

extension RelevantContext {
    /// Returns the context in a region. Ignored on Linux.
    public static func location(_ region: CLRegion) -> RelevantContext {
        guard let circle = region as? CLCircularRegion else {
            preconditionFailure("every region is a CLCircularRegion, because no other class inherits from CLRegion")
        }
        return _location(latitude: circle.center.latitude, longitude: circle.center.longitude, radius: circle.radius)
    }
}
