// Re-exports the client library, and the syntax of parameters and JSON, which most files of this target use.
@_exported import IntentClient
@_exported import IntentCommandLine
