import AppIntents
import SwiftUICore
import WidgetKit

struct WaterPlant: AppIntent {
    static var title: LocalizedStringResource = "Water the plant"

    func perform() async throws -> some IntentResult & ShowsSnippetView {
        WidgetCenter.shared.reloadAllTimelines()
        WidgetCenter.shared.reloadTimelines(ofKind: "plant")
        ControlCenter.shared.reloadControls(ofKind: "plant")
        let placed = try await WidgetCenter.shared.currentConfigurations()
        return .result(view: PlantView(count: placed.count))
    }
}

struct PlantView: View {
    var count: Int

    var body: some View {
        VStack {
            Text("\(count) widgets")
            SiriTipView(intent: WaterPlant()).siriTipViewStyle(.dark)
            SiriTipView(intent: WaterPlant(), isVisible: .constant(false))
            ShortcutsLink().shortcutsLinkStyle(.automatic)
        }
    }
}
