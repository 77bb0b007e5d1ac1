// Sources written for Apple's platforms import only AppIntents, and use names from Foundation.
@_exported public import Foundation
@_exported public import UniformTypeIdentifiers
