import AppIntents
import CoreSpotlight
import SwiftUI

// What Apple's SDK 27.3, a beta, adds to entities.

struct Contact: AppEntity, SnippetRepresentableEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Contact"
    static let defaultQuery = ContactQuery()

    let id: Int
    @Property(title: "Name") var name: String
    @Property(title: "Phone", description: "With the country code", authenticationPolicy: .requiresAuthentication)
    var phone: String
    @Property(title: "Tax ID", visibility: .internal) var taxID: String
    @ComputedProperty(title: "Card", authenticationPolicy: .requiresLocalDeviceAuthentication)
    var card: String { "4000 \(id)" }
    @DeferredProperty(title: "Place", authenticationPolicy: .requiresAuthentication)
    var place: String { get async throws { "Rome" } }
    @ComputedProperty(title: "Note", visibility: .default, indexingKey: \.contentDescription)
    var note: String? { "plain" }

    init(_ id: Int, _ name: String) {
        self.id = id
        self.name = name
        phone = "+39 \(id)"
        taxID = "secret \(id)"
    }

    var displayRepresentation: DisplayRepresentation { "\(name)" }

    static var snippet: some EntitySnippetContent<Self> {
        CardSnippet(supportedFamilies: [.standard]) { contact, context in
            if context.family == .standard { Text("Card of \(contact.name)") }
        }
    }

    static let all = [Contact(1, "Ada"), Contact(2, "Grace")]
}

struct ContactQuery: EntityPropertyQuery {
    static let sortingOptions = SortingOptions {
        SortableBy(\Contact.$name)
        SortableBy(\Contact.$taxID)
    }

    static let properties = QueryProperties {
        Property(\Contact.$name) { EqualToComparator { name in { $0.name == name } } }
        Property(\Contact.$phone) { EqualToComparator { phone in { $0.phone == phone } } }
        Property(\Contact.$taxID) { EqualToComparator { id in { $0.taxID == id } } }
        Property(\Contact.$card) { EqualToComparator { card in { $0.card == card } } }
    }

    func entities(for identifiers: [Int]) async throws -> [Contact] {
        Contact.all.filter { identifiers.contains($0.id) }
    }

    func suggestedEntities() async throws -> [Contact] { Contact.all }

    func entities(
        matching comparators: [@Sendable (Contact) -> Bool],
        mode: ComparatorMode,
        sortedBy: [Sort<Contact>],
        limit: Int?
    ) async throws -> [Contact] {
        Contact.all.filter { contact in comparators.allSatisfy { $0(contact) } }
    }
}

struct ReadContact: AppIntent {
    static let title: LocalizedStringResource = "Read a contact"
    @Parameter(title: "Contact") var contact: Contact
    func perform() async throws -> some IntentResult & ReturnsValue<Contact> { .result(value: contact) }
}

struct Vault: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Vault"
    static let defaultQuery = VaultQuery()
    static let authenticationPolicy = IntentAuthenticationPolicy.requiresAuthentication

    let id: String
    @Property(title: "Content") var content: String
    var displayRepresentation: DisplayRepresentation { "Vault of \(content)" }

    init(_ id: String, content: String) {
        self.id = id
        self.content = content
    }
}

struct VaultQuery: EntityQuery {
    func entities(for identifiers: [String]) async throws -> [Vault] { identifiers.map { Vault($0, content: "gold") } }
    func suggestedEntities() async throws -> [Vault] { [Vault("1", content: "gold")] }
}

struct ReadVault: AppIntent {
    static let title: LocalizedStringResource = "Read a vault"
    @Parameter(title: "Vault") var vault: Vault?

    func perform() async throws -> some IntentResult & ReturnsValue<Vault> {
        .result(value: vault ?? Vault("9", content: "gold"))
    }
}

@AppEntity(.generable)
struct Trip: TransientAppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Trip"
    @Property(title: "City", description: "The city to visit") var city: String
    @Property(title: "Days", description: "How long the trip is") var days: Int?
    @Property(title: "Price", visibility: .internal) var price: Int
    var displayRepresentation: DisplayRepresentation { "\(city)" }

    init() { price = 100 }
}

@AppEntity([.generable], schema: .journal.entry)
struct Draft: TransientAppEntity {
    var message: String
    var displayRepresentation: DisplayRepresentation { "\(message)" }
}

struct PlanTrip: AppIntent {
    static let title: LocalizedStringResource = "Plan a trip"
    @Parameter(title: "Trip") var trip: Trip
    @Parameter(title: "Draft") var draft: Draft?

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        .result(value: "\(trip.city) \(trip.days ?? 1) \(trip.price) \(draft?.message ?? "-")")
    }
}

struct Rename: AppIntent {
    static let title: LocalizedStringResource = "Rename"

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        try await requestConfirmation(conditions: .lowConfidenceSource, dialog: "Really?")
        try await requestConfirmation(conditions: [.lowConfidenceSource]) { Text("Really?") }
        return .result(value: "renamed")
    }
}
