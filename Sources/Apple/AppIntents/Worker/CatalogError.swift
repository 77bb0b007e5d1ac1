/// The error for an app that has no valid catalogue.
package enum CatalogError: Error, Equatable {
    case sameName(String, types: [String])
    case reflectionOff(intent: String, flag: String)
    case unknownSecret(intent: String, parameter: String)
}

extension CatalogError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .sameName(let name, let types):
            """
            \(types.count) intents have the name '\(name)' (\(types.joined(separator: ", "))). \
            Give each its own 'static let persistentIdentifier'.
            """
        case .reflectionOff(let intent, let flag):
            "cannot find the parameters of '\(intent)': the app was compiled with '\(flag)'. Compile without it."
        case .unknownSecret(let intent, let parameter):
            """
            'secretParameters' of '\(intent)' names an unknown parameter '\(parameter)'. \
            Use the name of a property.
            """
        }
    }
}
