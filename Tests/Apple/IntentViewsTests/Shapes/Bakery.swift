// Views of a bakery's app, as a source file for Apple's platforms declares them.
import AppIntents
import SwiftUI

struct BakeBread: AppIntent {
    static let title: LocalizedStringResource = "Bake bread"
    @Parameter(title: "Loaf") var loaf: LoafEntity
    @Parameter(title: "Count", default: 1) var count: Int
    @Parameter(title: "Note") var note: String?

    init() {}

    init(loaf: LoafEntity, count: Int = 1) {
        self.loaf = loaf
        self.count = count
    }

    func perform() async throws -> some IntentResult { .result() }
}

struct LightOven: SetValueIntent {
    static let title: LocalizedStringResource = "Light the oven"
    @Parameter(title: "Lit") var value: Bool

    func perform() async throws -> some IntentResult { .result() }
}

struct HeatOven: AppIntent {
    static let title: LocalizedStringResource = "Heat the oven"
    @Parameter(title: "Degrees") var degrees: Int
    @Parameter(title: "Until") var until: Date?

    init() {}

    init(degrees: Int) {
        self.degrees = degrees
    }

    func perform() async throws -> some IntentResult { .result() }
}

struct PrintRecipe: AppIntent {
    static let title: LocalizedStringResource = "Print a recipe"
    @Parameter(title: "Recipe") var recipe: IntentFile

    init() {}

    init(recipe: IntentFile) {
        self.recipe = recipe
    }

    func perform() async throws -> some IntentResult { .result() }
}

struct LoafEntity: AppEntity, Identifiable {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Loaf"
    static let defaultQuery = LoafQuery()
    let id: String
    var name: String { id.capitalized }
    var displayRepresentation: DisplayRepresentation { "\(name)" }
}

struct LoafQuery: EntityQuery {
    func entities(for identifiers: [String]) async throws -> [LoafEntity] { identifiers.map { LoafEntity(id: $0) } }
}

struct LoafRow: View {
    let loaf: LoafEntity
    var isWarm = false

    var body: some View {
        HStack(spacing: 12) {
            Image(systemName: isWarm ? "flame.fill" : "circle")
                .resizable()
                .scaledToFit()
                .frame(width: 24, height: 24)
                .foregroundStyle(isWarm ? .orange : .secondary)
            VStack(alignment: .leading) {
                Text(loaf.name).font(.headline)
                if isWarm {
                    Text("Still warm")
                        .font(.caption)
                        .foregroundStyle(.secondary)
                }
            }
            Spacer()
            Button("Bake", intent: BakeBread(loaf: loaf))
                .buttonStyle(.borderedProminent)
                .tint(.orange)
        }
        .padding()
        .background(Color.yellow.opacity(0.2))
        .clipShape(RoundedRectangle(cornerRadius: 12, style: .continuous))
    }
}

struct BakeryView: View {
    @State private var isOpen = true
    @Environment(\.dynamicTypeSize) private var size
    let loaves: [LoafEntity]

    private var header: some View {
        Label("Bakery", systemImage: "storefront").font(.title2.bold())
    }

    var body: some View {
        VStack(alignment: .leading, spacing: 8) {
            header
            Divider()
            if loaves.isEmpty {
                ContentUnavailableView("Sold out", systemImage: "basket", description: Text("Come back tomorrow."))
            } else {
                ForEach(loaves) { loaf in
                    LoafRow(loaf: loaf, isWarm: loaf.id == "rye")
                }
            }
            switch size {
            case .accessibility1...: Text("Large")
            default: EmptyView()
            }
            Toggle(isOn: isOpen, intent: LightOven()) { Text("Oven") }
        }
        .padding(.horizontal)
    }
}

struct Card: ViewModifier {
    var color = Color.gray

    func body(content: Content) -> some View {
        content
            .padding()
            .background(color, in: RoundedRectangle(cornerRadius: 8))
    }
}

extension View {
    func card(_ color: Color = .gray) -> some View { modifier(Card(color: color)) }
}

/// A view that contains itself.
struct Mirrors: View {
    var body: some View { AnyView(Mirrors()) }
}

/// A view that contains itself twice, and nothing else.
struct Branches: View {
    var body: some View {
        AnyView(Branches())
        AnyView(Branches())
    }
}

/// A view with an element for each level.
struct Boxes: View {
    let count: Int

    var body: some View {
        VStack { if count > 0 { AnyView(Boxes(count: count - 1)) } else { Text("Bottom") } }
    }
}

@Observable final class Till {
    var total = 12
}

struct TillView: View {
    @Environment(Till.self) private var till
    @Environment(Till.self) private var other: Till?

    var body: some View { Text("Total: \(till.total)").bold(other != nil) }
}

private struct CounterKey: EnvironmentKey {
    static let defaultValue = "Front"
}

extension EnvironmentValues {
    var counter: String {
        get { self[CounterKey.self] }
        set { self[CounterKey.self] = newValue }
    }
}

struct CounterView: View {
    @Environment(\.counter) var counter
    @Environment(\.isEnabled) var isEnabled

    var body: some View { Text("\(counter)\(isEnabled ? "" : ", closed")") }
}
