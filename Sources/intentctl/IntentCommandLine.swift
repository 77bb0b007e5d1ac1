// Re-exports the syntax of parameters and JSON, which most files of this target use.
@_exported import IntentCommandLine
