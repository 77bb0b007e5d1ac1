// The types of the client protocol are part of this library's API.
@_exported import IntentProtocol
