import AppIntents
import SwiftUI

extension ViewShape {
    static let layouts: [ViewShape] = [
        ViewShape("several views become a stack", "vertical\n  'A'\n  'B'") {
            Text("A")
            Text("B")
        },
        ViewShape("a stack", "vertical at:leading\n  'A'\n  divider\n  'B'") {
            VStack(alignment: .leading, spacing: 4) {
                Text("A")
                Divider()
                Text("B")
            }
        },
        ViewShape(
            "stacks in stacks",
            "horizontal\n  depth at:trailing\n    'A'\n    'B'\n  spacer\n  vertical\n    'C'"
        ) {
            HStack(alignment: .top) {
                ZStack(alignment: .bottomTrailing) {
                    Text("A")
                    Text("B")
                }
                Spacer(minLength: 8)
                LazyVStack { Text("C") }
            }
        },
        ViewShape(
            "more than ten views",
            "horizontal\n  '1'\n  '2'\n  '3'\n  '4'\n  '5'\n  '6'\n  '7'\n  '8'\n  '9'\n  '10'\n  '11'\n  '12'"
        ) {
            HStack {
                Text("1")
                Text("2")
                Text("3")
                Text("4")
                Text("5")
                Text("6")
                Text("7")
                Text("8")
                Text("9")
                Text("10")
                Text("11")
                Text("12")
            }
        },
        ViewShape("a condition", "'Shown'") {
            let number = [2].count + 1
            if number > 3 {
                Text("Large")
            }
            if number > 1, let half = Optional(number / 2) {
                Group { if half == 1 { Text("Shown") } else { Image(systemName: "xmark") } }
            }
        },
        ViewShape("an optional view", "'A'") {
            let (none, some): (Text?, Text?) = (nil, Text("A"))
            none
            some
        },
        ViewShape("rows of a range", "vertical\n  '0'\n  '1'\n  '2'") { ForEach(0..<3) { Text("\($0)") } },
        ViewShape("rows with an id", "horizontal\n  'a'\n  'b'") {
            HStack { ForEach(["a", "b"], id: \.self) { name in Text(name) } }
        },
        ViewShape("rows with numbers", "vertical\n  '1. rye'\n  '2. oat'") {
            VStack {
                ForEach(Array(["rye", "oat"].enumerated()), id: \.offset) { index, name in
                    Text("\(index + 1). \(name)")
                }
            }
        },
        ViewShape(
            "a list with sections",
            """
            vertical at:leading
              section
                header
                  'Today'
                'Bread'
                footer
                  'Until 6 pm' in:secondary
              section
                header
                  'Tomorrow'
                'Cake'
            """
        ) {
            List {
                Section {
                    Text("Bread")
                } header: {
                    Text("Today")
                } footer: {
                    Text("Until 6 pm").foregroundStyle(.secondary)
                }
                Section("Tomorrow") { Text("Cake") }
            }
            .listStyle(.insetGrouped)
        },
        ViewShape("a list of elements", "vertical at:leading\n  'Rye'\n  'Oat'") {
            List(["rye", "oat"].map(LoafEntity.init)) { Text($0.name) }
        },
        ViewShape("a form", "vertical at:leading\n  section\n    'A'") { Form { Section { Text("A") } } },
        ViewShape("a group", "section\n  header\n    'Oven'\n  '200 °C'") { GroupBox("Oven") { Text("200 °C") } },
        ViewShape("a grid", "grid\n  row\n    'A'\n    'B'\n  row\n    divider\n  row\n    'C'") {
            Grid(alignment: .leading, horizontalSpacing: 8) {
                GridRow {
                    Text("A")
                    Text("B").gridColumnAlignment(.trailing)
                }
                Divider().gridCellUnsizedAxes(.horizontal)
                GridRow { Text("C") }
            }
        },
        ViewShape("a grid of columns", "grid\n  row\n    '0'\n    '1'\n  row\n    '2'") {
            LazyVGrid(columns: [GridItem(.flexible()), GridItem(.flexible())], spacing: 8) {
                ForEach(0..<3) { Text("\($0)") }
            }
        },
        ViewShape("a grid of rows", "grid\n  row\n    '0'\n    '2'\n  row\n    '1'") {
            LazyHGrid(rows: [GridItem(.fixed(20)), GridItem(.fixed(20))]) { ForEach(0..<3) { Text("\($0)") } }
        },
        ViewShape("scrolled views", "horizontal\n  'A'\n  'B'") {
            ScrollView(.horizontal, showsIndicators: false) {
                Text("A")
                Text("B")
            }
            .safeAreaPadding(.horizontal, 16)
        },
        ViewShape("alternatives", "'Long'") {
            ViewThatFits {
                Text("Long")
                Text("L")
            }
        },
        ViewShape("views that are hidden", "'B'") {
            Text("A").hidden()
            Text("B").opacity(0.5)
        },
        ViewShape("unavailable content", "vertical\n  horizontal\n    symbol wifi headline\n    'No network' headline")
        {
            ContentUnavailableView("No network", systemImage: "wifi")
        },
    ]

