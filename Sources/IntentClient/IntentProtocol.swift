// What clients and intentd say to each other is part of this library.
@_exported import IntentProtocol
