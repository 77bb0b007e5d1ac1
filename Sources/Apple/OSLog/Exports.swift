// Source files for Apple's platforms import this module for Logger.
@_exported public import IntentLogging
