// Source files for Apple's platforms import this module for UTType, which AppIntents provides as well.
@_exported public import IntentContentTypes
