// The types that clients and intentd share, for the targets that still import them from here.
@_exported import IntentProtocol