    static let decorations: [ViewShape] = [
        ViewShape("a background of a colour", "'A' on:blue padded rounded") {
            Text("A").padding().background(Color.blue).cornerRadius(8)
        },
        ViewShape("a background of a shape", "'A' on:green padded rounded") {
            Text("A").padding(8).background(RoundedRectangle(cornerRadius: 8).fill(Color.green))
        },
        ViewShape("a background in a shape", "'A' on:gray rounded") {
            Text("A").background(.ultraThinMaterial, in: .rect(cornerRadius: 20))
        },
        ViewShape("a background of a gradient", "vertical on:orange padded\n  'A' in:white") {
            VStack { Text("A") }
                .foregroundColor(.white)
                .padding()
                .background(
                    LinearGradient(
                        colors: [Color(red: 1, green: 0.6, blue: 0), .red],
                        startPoint: .topLeading,
                        endPoint: .bottomTrailing
                    )
                )
        },
        ViewShape("a background in a closure", "'A' on:purple") {
            Text("A").background { Color.indigo.ignoresSafeArea() }
        },
        ViewShape("a line around a view", "'A' padded") {
            Text("A").padding().overlay(RoundedRectangle(cornerRadius: 4).stroke(Color.gray, lineWidth: 1))
        },
        ViewShape("a badge in front of a view", "depth\n  symbol bell\n  '3' caption in:white on:red rounded") {
            Image(systemName: "bell").overlay(alignment: .topTrailing) {
                Text("3").font(.caption2).foregroundStyle(.white).background(.red).clipShape(Capsule())
            }
        },
        ViewShape(
            "shapes",
            "horizontal\n  circle in:red\n  rectangle in:blue rounded\n  circle in:primary\n  rectangle in:yellow"
        ) {
            HStack {
                Circle().fill(.red.gradient).frame(width: 10, height: 10)
                RoundedRectangle(cornerRadius: 3).fill(.blue.opacity(0.3))
                Capsule()
                Color.yellow
                Color.clear
            }
        },
        ViewShape("gray by its components", "rectangle in:gray") { Color(white: 0.55) },
        ViewShape("a modifier of the app", "'A' on:pink padded rounded") { Text("A").card(.pink) },
        ViewShape("a spoken label", "symbol bell spoken:'Alerts'") {
            Image(systemName: "bell").accessibilityLabel("Alerts").accessibilityAddTraits(.isButton)
        },
        ViewShape(
            "an object and a value of the environment",
            "vertical\n  'Total: 12' bold\n  'Back, closed'\n  'Front'"
        ) {
            TillView().environment(Till())
            CounterView().disabled(true).environment(\.counter, "Back")
            CounterView()
        },
        ViewShape("modifiers that are ignored", "'A' in:accent") {
            Text("A")
                .kerning(1)
                .frame(maxWidth: .infinity, minHeight: 20, alignment: .leading)
                .fixedSize(horizontal: false, vertical: true)
                .layoutPriority(1)
                .shadow(color: .black.opacity(0.1), radius: 4, x: 0, y: 2)
                .aspectRatio(contentMode: .fit)
                .minimumScaleFactor(0.5)
                .rotationEffect(.degrees(4))
                .animation(.easeInOut(duration: 0.2), value: 3)
                .transition(.opacity.combined(with: .move(edge: .top)))
                .contentTransition(.numericText())
                .containerBackground(.clear, for: .widget)
                .onAppear { preconditionFailure("a snippet contains no code") }
                .foregroundStyle(.tint)
        },
    ]
}
