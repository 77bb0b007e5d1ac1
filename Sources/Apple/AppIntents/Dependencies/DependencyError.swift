import Foundation

/// The error thrown when an intent's dependency has no value.
struct DependencyError: LocalizedError, Equatable {
    let type: String
    let intent: String

    static let remedy = "Register it in the app's init() with AppDependencyManager.shared.add(dependency: …)"

    var errorDescription: String? {
        "cannot perform '\(intent)': its dependency of type \(type) is not registered. \(Self.remedy)"
    }
}
