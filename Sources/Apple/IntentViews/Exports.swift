// Re-export both modules, because source files for Apple's platforms import only SwiftUI, even if they use names from
// Foundation and Observation.
@_exported public import Foundation
@_exported public import Observation
