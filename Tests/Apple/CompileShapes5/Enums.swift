import AppIntents

enum Roast: Int, AppEnum, CaseIterable {
    case light = 1
    case dark = 2

    static var typeDisplayRepresentation: TypeDisplayRepresentation = "Roast"
    static var caseDisplayRepresentations: [Roast: DisplayRepresentation] = [
        .light: .init(title: "Light", image: .init(systemName: "sun.max")),
        .dark: DisplayRepresentation(
            title: "Dark",
            subtitle: "Bitter",
            image: DisplayRepresentation.Image(systemName: "moon", isTemplate: true),
            synonyms: ["black", "espresso"]
        ),
    ]
}

public enum Cup: String, Codable, Sendable {
    case small, large, veryLarge
}

extension Cup: AppEnum {
    public static var typeDisplayRepresentation: TypeDisplayRepresentation {
        TypeDisplayRepresentation(
            name: LocalizedStringResource("Cup", table: "AppIntents"),
            numericFormat: "\(placeholder: .int) cups"
        )
    }

    public static var caseDisplayRepresentations: [Cup: DisplayRepresentation] {
        [.small: "Small", .large: "\(1) litre"]
    }
}
