// A file that imports only SwiftUI on Apple's platforms uses names of Foundation and of Observation, too.
@_exported public import Foundation
@_exported public import Observation
