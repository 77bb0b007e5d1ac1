// Re-exports the syntax of parameters and JSON, which most files here use.
@_exported import IntentCommandLine
