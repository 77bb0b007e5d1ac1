import AppIntents
import Foundation
import WidgetKit

/// A store that refreshes widgets after a change, in a file without views.
@MainActor final class HabitShelf {
    static let shared = HabitShelf()
    private let defaults = UserDefaults(suiteName: "group.com.example.habits") ?? .standard

    var names: [String] {
        get { defaults.stringArray(forKey: "names") ?? [] }
        set {
            defaults.set(newValue, forKey: "names")
            WidgetCenter.shared.reloadAllTimelines()
            WidgetCenter.shared.reloadTimelines(ofKind: "HabitWidget")
            ControlCenter.shared.reloadAllControls()
        }
    }
}

struct AddHabit: AppIntent {
    static var title: LocalizedStringResource = "Add Habit"
    @Parameter(title: "Name") var name: String

    @MainActor func perform() async throws -> some IntentResult & ProvidesDialog {
        HabitShelf.shared.names.append(name)
        return .result(dialog: "Now tracking \(name).")
    }
}
