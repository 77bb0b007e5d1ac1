// This library's API uses the client protocol's types, so this module re-exports them.
@_exported import IntentProtocol
