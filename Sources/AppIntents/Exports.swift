// Apple's sources import AppIntents alone and use Foundation's names.
@_exported public import Foundation
@_exported public import UniformTypeIdentifiers
