import Foundation

/// Why a dependency of an intent has no value.
enum DependencyError: LocalizedError, Equatable {
    case missing(type: String, intent: String)

    static let remedy = "Register it in the app's init(): AppDependencyManager.shared.add(dependency: …)"

    var errorDescription: String? {
        switch self {
        case .missing(let type, let intent):
            "the intent '\(intent)' has a dependency of type \(type), which is not registered. \(Self.remedy)"
        }
    }
}
