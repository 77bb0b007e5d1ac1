// Re-exports the messages of workers, for targets that import only this module.
@_exported import IntentWorkerMessages
