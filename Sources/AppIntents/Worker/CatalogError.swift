/// Why an app has no catalogue.
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
            \(types.count) intents are called '\(name)' (\(types.joined(separator: ", "))). \
            Give each a 'static let persistentIdentifier' of its own.
            """
        case .reflectionOff(let intent, let flag):
            "the parameters of '\(intent)' cannot be found: the app was compiled with '\(flag)'. Compile without it."
        case .unknownSecret(let intent, let parameter):
            """
            'secretParameters' of '\(intent)' names '\(parameter)', and the intent has no such parameter. \
            Write the name of the property.
            """
        }
    }
}
