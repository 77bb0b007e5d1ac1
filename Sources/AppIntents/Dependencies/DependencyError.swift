import Foundation

/// The error thrown when an intent's dependency has no value.
enum DependencyError: LocalizedError, Equatable {
    case missing(type: String, intent: String)

    static let remedy = "Register it in the app's init() with AppDependencyManager.shared.add(dependency: …)"

    var errorDescription: String? {
        switch self {
        case .missing(let type, let intent):
            "cannot perform '\(intent)': its dependency of type \(type) is not registered. \(Self.remedy)"
        }
    }
}
