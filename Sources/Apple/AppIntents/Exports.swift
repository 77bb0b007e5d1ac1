// Re-exported, because source files for Apple's platforms import only AppIntents, even if they use names from
// Foundation.
@_exported public import Foundation
@_exported public import IntentContentTypes
