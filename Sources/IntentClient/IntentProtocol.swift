// The API of this library uses the types of the client protocol, so this module re-exports them.
@_exported import IntentProtocol
